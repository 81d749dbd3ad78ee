// ModelsOpening: the window of the models on this computer, one for as long as the program runs, so that a
// download goes on when it is closed. It keeps the user's folders, has the machine measured for the
// estimates and a GPU's memory looked at, and shows what is inside a model in its own window. Thread: the
// window's. Read next: models_window.h.
#pragma once

#include <QObject>

#include "catalog/kv_pool.h"
#include "gui/library/models_places.h"
#include "widgets/support/notice.h"

class QWidget;

namespace vitrine {

class DeviceFinder;
class InspectOpening;
class ModelsWindow;
class RoofMeasurer;
class Settings;

class ModelsOpening : public QObject {
  Q_OBJECT

 public:
  // `window` is the parent; all must outlive this.
  ModelsOpening(Settings& settings, RoofMeasurer& roof, DeviceFinder& devices, InspectOpening& inside,
                QWidget* window);

  // Before the first open(): others than this user's.
  void setPlaces(const ModelsPlaces& places) { m_places = places; }

  void followSettings();  // those of downloads; a download that is under way ends as it began

  ModelsWindow* open();  // and search
  void addFolder(const QString& folder);
  void forgetFolder(const QString& folder);
  void setDraft(const QString& path);  // the model that drafts for the open one; empty: none

 signals:
  void modelChosen(const QString& path);
  void draftChosen(const QString& path);        // empty: none any more
  void noticed(const vitrine::Notice& notice);  // of a download, when the window is closed
  void shareChosen(vitrine::KvShare share);     // of the free memory, for models opened from now on

 private:
  ModelsWindow* make();
  void leaveOutdated();
  void chooseFolder();
  void useFolders(const QStringList& folders);

  Settings& m_settings;
  RoofMeasurer& m_roof;
  DeviceFinder& m_devices;
  InspectOpening& m_inside;
  QWidget* const m_parent;
  ModelsPlaces m_places;
  ModelsWindow* m_window = nullptr;  // of the parent
  QString m_draft;
  bool m_outdated = false;  // the window was made for other places
};

}  // namespace vitrine
