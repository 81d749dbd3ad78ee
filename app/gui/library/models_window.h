// ModelsWindow: the models on this computer, getting another one, and what a search has left out, each a
// page. Nothing is loaded here, and no call waits: the search and the download work in threads of their own.
//
// Closing hides it: a download goes on. Esc closes it. Thread: the window's. Read next: models_list.h,
// models_download.h; models_opening.h, which holds it.
#pragma once

#include <QDialog>
#include <vector>

#include "catalog/kv_pool.h"
#include "catalog/model_scanner.h"
#include "gui/library/models_places.h"
#include "gui/parts/message_bar.h"
#include "widgets/painting/named_values_model.h"
#include "widgets/session/session.h"

class QTabWidget;

namespace vitrine {

class DataTableView;
class ModelsDownload;
class ModelsList;

class ModelsWindow : public QDialog {
  Q_OBJECT

 public:
  enum Page { kHere, kGet, kLeftOut };

  explicit ModelsWindow(const ModelsPlaces& places, QWidget* parent = nullptr);

  void setFolders(const QStringList& own);  // then search()
  void search();
  void setRoof(double memoryGbps);  // of the machine: 10^9 bytes a second
  // Free of a device's own memory, for estimates on it.
  void setDeviceMemory(Device device, qint64 freeBytes);
  void setDraft(const QString& path);  // the model that drafts for the open one; empty: none
  void setPool(const EngineOptions& options, KvShare share);

  bool isSearching() const { return m_scanner.isRunning(); }
  ModelsList& list() { return *m_list; }
  ModelsDownload& download() { return *m_download; }
  DataTableView* leftOut() const { return m_leftOutTable; }
  QTabWidget* pages() const { return m_pages; }
  MessageBar& messages() { return *m_messages; }

 signals:
  void modelChosen(const QString& path);
  void draftChosen(const QString& path);  // empty: none any more
  void insideWanted(const QString& path);
  void shareChosen(vitrine::KvShare share);
  void folderWanted();  // by a dialog
  void folderForgotten(const QString& folder);
  void noticed(const vitrine::Notice& notice);  // of a download, while this is hidden

 private:
  void makePages();
  void wire();
  void onFinished(const ScanReport& report);
  void onDownloaded(const QString& path);
  void open(const FoundModel& model);
  void openPath(const QString& path);  // now or when the search has found it
  void useAsDraft(const FoundModel& model);
  bool canLoad(const FoundModel& model, const QString& again);
  void tell(MessageCause cause, const Notice& notice);
  void measureMemory();
  void tellMachine();

  const ModelsPlaces m_places;
  Session m_session;  // an empty one: no run belongs to a model
  ModelScanner m_scanner;
  MachineFigures m_machine;
  qint64 m_deviceBytes = 0;  // free on the device of the options; 0: not known
  QStringList m_folders;
  std::vector<NamedValue> m_leftOut;  // of the present search
  QString m_toOpen;                   // when it is found
  QString m_warned;                   // of this model, that it does not fit
  MessageBar* m_messages;
  QTabWidget* m_pages;
  ModelsList* m_list;
  ModelsDownload* m_download;
  NamedValuesModel* m_leftOutModel;
  DataTableView* m_leftOutTable;
};

}  // namespace vitrine
