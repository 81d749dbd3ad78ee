// Settings: what the program remembers between runs, in one place with its keys.
//
// Thread: the window's. Window layouts carry a version: one made by an older program is not restored.
#pragma once

#include <QByteArray>
#include <QStringList>
#include <optional>

#include "catalog/kv_pool.h"
#include "vitrine/options.h"

namespace vitrine {

class Settings {
 public:
  static constexpr int kLayoutVersion = 5;

  static QString chatsFile();  // where chats are kept; empty: nowhere
  QString lastModel() const;   // empty: the built-in one
  void setLastModel(const QString& directory);
  QStringList recentModels() const;  // newest first, those that still exist
  void addRecentModel(const QString& directory);

  bool opensLastModel() const;  // at the start; else the built-in one
  void setOpensLastModel(bool opens);

  // The model that a person had draft for this one; empty: none.
  QString draftOf(const QString& model) const;
  void setDraftOf(const QString& model, const QString& draft);

  QStringList modelFolders() const;  // of the user's own, to search for models; they may be missing
  void setModelFolders(const QStringList& folders);

  // Of downloads; each empty where the user has not chosen: ownModelsFolder(), HF_ENDPOINT, the system's
  // proxy.
  QString downloadFolder() const;
  void setDownloadFolder(const QString& folder);
  QString hub() const;  // as hubFrom() reads it
  void setHub(const QString& address);
  QString proxy() const;  // as parseProxy() reads it
  void setProxy(const QString& address);

  QStringList recentScenarios()
      const;  // files that were saved or opened, newest first, those that still exist
  void addRecentScenario(const QString& file);

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

  QString colourScheme() const;  // a key of Appearance
  void setColourScheme(const QString& key);
  int textPercent() const;
  void setTextPercent(int percent);
  QStringList breakpoints() const;  // as BreakpointList::toTexts() has them
  void setBreakpoints(const QStringList& texts);

  // The start of the program, if its command line names nothing else.
  QString perspectiveAtStart() const;  // a key of Perspectives
  QString modelAtStart() const;        // empty: the built-in one
  QString chatsFileAtStart() const;    // empty: nowhere

  bool keepsChats() const;  // in chatsFile(), from the next start on
  void setKeepsChats(bool keeps);
  // A switch with a key of its own, such as "chat/colours".
  bool isOn(const QString& key, bool fallback) const;
  void setOn(const QString& key, bool on);

  // Neither was the first page answered nor a window closed before.
  bool isFirstStart() const;
  void setWelcomed();
  QString firstPerspective() const;  // at the start, a key of Perspectives; empty: that of before
  void setFirstPerspective(const QString& key);
  QString perspective() const;
  void setPerspective(const QString& name);
  QByteArray layout(const QString& perspective) const;
  void setLayout(const QString& perspective, const QByteArray& state);
  void forgetLayouts();
  QByteArray geometry() const;
  void setGeometry(const QByteArray& geometry);

 private:
  EngineOptions storedEngineOptions() const;

  std::optional<Device> m_device;
};

}  // namespace vitrine
