#include "gui/settings/settings.h"

#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <algorithm>
#include <optional>
#include <type_traits>

#include "vitrine/engine.h"
#include "vitrine/error.h"
#include "vitrine/option_schema.h"

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

template <class Value>
QVariant stored(const Value& value) {
  if constexpr (Named<Value>)
    return QString::fromLatin1(nameOf(value));
  else if constexpr (std::is_same_v<Value, std::string>)
    return QString::fromStdString(value);
  else if constexpr (std::is_same_v<Value, bool> || std::is_floating_point_v<Value>)
    return value;
  else
    return QVariant::fromValue<std::conditional_t<std::is_unsigned_v<Value>, quint64, qint64>>(value);
}

// The stored value; nothing when it is none of this option: hand-written, or of another version.
template <class Value>
std::optional<Value> restored(const OptionInfo<Value>& info, const QVariant& found) {
  if constexpr (Named<Value>) {
    return fromName<Value>(found.toString().toStdString());
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return found.toString().toStdString();
  } else if constexpr (std::is_same_v<Value, bool>) {
    return found.toBool();
  } else {
    bool read = false;
    Value value{};
    if constexpr (std::is_floating_point_v<Value>) {
      value = found.toDouble(&read);
    } else if constexpr (std::is_unsigned_v<Value>) {
      value = found.toULongLong(&read);
    } else {
      const qint64 wide = found.toLongLong(&read);
      value = static_cast<Value>(wide);
      read = read && value == wide;
    }
    return read && holds(info, value) ? std::optional(value) : std::nullopt;
  }
}

// Options are stored under "engine/KEY" and "sampling/KEY", with the keys of the schema.
constexpr auto kKeyOf = [](const char* group, const auto& info) {
  return QLatin1String(group) + u'/' + QLatin1String(info.key);
};

auto reading(const char* group) {
  return [group](const auto& info, auto& value) {
    const QVariant found = QSettings().value(kKeyOf(group, info));
    if (found.isValid()) value = restored(info, found).value_or(value);
  };
}
auto writing(const char* group) {
  return [group](const auto& info, const auto& value) {
    QSettings().setValue(kKeyOf(group, info), stored(value));
  };
}

const QString kPoolChosen = QStringLiteral("engine/poolChosen");      // the number of blocks is a person's
const QString kLimitChosen = QStringLiteral("sampling/limitChosen");  // so is the limit of tokens
constexpr int kFormerLimit = 256;                                     // the default of an older program

// Newest first, each once, those that still exist.
QStringList recent(const char* key) {
  QStringList paths = read(key, QStringList());
  erase_if(paths, [](const QString& path) { return !QFileInfo::exists(path); });
  return paths;
}
void addRecent(const char* key, const QString& path) {
  constexpr int kMost = 8;
  QStringList paths = recent(key);
  paths.removeAll(path);
  paths.prepend(path);
  write(key, paths.mid(0, kMost));
}

QString layoutKey(const QString& perspective) { return QStringLiteral("layout/") + perspective; }

}  // namespace

QString Settings::chatsFile() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
  return folder.isEmpty() ? QString() : folder + QStringLiteral("/chats.db");
}

QString Settings::lastModel() const { return read("model/last", QString()); }
void Settings::setLastModel(const QString& directory) { write("model/last", directory); }

QStringList Settings::recentModels() const { return recent("model/recent"); }
void Settings::addRecentModel(const QString& directory) { addRecent("model/recent", directory); }
bool Settings::opensLastModel() const { return read("model/opensLast", true); }
void Settings::setOpensLastModel(bool opens) { write("model/opensLast", opens); }
QString Settings::draftOf(const QString& model) const {
  return read("model/drafts", QVariantMap()).value(model).toString();
}
void Settings::setDraftOf(const QString& model, const QString& draft) {
  QVariantMap drafts = read("model/drafts", QVariantMap());
  drafts.insert(model, draft);
  if (draft.isEmpty()) drafts.remove(model);
  write("model/drafts", drafts);
}
QStringList Settings::modelFolders() const { return read("model/folders", QStringList()); }
void Settings::setModelFolders(const QStringList& folders) { write("model/folders", folders); }
QString Settings::downloadFolder() const { return read("download/folder", QString()); }
void Settings::setDownloadFolder(const QString& folder) { write("download/folder", folder); }
QString Settings::hub() const { return read("download/hub", QString()); }
void Settings::setHub(const QString& address) { write("download/hub", address); }
QString Settings::proxy() const { return read("download/proxy", QString()); }
void Settings::setProxy(const QString& address) { write("download/proxy", address); }
QStringList Settings::recentScenarios() const { return recent("scenario/recent"); }
void Settings::addRecentScenario(const QString& file) { addRecent("scenario/recent", file); }

