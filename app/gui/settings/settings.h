// Settings: what the program remembers between runs, in one place with its keys.
//
// Thread: the window's. Window layouts carry a version: one made by an older program is not restored.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>
#include <optional>
#include <utility>

#include "catalog/kv_pool.h"
#include "vitrine/options.h"

namespace vitrine {

// One value that is remembered. It is read anew each time; the fallback stands where nothing of its kind is
// kept.
template <class Value>
class Stored {
 public:
  explicit Stored(const char* key, Value fallback = {}) : m_key(key), m_fallback(std::move(fallback)) {}

  Value operator()() const {
    const QVariant value = QSettings().value(m_key);
    return value.isValid() && value.canConvert<Value>() ? value.template value<Value>() : m_fallback;
  }
  void set(const Value& value) const { QSettings().setValue(m_key, QVariant::fromValue(value)); }

 private:
  QLatin1String m_key;
  Value m_fallback;
};

class Settings {
 public:
  static constexpr int kLayoutVersion = 8;

  static QString chatsFile();                     // where chats are kept; empty: nowhere
  const Stored<QString> lastModel{"model/last"};  // empty: the built-in one
  QStringList recentModels() const;               // newest first, those that still exist
  void addRecentModel(const QString& directory, const QString& name);
  QString recentModelName(const QString& directory) const;     // that it had when it was opened
  const Stored<bool> opensLastModel{"model/opensLast", true};  // at the start; else the built-in one

  // The model that a person had draft for this one; empty: none.
  QString draftOf(const QString& model) const;
  void setDraftOf(const QString& model, const QString& draft);

  // Of the user's own, to search for models; they may be missing.
  const Stored<QStringList> modelFolders{"model/folders"};
  // Of the table of models on this computer, as KeptColumns has them.
  const Stored<QVariantMap> modelColumns{"model/columns"};

  // Of downloads; each empty where the user has not chosen: ownModelsFolder(), HF_ENDPOINT, the system's
  // proxy.
  const Stored<QString> downloadFolder{"download/folder"};
  const Stored<QString> hub{"download/hub"};      // as hubFrom() reads it
  const Stored<QString> proxy{"download/proxy"};  // as parseProxy() reads it

  // Files that were saved or opened, newest first, those that still exist.
  QStringList recentScenarios() const;
  void addRecentScenario(const QString& file);

  int lessonPage(const QString& lesson) const;  // where it was left; 0: nowhere
  void setLessonPage(const QString& lesson, int page);
  QStringList finishedLessons() const;  // by their names
  void finishLesson(const QString& lesson);

  KvShare kvShare() const;  // of the free memory, for the KV pool of a model of one's own
  void setKvShare(KvShare share);

  // The window's own defaults: a small budget, so that there is something to see, and a pool that
  // withKvPool() sizes.
  static EngineOptions defaultEngineOptions();
  EngineOptions engineOptions() const;
  void setEngineOptions(const EngineOptions& options);
  // In place of the stored device, which stays as it is, until another one is stored: of this object, not of
  // the next start.
  void computeOn(Device device) { m_device = device; }
  std::optional<Device> deviceInPlace() const { return m_device; }

  static SamplingOptions defaultSampling();
  static constexpr int kDefaultMaxTokens = 0;  // until the model ends, or the context is full
  SamplingOptions sampling() const;
  void setSampling(const SamplingOptions& sampling);
  int maxTokens() const;
  void setMaxTokens(int tokens);
  double stepsPerSecond() const;
  void setStepsPerSecond(double rate);

  const Stored<QString> language{"window/language"};     // a key of offeredLanguages(); empty: the desktop's
  const Stored<QString> colourScheme{"window/colours"};  // a key of Appearance
  int textPercent() const;
  void setTextPercent(int percent);
  const Stored<QStringList> breakpoints{"machine/breakpoints"};  // as BreakpointList::toTexts() has them

  // Where the server listens when it is turned on. Its token is in no file.
  static constexpr int kUsualPort = 8000;  // as vitrine-cli serve's
  const Stored<QString> serverAddress{"server/address", QStringLiteral("127.0.0.1")};
  const Stored<QString> attachedServer{"server/attached", {}};    // the last one that was watched
  const Stored<QString> connectedServer{"server/connected", {}};  // whose model answered last
  const Stored<QStringList> loadServers{"server/loads", {}};      // whose load is shown; their keys are not
  const Stored<int> serverPort{"server/port", kUsualPort};

  // The start of the program, if its command line names nothing else.
  QString perspectiveAtStart() const;  // a key of Perspectives
  QString modelAtStart() const;        // empty: the built-in one
  QString chatsFileAtStart() const;    // empty: nowhere

  const Stored<bool> keepsChats{"chat/kept", true};  // in chatsFile(), from the next start on
  // A switch with a key of its own, such as "chat/colours".
  bool isOn(const QString& key, bool fallback) const;
  void setOn(const QString& key, bool on);

  // Neither was the first page answered nor a window closed before.
  bool isFirstStart() const;
  const Stored<bool> isWelcomed{"window/welcomed"};
  // At the start, a key of Perspectives; empty: that of before.
  const Stored<QString> firstPerspective{"window/firstPerspective"};
  const Stored<QString> perspective{"window/perspective"};
  const Stored<bool> presentFillsScreen{"window/presentFillsScreen", true};
  QByteArray layout(const QString& key) const;  // of a perspective
  void setLayout(const QString& key, const QByteArray& state);
  void forgetLayouts();
  const Stored<QByteArray> geometry{"window/geometry"};

 private:
  EngineOptions storedEngineOptions() const;

  std::optional<Device> m_device;
};

}  // namespace vitrine
