// TensorTableModel: the tensors of a model that is looked into: name, type, shape, bytes; those whose names
// have some words, of one layer or of all, in the order of the file or sorted by a column.
//
// It has a session because views do; the session may be an empty one. Thread: the window's. Read next:
// vitrine/inspect.h.
#pragma once

#include <vector>

#include "vitrine/inspect.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class TensorTableModel : public SessionModel {
  Q_OBJECT
 public:
  enum Column { kName, kType, kShape, kBytes };
  static constexpr int kAllLayers = -2, kNoLayer = -1;  // kNoLayer: embedding, head, last norm

  using SessionModel::SessionModel;

  // Of a model, in the order of its file, without a filter.
  void setTensors(std::vector<InspectedTensor> tensors);
  void setWords(const QString& words);  // each must be in the name or be the type; empty: every tensor
  void setLayer(int layer);             // 0 on, or a constant above
  int layers() const { return m_layers; }
  int tensors() const { return static_cast<int>(m_all.size()); }

  const InspectedTensor& at(int row) const { return m_all[m_shown.at(static_cast<std::size_t>(row))]; }
  int rowOf(const std::string& name) const;  // -1: not shown

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
  }
  // Shapes by their number of weights; a column below 0: as in the file. Rows and selection begin anew.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override {}

 private:
  bool fits(const InspectedTensor& tensor) const;
  bool isBefore(const InspectedTensor& a, const InspectedTensor& b) const;
  void arrange();

  std::vector<InspectedTensor> m_all;
  std::vector<std::size_t> m_shown;  // places in m_all
  QStringList m_words;
  int m_layer = kAllLayers, m_layers = 0;
  int m_sortColumn = -1;
  Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

// "4,096 × 11,008": outputs and inputs.
QString tensorShapeText(const InspectedTensor& tensor);

}  // namespace vitrine