KvShare Settings::kvShare() const {
  return fromName<KvShare>(read("model/kvShare", QString()).toStdString()).value_or(KvShare::kHalf);
}
void Settings::setKvShare(KvShare share) { write("model/kvShare", QString::fromLatin1(nameOf(share))); }

EngineOptions Settings::defaultEngineOptions() {
  EngineOptions options;
  options.maxSequences = 8;
  options.tokenBudget = 64;
  return options;
}

EngineOptions Settings::engineOptions() const {
  EngineOptions options = storedEngineOptions();
  options.device = m_device.value_or(options.device);
  return options;
}

EngineOptions Settings::storedEngineOptions() const {
  EngineOptions options = defaultEngineOptions();
  visitEngineOptions(options, reading("engine"));
  // An older program stored its default as if a person had chosen it.
  if (options.numBlocks == kBuiltinBlocks && !QSettings().contains(kPoolChosen)) options.numBlocks = 0;
  try {
    options.validate();
    const auto names = attentionKernelNames();
    if (!options.attention.empty() && std::ranges::find(names, options.attention) == names.end())
      options.attention.clear();
  } catch (const EngineError&) {
    return defaultEngineOptions();  // written by another program: a window that opens is better
  }
  return options;
}

void Settings::setEngineOptions(const EngineOptions& options) {
  EngineOptions kept = options;
  if (m_device == options.device)
    kept.device = storedEngineOptions().device;
  else
    m_device.reset();
  visitEngineOptions(kept, writing("engine"));
  QSettings().setValue(kPoolChosen, options.numBlocks > 0);
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
  visitSamplingOptions(sampling, reading("sampling"));
  return sampling;
}

void Settings::setSampling(const SamplingOptions& sampling) {
  visitSamplingOptions(sampling, writing("sampling"));
}

// An older program stored its default with every change of a sampling option, and that would cut each answer.
int Settings::maxTokens() const {
  const int tokens = readWhole("sampling/maxTokens", kDefaultMaxTokens, 0, 1 << 20);
  return tokens == kFormerLimit && !QSettings().contains(kLimitChosen) ? kDefaultMaxTokens : tokens;
}
void Settings::setMaxTokens(int tokens) {
  write("sampling/maxTokens", tokens);
  QSettings().setValue(kLimitChosen, tokens > 0);
}
double Settings::stepsPerSecond() const { return readDecimal("machine/stepsPerSecond", 4, 0, 1000); }
void Settings::setStepsPerSecond(double rate) { write("machine/stepsPerSecond", rate); }

QString Settings::colourScheme() const { return read("window/colours", QString()); }
void Settings::setColourScheme(const QString& key) { write("window/colours", key); }
int Settings::textPercent() const { return readWhole("window/textPercent", 100, 100, 150); }
void Settings::setTextPercent(int percent) { write("window/textPercent", percent); }
QStringList Settings::breakpoints() const { return read("machine/breakpoints", QStringList()); }
void Settings::setBreakpoints(const QStringList& texts) { write("machine/breakpoints", texts); }

QString Settings::perspectiveAtStart() const {
  const QString chosen = firstPerspective();
  return chosen.isEmpty() ? perspective() : chosen;
}
QString Settings::modelAtStart() const { return opensLastModel() ? lastModel() : QString(); }
QString Settings::chatsFileAtStart() const { return keepsChats() ? chatsFile() : QString(); }

bool Settings::keepsChats() const { return read("chat/kept", true); }
void Settings::setKeepsChats(bool keeps) { write("chat/kept", keeps); }
bool Settings::isOn(const QString& key, bool fallback) const {
  return QSettings().value(key, fallback).toBool();
}
void Settings::setOn(const QString& key, bool on) { QSettings().setValue(key, on); }

bool Settings::isFirstStart() const {
  const QSettings kept;
  return !kept.value(QStringLiteral("window/welcomed"), false).toBool() &&
         !kept.contains(QStringLiteral("window/geometry"));
}
void Settings::setWelcomed() { write("window/welcomed", true); }
QString Settings::firstPerspective() const { return read("window/firstPerspective", QString()); }
void Settings::setFirstPerspective(const QString& key) { write("window/firstPerspective", key); }
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
