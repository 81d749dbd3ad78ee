#include "settings.h"

#include <QDir>
#include <QSettings>
#include <algorithm>

namespace vitrine {

namespace {

template <class T>
T read(const char* key, T fallback) {
  const QVariant value = QSettings().value(QLatin1String(key));
  return value.isValid() && value.canConvert<T>() ? value.value<T>() : fallback;
}

int readWhole(const char* key, int fallback, int low, int high) {
  return std::clamp(read(key, fallback), low, high);
}

double readDecimal(const char* key, double fallback, double low, double high) {
  const double value = read(key, fallback);
  return value >= low && value <= high ? value : fallback;
}

void write(const char* key, const QVariant& value) { QSettings().setValue(QLatin1String(key), value); }

QString layoutKey(const QString& perspective) { return QStringLiteral("layout/") + perspective; }

}  // namespace

QString Settings::lastModel() const { return read("model/last", QString()); }
void Settings::setLastModel(const QString& directory) { write("model/last", directory); }

QStringList Settings::recentModels() const {
  QStringList models = read("model/recent", QStringList());
  models.erase(
      std::remove_if(models.begin(), models.end(), [](const QString& path) { return !QDir(path).exists(); }),
      models.end());
  return models;
}

void Settings::addRecentModel(const QString& directory) {
  QStringList models = recentModels();
  models.removeAll(directory);
  models.prepend(directory);
  write("model/recent", models.mid(0, 8));
}

EngineOptions Settings::defaultEngineOptions() {
  EngineOptions options;
  options.numBlocks = 64;  // the built-in model's context: one long conversation fills it
  options.maxSequences = 8;
  options.tokenBudget = 64;
  return options;
}

EngineOptions Settings::engineOptions() const {
  EngineOptions options = defaultEngineOptions();
  options.numBlocks = readWhole("engine/blocks", options.numBlocks, 1, 1 << 20);
  options.blockSize = readWhole("engine/blockSize", options.blockSize, 1, 256);
  options.maxSequences = readWhole("engine/maxSequences", options.maxSequences, 1, 1024);
  options.tokenBudget = readWhole("engine/tokenBudget", options.tokenBudget, 1, 1 << 20);
  options.threads = readWhole("engine/threads", options.threads, 0, 1024);
  options.prefixCache = read("engine/prefixCache", options.prefixCache);
  options.chunkedPrefill = read("engine/chunkedPrefill", options.chunkedPrefill);
  options.batching = static_cast<Batching>(readWhole("engine/batching", 0, 0, 3));
  options.policy = static_cast<Policy>(readWhole("engine/policy", 0, 0, 2));
  options.kernels = static_cast<Kernels>(readWhole("engine/kernels", 0, 0, 1));
  return options;
}

void Settings::setEngineOptions(const EngineOptions& options) {
  write("engine/blocks", options.numBlocks);
  write("engine/blockSize", options.blockSize);
  write("engine/maxSequences", options.maxSequences);
  write("engine/tokenBudget", options.tokenBudget);
  write("engine/threads", options.threads);
  write("engine/prefixCache", options.prefixCache);
  write("engine/chunkedPrefill", options.chunkedPrefill);
  write("engine/batching", static_cast<int>(options.batching));
  write("engine/policy", static_cast<int>(options.policy));
  write("engine/kernels", static_cast<int>(options.kernels));
}

SamplingOptions Settings::defaultSampling() {
  SamplingOptions sampling;
  sampling.temperature = 0.7;
  sampling.topK = 40;
  sampling.topP = 0.95;
  return sampling;
}

SamplingOptions Settings::sampling() const {
  SamplingOptions sampling = defaultSampling();
  sampling.temperature = readDecimal("sampling/temperature", sampling.temperature, 0, 10);
  sampling.topK = readWhole("sampling/topK", sampling.topK, 0, 1 << 20);
  sampling.topP = readDecimal("sampling/topP", sampling.topP, 1e-6, 1);
  sampling.minP = readDecimal("sampling/minP", sampling.minP, 0, 1);
  sampling.repetitionPenalty =
      readDecimal("sampling/repetitionPenalty", sampling.repetitionPenalty, 0.01, 10);
  sampling.presencePenalty = readDecimal("sampling/presencePenalty", sampling.presencePenalty, -10, 10);
  sampling.frequencyPenalty = readDecimal("sampling/frequencyPenalty", sampling.frequencyPenalty, -10, 10);
  sampling.seed = read("sampling/seed", quint64{0});
  return sampling;
}

void Settings::setSampling(const SamplingOptions& sampling) {
  write("sampling/temperature", sampling.temperature);
  write("sampling/topK", sampling.topK);
  write("sampling/topP", sampling.topP);
  write("sampling/minP", sampling.minP);
  write("sampling/repetitionPenalty", sampling.repetitionPenalty);
  write("sampling/presencePenalty", sampling.presencePenalty);
  write("sampling/frequencyPenalty", sampling.frequencyPenalty);
  write("sampling/seed", QVariant::fromValue<quint64>(sampling.seed));
}

int Settings::maxTokens() const { return readWhole("sampling/maxTokens", kDefaultMaxTokens, 1, 1 << 20); }
void Settings::setMaxTokens(int tokens) { write("sampling/maxTokens", tokens); }
double Settings::stepsPerSecond() const { return readDecimal("machine/stepsPerSecond", 4, 0, 1000); }
void Settings::setStepsPerSecond(double rate) { write("machine/stepsPerSecond", rate); }

QString Settings::perspective() const { return read("window/perspective", QString()); }
void Settings::setPerspective(const QString& name) { write("window/perspective", name); }
QByteArray Settings::layout(const QString& perspective) const {
  return QSettings().value(layoutKey(perspective)).toByteArray();
}
void Settings::setLayout(const QString& perspective, const QByteArray& state) {
  QSettings().setValue(layoutKey(perspective), state);
}
void Settings::forgetLayouts() { QSettings().remove(QStringLiteral("layout")); }
QByteArray Settings::geometry() const {
  return QSettings().value(QStringLiteral("window/geometry")).toByteArray();
}
void Settings::setGeometry(const QByteArray& geometry) { write("window/geometry", geometry); }

}  // namespace vitrine
