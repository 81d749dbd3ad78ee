// PrefixTreeView: the prefix cache as a tree, a line for each node: its first words, how many blocks and
// tokens they are, how often they were found, and the requests that hold them now. A dashed frame is an
// evicted node of this step, a halo one that this step has found.
//
// What the mouse or the keyboard points at lights its blocks in the KV memory and the requests that share
// them. Up and Down go through the nodes, Left to the parent, Right to the first child. Thread: the window's.
#pragma once

#include "widgets/memory/prefix_tree_model.h"
#include "widgets/painting/cursor_view.h"

namespace vitrine {

class PrefixTreeView : public CursorView {
  Q_OBJECT
 public:
  explicit PrefixTreeView(PrefixTreeModel* model, QWidget* parent = nullptr);

  QString summary() const override { return m_tree->summary(); }
  QRect rowRect(int row) const;  // in content coordinates
  bool isLit(int row) const;     // the spotlight is on some of its blocks

 signals:
  void blockRequested(int block);  // the first one of a node that was clicked or entered

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override { return rowRect(item.row).adjusted(0, -4, 0, 4); }
  QString describeItem(const ViewItem& item) const override { return m_tree->describe(item.row); }
  prose::Target targetOf(const ViewItem& item) const override {
    return {.blocks = m_tree->at(item.row).blocks};
  }
  std::optional<ViewItem> itemBeside(int key) const override;
  void currentChanged() override { m_currentHash = m_tree->at(currentRow()).hash; }
  void activate(const ViewItem& item) override { emit blockRequested(m_tree->at(item.row).blocks.front()); }
  void contentChanged() override;
  void spotlightMoved() override { viewport()->update(); }
  void focusOutEvent(QFocusEvent* event) override;

 private:
  bool isNarrow() const;  // the words have a line of their own
  int rowHeight() const;
  double leftOf(int depth) const;
  void paintLines(QPainter& painter, int row, const Theme& theme) const;
  void paintFrame(QPainter& painter, const QRectF& box, int row, const Theme& theme) const;
  void paintRow(QPainter& painter, int row, const Theme& theme) const;
  double paintHolders(QPainter& painter, const QRectF& area, int row, const Theme& theme) const;
  void paintWords(QPainter& painter, const QRectF& area, int row, const Theme& theme) const;
  QString detailsOf(int row) const;

  PrefixTreeModel* m_tree;
  std::uint64_t m_currentHash = 0;  // of the current node, which may become another row
};

}  // namespace vitrine
