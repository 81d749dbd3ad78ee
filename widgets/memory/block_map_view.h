// BlockMapView: the KV pool as a grid over its swap tiers. A cell shows the stripes, hatches and letters of
// its owners up to its fill; "×3" counts the references; an outline marks blocks in the prefix index, bars
// those of them that are free, a number the turn in the free queue; a corner mark what the step did to it.
// Blocks that are swapped travel between pool and tiers. Hover and keyboard light a block's prefix.
//
// Arrow keys move, + − 0 and Ctrl with the wheel zoom, the table twin is in the menu. A frame on which
// nothing changed copies a pixmap. Thread: the window's. Read next: block_canvas.h, block_painter.h.
#pragma once

#include <unordered_map>
#include <vector>

#include "widgets/memory/block_canvas.h"
#include "widgets/memory/block_legend.h"
#include "widgets/memory/block_map_model.h"
#include "widgets/painting/cursor_view.h"
#include "widgets/support/animation_clock.h"

namespace vitrine {

class BlockPainter;
class SwapShelfRows;

class BlockMapView : public CursorView {
  Q_OBJECT
 public:
  static constexpr int kFadeMs = 600, kTravelMs = 700;

  explicit BlockMapView(BlockMapModel* model, QWidget* parent = nullptr);

  int currentBlock() const { return currentRow(); }  // -1 for none
  int columns() const { return m_grid.columns(); }
  QRect cellRect(int block) const { return m_grid.cellRect(block); }  // in content coordinates
  QRect slotRect(SwapTier tier, int slot) const;                      // the same; empty without the tier
  bool isAnimating() const { return m_clock.isRunning(); }
  int cellsPainted() const { return m_canvas.cellsPainted(); }            // for the last frame
  const std::vector<BlockId>& litBlocks() const { return m_lit.blocks; }  // the prefix, the first block first
  QString summary() const override;
  BlockLegend legend() const;  // of the marks that the picture has now
  // The viewport's height at its present width: with cells that are easy to read, and with the largest ones
  // for which this height is enough. 0 without a pool.
  int comfortableHeight() const;
  int heightWithin(int height) const;

 public slots:
  void setCurrentBlock(int block);
  void zoomIn() override;
  void zoomOut() override;
  void fit() override;  // the whole pool in sight, in cells as small as that takes

 signals:
  void blockSelected(int block);
  void roomChanged();                   // comfortableHeight() has: another pool, or other tiers
  void eventsRequested(int block);      // the user wants to see them
  void sequenceSelected(int sequence);  // the first owner of a block that was clicked or entered

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  int itemsInLine() const override { return columns(); }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override { return m_blocks->describe(item.row); }
  prose::Target targetOf(const ViewItem& item) const override { return {.blocks = {item.row}}; }
  void currentChanged() override;
  void activate(const ViewItem& item) override;
  void hoverChanged() override;
  QString tipAt(const QPoint& content) const override;
  void spotlightMoved() override { viewport()->update(); }
  void contentChanged() override;
  void addActions(QMenu& menu) override;
  QString fitWords() const override { return tr("&Fit the whole pool"); }
  std::unique_ptr<SessionModel> makeTableModel() const override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void zoomByWheel(int turned, const QPointF& at) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  static constexpr int kFit = -1;
  struct Fade {
    std::int64_t change = -1;  // number of its event
    qint64 startMs = 0;
  };
  struct Flight {
    BlockMove move;
    qint64 startMs = 0;
  };

  void measure() const;
  int footerHeight() const;  // shelves and legend
  int heightAroundCells() const;
  int heightWith(int cellHeight) const;
  int gapAboveFooter() const;
  int footerTop(bool whole = false) const;  // always in sight; whole: below the pool, for a picture
  int legendHeight() const;                 // 0: there is none
  SwapShelfRows shelfRows(bool whole = false) const;
  int anchor() const;                      // the cursor's block if it is in sight, else one in the middle
  void zoomTo(int cellHeight, int block);  // the block stays where it is
  void light();
  void restart();
  void noteCursor();
  void startFades();
  void startFlights();
  void updateWhatMoves();
  double glow(int block) const;  // 1 at the change, 0 when faded
  QRect portInContent() const { return {toContent({0, 0}), viewport()->size()}; }
  void paintCells(QPainter& painter, const QRect& exposed, const BlockPainter& cells) const;
  void paintSelection(QPainter& painter, const QRect& exposed, const Theme& theme) const;
  void paintSpotlight(QPainter& painter, const QRect& exposed, const Theme& theme) const;
  void paintPrefix(QPainter& painter, const QRect& exposed, const Theme& theme) const;
  void paintGlows(const QRect& exposed, const BlockPainter& cells) const;
  void paintCursor(QPainter& painter, const Theme& theme) const;
  void paintFooter(QPainter& painter, const BlockPainter& cells, const Theme& theme) const;
  void paintMoves(QPainter& painter, const BlockPainter& cells, const Theme& theme) const;
  std::pair<QRectF, QRectF> endsOf(const BlockMove& move, const SwapShelfRows& rows) const;

  BlockMapModel* m_blocks;
  AnimationClock m_clock;
  BlockCanvas m_canvas;
  mutable BlockGrid m_grid;
  std::unordered_map<BlockId, Fade> m_fades;
  std::vector<Flight> m_flights;
  BlockChain m_lit;
  std::int64_t m_seen = -1;  // the newest change already shown
  int m_pastStep = -1;       // the step shown, -1 when LIVE
  int m_toldRoom = 0;        // comfortableHeight() of the last roomChanged()
  int m_zoom = 0;            // height of a cell; 0: by the room; kFit
  bool m_onScreen = false;   // not a picture of all the content
};

}  // namespace vitrine
