#include "settings.h"

#include <QDir>
#include <QSettings>
#include <algorithm>
#include <type_traits>

#include "vitrine/engine.h"
#include "vitrine/error.h"

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

// The options that the dialog offers, as they are remembered: key, field, least, most.
template <class Options, class Visit>
void visitStored(Options& o, Visit visit) {
  constexpr double kManyBytes = 1e12;
  visit("engine/blocks", o.numBlocks, 1, kMaxBlocks);
  visit("engine/blockSize", o.blockSize, 1, 256);
  visit("engine/maxSequences", o.maxSequences, 1, 1024);
  visit("engine/tokenBudget", o.tokenBudget, 1, 1 << 20);
  visit("engine/threads", o.threads, 0, 1024);
  visit("engine/kvCache", o.kvCache, false, true);
  visit("engine/prefixCache", o.prefixCache, false, true);
  visit("engine/chunkedPrefill", o.chunkedPrefill, false, true);
  visit("engine/batching", o.batching, Batching::kContinuous, Batching::kWindow);
  visit("engine/windowMs", o.windowMs, 0, 60000);
  visit("engine/policy", o.policy, Policy::kFcfs, Policy::kDeadline);
  visit("engine/agingSteps", o.agingSteps, 0, kMaxAgingSteps);
  visit("engine/kvType", o.kvType, KvType::kSame, KvType::kInt8);
  visit("engine/preemption", o.preemption, Preemption::kRecompute, Preemption::kSwap);
  visit("engine/hostSwapBytes", o.hostSwapBytes, 0, kManyBytes);
  visit("engine/diskSwapBytes", o.diskSwapBytes, 0, kManyBytes);
  visit("engine/eviction", o.eviction, Eviction::kNone, Eviction::kHeavyHitters);
  visit("engine/sinkTokens", o.sinkTokens, 0, 1 << 20);
  visit("engine/windowTokens", o.windowTokens, 1, 1 << 20);
  visit("engine/heavyTokens", o.heavyTokens, 0, 1 << 20);
  visit("engine/kernels", o.kernels, Kernels::kNative, Kernels::kReference);
  visit("engine/weightType", o.weightType, WeightType::kAsStored, WeightType::kF16);
  visit("engine/quantization", o.quantization, Quantization::kNone, Quantization::kInt4);
  visit("engine/drafter", o.speculation.drafter, DraftMethod::kNone, DraftMethod::kNgram);
  visit("engine/draftLength", o.speculation.draftLength, 1, 16);
  visit("engine/draftAdaptive", o.speculation.adaptive, false, true);
}

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
  visitStored(options, [](const char* key, auto& value, auto low, auto high) {
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>)
      value = read(key, value);
    else if constexpr (std::is_enum_v<Value>)
      value = static_cast<Value>(
          readWhole(key, static_cast<int>(value), static_cast<int>(low), static_cast<int>(high)));
    else
      value = std::clamp(static_cast<Value>(read(key, static_cast<double>(value))), static_cast<Value>(low),
                         static_cast<Value>(high));
  });
  options.attention = read("engine/attention", QString()).toStdString();
  options.speculation.draftModel = read("engine/draftModel", QString()).toStdString();
  try {
    options.validate();
    const auto names = attentionKernelNames();
    if (!options.attention.empty() && std::ranges::find(names, options.attention) == names.end())
      options.attention.clear();
  } catch (const EngineError&) {
    return defaultEngineOptions();  // written by somebody else: a window that opens is better
  }
  return options;
}

void Settings::setEngineOptions(const EngineOptions& options) {
  visitStored(options, [](const char* key, const auto& value, auto, auto) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, bool>)
      write(key, value);
    else
      write(key, static_cast<double>(value));
  });
  write("engine/attention", QString::fromStdString(options.attention));
  write("engine/draftModel", QString::fromStdString(options.speculation.draftModel));
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
