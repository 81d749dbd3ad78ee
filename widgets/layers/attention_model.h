// AttentionModel: where the tokens of the selected sequence look: the attention map of one layer, of one head
// or of the mean of all heads (arXiv 1706.03762; vitrine/inside.h).
//
// A row for each token that looks, a column for each token that it may look at; a row's sum is 1. Of a long
// context the newest rows are there. Thread: the window's. Read next: inside_model.h.
#pragma once

#include "widgets/layers/inside_model.h"

namespace vitrine {

class AttentionModel : public InsideModel {
  Q_OBJECT
 public:
  static constexpr int kMostRows = 1024, kMostCells = 4 << 20;

  explicit AttentionModel(Session* session, QObject* parent = nullptr) : InsideModel(session, parent) {
    refresh();
  }

  int layer() const { return m_layer; }  // from 0
  int head() const { return m_head; }    // -1: the mean of all
  // Of the model; 0: not known.
  int layers() const { return session()->engine() ? session()->engine()->model.layers : 0; }
  int heads() const { return session()->engine() ? session()->engine()->model.heads : 0; }
  void choose(int layer, int head);

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows; }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() || m_rows == 0 ? 0 : 1 + m_tokens;
  }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  int tokens() const { return m_tokens; }                  // columns
  int positionOf(int row) const { return m_first + row; }  // a column's position is its number
  float share(int row, int column) const;
  std::vector<int> mostSeen(int row, int count) const;  // columns, the largest share first
  QString describe(int row, int column) const;          // column -1: what the row looks at most

 protected:
  InsideOptions optionsFor(int tokens) const override;
  void reportChanged() override;

 private:
  int m_layer = 0, m_head = -1;
  int m_first = 0, m_rows = 0, m_tokens = 0;
};

}  // namespace vitrine
