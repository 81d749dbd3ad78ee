// ModelsList: the models on this computer as a table with a filter and a context, and in words what the
// selected one needs. It decides nothing: what is to be done with a model is signalled. Thread: the window's.
// Read next: models_table_model.h.
#pragma once

#include <QWidget>
#include <optional>

#include "catalog/kv_pool.h"
#include "catalog/model_estimate.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QSpinBox;

namespace vitrine {

class DataTableView;
class ElidingLabel;
class ModelsTableModel;
class Session;

class ModelsList : public QWidget {
  Q_OBJECT

 public:
  explicit ModelsList(Session& session, QWidget* parent = nullptr);

  void clear();  // a search begins; the model that was selected is selected again when it is found
  void add(const FoundModel& model);
  void choose(const QString& path);  // now or when it is found
  void chooseFirst();                // where none is selected
  void setMachine(const MachineFigures& machine);
  void setFolders(const QStringList& own);
  void showState(const QString& words);  // of the search
  void setDraft(const QString& path);    // the model that drafts for the open one; empty: none
  // The options and the share of memory that size the KV pool of a model when it is opened.
  void setPool(const EngineOptions& options, KvShare share);

  std::optional<FoundModel> chosen() const;

  ModelsTableModel& model() { return *m_model; }
  DataTableView* table() const { return m_table; }
  QLineEdit* filter() const { return m_filter; }
  QSpinBox* context() const { return m_context; }  // tokens; 0: each model's own
  QLabel* reason() const { return m_reason; }
  QComboBox* share() const { return m_share; }  // of the free memory, a KvShare each
  QLabel* pool() const { return m_pool; }
  QPushButton* open() const { return m_open; }
  QPushButton* inside() const { return m_inside; }
  QPushButton* draft() const { return m_draft; }
  QPushButton* folders() const { return m_folders; }
  QPushButton* again() const { return m_again; }

 signals:
  void openWanted(const vitrine::FoundModel& model);
  void insideWanted(const QString& path);
  void draftWanted(const vitrine::FoundModel& model);
  void draftUnwanted();
  void folderWanted();  // by a dialog
  void folderForgotten(const QString& folder);
  void searchWanted();
  void shareChosen(vitrine::KvShare share);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeHead();
  void makeTable();
  QWidget* makePool();
  QWidget* makeFoot();
  void wire();
  void estimate();
  void keepChoice();
  void tell();
  QString poolWords(const FoundModel& model) const;
  void giveOpen();
  void giveDraft();
  bool isDrafting() const;

  ModelsTableModel* m_model;
  QLineEdit* m_filter;
  QSpinBox* m_context;
  DataTableView* m_table;
  QLabel *m_reason, *m_pool;
  QComboBox* m_share;
  ElidingLabel *m_path, *m_state;
  QPushButton *m_open, *m_inside, *m_draft, *m_folders, *m_again;
  QMenu* m_folderMenu;
  QString m_chosen, m_drafting;
  MachineFigures m_machine;
  EngineOptions m_options;
};

}  // namespace vitrine
