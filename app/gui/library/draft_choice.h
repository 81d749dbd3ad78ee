// DraftChoice: a second model that drafts for the open one. It sees to it that both have one vocabulary, and
// has the open model loaded with the second, or without.
//
// The vocabulary's size is compared before anything is loaded, on a thread of the pool, and its tokens by the
// engine. A load that fails or is cancelled leaves the machine as it was. Another model that is opened has no
// draft: the one that it had last is offered, until a person takes it off or its file is gone. Thread: the
// window's. Read next: model_loading.h, models_window.h.
#pragma once

#include <QObject>
#include <optional>

#include "gui/inspect/model_inspector.h"
#include "gui/library/models_opening.h"
#include "gui/machine/model_loading.h"
#include "gui/settings/settings.h"
#include "widgets/session/session.h"

namespace vitrine {

class DraftChoice : public QObject {
  Q_OBJECT

 public:
  // All of them must outlive it.
  DraftChoice(EngineHost& host, ModelLoading& loading, const Session& session, ModelsOpening& models,
              Settings& settings, QObject* parent);

  void choose(const QString& path);  // empty: none any more

 signals:
  void noticed(const vitrine::Notice& notice);
  void outdated();  // what was said before: another model, or the same with other options, is open

 private:
  void onKnown(const QString& path, const InspectedModel& model);
  void load(const QString& path);
  void onOpened();
  void offer();

  EngineHost& m_host;
  ModelLoading& m_loading;
  const Session& m_session;
  ModelsOpening& m_models;
  Settings& m_settings;
  ModelInspector m_inspector;
  std::optional<QString> m_wanted;  // by a load under way; empty: none any more
  QString m_openModel;              // outside of scenarios
};

}  // namespace vitrine
