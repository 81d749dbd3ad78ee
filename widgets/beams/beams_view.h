// BeamsView: the tree of a beam search, from the prompt at the left to the newest tokens at the right, a
// column for each length. A box has the token and its score; the border and a word say what became of it. The
// thick line is the path of the best answer.
//
// What the mouse, the keyboard or another view points at lights its path from the prompt, and in the KV
// memory the blocks of that path. Left goes to the parent, Right to the best child, Up and Down through the
// column; + − 0 and Ctrl with the wheel change the size of the boxes. Only what is exposed is painted.
// Thread: the window's. Read next: beam_layout.h.
#pragma once

#include <optional>

#include "widgets/beams/beam_layout.h"
#include "widgets/beams/beam_tree_model.h"
#include "widgets/painting/cursor_view.h"

namespace vitrine {

class BeamsView : public CursorView {
  Q_OBJECT
 public:
  // Dots show the shape of a long search, lines the tokens, cards the scores below them.
  enum class Size { kDots, kLines, kCards };

  explicit BeamsView(BeamTreeModel* model, QWidget* parent = nullptr);

  QString summary() const override { return m_beams->summary(); }
  Size boxSize() const { return m_measure.size; }            // chosen, or else the largest one that fits
  int currentNode() const { return currentRow(); }           // -1: none
  const std::vector<int>& litPath() const { return m_lit; }  // from the prompt
  QRect nodeRect(int node) const;                            // in content coordinates

 public slots:
  void setCurrentNode(int node);
  void zoomIn() override { setSize(boxSize() == Size::kDots ? Size::kLines : Size::kCards); }
  void zoomOut() override { setSize(boxSize() == Size::kCards ? Size::kLines : Size::kDots); }
  void fit() override { setSize(std::nullopt); }  // the boxes' size by the room

 signals:
  void sequenceSelected(int sequence);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  ViewItem itemAt(const QPoint& content) const override { return {nodeAt(content)}; }
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override { return m_beams->describe(item.row); }
  prose::Target targetOf(const ViewItem& item) const override { return m_beams->targetOf(item.row); }
  std::optional<ViewItem> itemBeside(int key) const override;
  void currentChanged() override;
  void activate(const ViewItem& item) override;
  void hoverChanged() override { spotlightMoved(); }
  QString tipAt(const QPoint& content) const override;
  void contentChanged() override;
  void spotlightMoved() override;
  QString fitWords() const override { return tr("Size by the &room"); }
  void paintEvent(QPaintEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void zoomByWheel(int turned, const QPointF& at) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  // Of the boxes in pixels.
  struct Measure {
    Size size = Size::kCards;
    int width = 1, height = 1, across = 1, down = 1;  // across, down: from one box to the next
  };
  // How a box and the line to it are drawn.
  struct Look {
    QColor edge, ground, ink;
    Qt::PenStyle style = Qt::SolidLine;
    double weight = 1.4;
  };

  Measure measureOf(Size size) const;
  void measure() const;  // for the present room, font and tree
  int headerHeight() const { return fontMetrics().height() + 6; }
  int headerTop() const;  // it stays in sight, but in a picture of all the content
  void bringIntoSight(int node) { reveal(itemRect({node})); }
  int treeHeight(const Measure& measure) const;
  int columnLeft(int col) const { return kSide + col * m_measure.across; }
  int columnAt(int x) const;  // may be outside
  int nodeAt(const QPoint& content) const;
  void setSize(std::optional<Size> size);
  void updateLit();
  bool isLit(int node) const;
  bool isAtNewest() const;
  void follow();
  Look lookOf(int node, const Theme& theme) const;
  void paintHeader(QPainter& painter, std::pair<int, int> columns, const Theme& theme) const;
  void paintLine(QPainter& painter, int node, const Theme& theme) const;
  void paintBox(QPainter& painter, int node, const Theme& theme) const;
  void paintWords(QPainter& painter, int node, const QRectF& box, const Look& look) const;
  void paintMarks(QPainter& painter, int node, const QRectF& box, const Look& look, const Theme& theme) const;

  static constexpr int kSide = 14;

  BeamTreeModel* m_beams;
  QWidget* m_legend;
  BeamLayout m_layout;
  mutable Measure m_measure;
  int m_laidOut = -1;  // the tree's generation
  std::optional<Size> m_size;
  std::vector<int> m_lit;  // by column
  bool m_follow = true;    // the best path and the newest column, until the user scrolls away
  bool m_onScreen = false, m_wasLive = true;
};

}  // namespace vitrine
