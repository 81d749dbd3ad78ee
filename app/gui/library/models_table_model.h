// ModelsTableModel: the models that a search has found, with what each would need of this machine at a
// context; those that have some words, sorted by a column. A model that is added while others are shown moves
// rows, and no selection.
//
// It has a session because views do; the session may be an empty one. Thread: the window's. Read next:
// catalog/found_model.h, catalog/model_estimate.h.
#pragma once

#include <optional>
#include <vector>

#include "catalog/model_estimate.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class ModelsTableModel : public SessionModel {
  Q_OBJECT
 public:
  enum Column { kName, kProgram, kFamily, kBytes, kType, kContext, kMemory, kSpeed, kFit };
  struct Row {
    FoundModel model;
    ModelEstimate estimate;
  };

  // Of the columns, in the settings.
  static QStringList columnKeys();

  explicit ModelsTableModel(Session* session, QObject* parent = nullptr);

  void clear();
  void add(const FoundModel& model);
  void setWords(const QString& words);  // each in the name, program, family or type; empty: every model
  // Of all models; 0: each model's whole context. Rows and selection begin anew.
  void estimate(int contextTokens, const MachineFigures& machine);

  int models() const { return static_cast<int>(m_all.size()); }
  const Row& at(int row) const { return m_all[m_shown.at(static_cast<std::size_t>(row))]; }
  int rowOf(const QString& path) const;                       // -1: not shown
  std::optional<FoundModel> find(const QString& path) const;  // also of those that the words leave out

  int rowCount(const QModelIndex& parent = {}) const override;
  // Equal ones by their names. Rows and selection begin anew.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override {}

 private:
  bool fits(const FoundModel& model) const;
  bool isBefore(std::size_t a, std::size_t b) const;
  void arrange();

  std::vector<Row> m_all;
  std::vector<std::size_t> m_shown;  // places in m_all
  QStringList m_words;
  int m_context = 0;
  MachineFigures m_machine;
  int m_sortColumn = kFit;
  Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

// "yes", "tight", "no".
QString fitText(ModelFit fit);
// "fits", "fits tightly", "too large"; nothing where the machine's memory is not known.
QString fitWords(const ModelEstimate& estimate, const MachineFigures& machine);
// "4.4 GiB".
QString dataSizeText(qint64 bytes);

}  // namespace vitrine
