#include "gui/settings/settings.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <type_traits>

#include "vitrine/engine.h"
#include "vitrine/error.h"
#include "vitrine/option_schema.h"

namespace vitrine {

namespace {

const Stored<QVariantMap> kDrafts{"model/drafts"}, kRecentNames{"model/recentNames"};
const Stored<QVariantMap> kLessonPages{"lesson/pages"};
const Stored<QStringList> kFinishedLessons{"lesson/finished"};
const Stored<QString> kKvShare{"model/kvShare"};
const Stored<QStringList> kRecentModels{"model/recent"}, kRecentScenarios{"scenario/recent"};
const Stored<int> kMaxTokens{"sampling/maxTokens", Settings::kDefaultMaxTokens};
const Stored<int> kTextPercent{"window/textPercent", 100};
constexpr double kUsualPace = 4;  // steps a second
const Stored<double> kStepsPerSecond{"machine/stepsPerSecond", kUsualPace};

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
QStringList existing(QStringList paths) {
  erase_if(paths, [](const QString& path) { return !QFileInfo::exists(path); });
  return paths;
}
void addRecent(const Stored<QStringList>& list, const QString& path) {
  constexpr int kMost = 8;
  QStringList paths = existing(list());
  paths.removeAll(path);
  paths.prepend(path);
  list.set(paths.mid(0, kMost));
}

QString layoutKey(const QString& perspective) { return QStringLiteral("layout/") + perspective; }

}  // namespace

QString Settings::chatsFile() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
  return folder.isEmpty() ? QString() : folder + QStringLiteral("/chats.db");
}

QStringList Settings::recentModels() const { return existing(kRecentModels()); }
void Settings::addRecentModel(const QString& directory, const QString& name) {
  addRecent(kRecentModels, directory);
  const QVariantMap before = kRecentNames();
  QVariantMap names;
  for (const QString& recent : kRecentModels())
    if (before.contains(recent)) names.insert(recent, before.value(recent));
  names.insert(directory, name);
  kRecentNames.set(names);
}
QString Settings::recentModelName(const QString& directory) const {
  return kRecentNames().value(directory, QFileInfo(directory).fileName()).toString();
}
QString Settings::draftOf(const QString& model) const { return kDrafts().value(model).toString(); }
void Settings::setDraftOf(const QString& model, const QString& draft) {
  QVariantMap drafts = kDrafts();
  drafts.insert(model, draft);
  if (draft.isEmpty()) drafts.remove(model);
  kDrafts.set(drafts);
}
QStringList Settings::recentScenarios() const { return existing(kRecentScenarios()); }
void Settings::addRecentScenario(const QString& file) { addRecent(kRecentScenarios, file); }

int Settings::lessonPage(const QString& lesson) const { return kLessonPages().value(lesson, 0).toInt(); }
void Settings::setLessonPage(const QString& lesson, int page) {
  QVariantMap pages = kLessonPages();
  pages.insert(lesson, page);
  kLessonPages.set(pages);
}
QStringList Settings::finishedLessons() const { return kFinishedLessons(); }
void Settings::finishLesson(const QString& lesson) {
  QStringList finished = kFinishedLessons();
  if (finished.contains(lesson)) return;
  finished.append(lesson);
  kFinishedLessons.set(finished);
}

KvShare Settings::kvShare() const {
  return fromName<KvShare>(kKvShare().toStdString()).value_or(KvShare::kHalf);
}
void Settings::setKvShare(KvShare share) { kKvShare.set(QString::fromLatin1(nameOf(share))); }

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
  const int tokens = std::clamp(kMaxTokens(), 0, 1 << 20);
  return tokens == kFormerLimit && !QSettings().contains(kLimitChosen) ? kDefaultMaxTokens : tokens;
}
void Settings::setMaxTokens(int tokens) {
  kMaxTokens.set(tokens);
  QSettings().setValue(kLimitChosen, tokens > 0);
}
double Settings::stepsPerSecond() const {
  const double rate = kStepsPerSecond();
  return rate >= 0 && rate <= 1000 ? rate : kUsualPace;
}
void Settings::setStepsPerSecond(double rate) { kStepsPerSecond.set(rate); }
int Settings::textPercent() const { return std::clamp(kTextPercent(), 100, 150); }
void Settings::setTextPercent(int percent) { kTextPercent.set(percent); }

QString Settings::perspectiveAtStart() const {
  const QString chosen = firstPerspective();
  return chosen.isEmpty() ? perspective() : chosen;
}
QString Settings::modelAtStart() const { return opensLastModel() ? lastModel() : QString(); }
QString Settings::chatsFileAtStart() const { return keepsChats() ? chatsFile() : QString(); }
bool Settings::isOn(const QString& key, bool fallback) const {
  return QSettings().value(key, fallback).toBool();
}
void Settings::setOn(const QString& key, bool on) { QSettings().setValue(key, on); }

bool Settings::isFirstStart() const { return !isWelcomed() && geometry().isEmpty(); }
QByteArray Settings::layout(const QString& key) const {
  return QSettings().value(layoutKey(key)).toByteArray();
}
void Settings::setLayout(const QString& key, const QByteArray& state) {
  QSettings().setValue(layoutKey(key), state);
}
void Settings::forgetLayouts() { QSettings().remove(QStringLiteral("layout")); }

}  // namespace vitrine
