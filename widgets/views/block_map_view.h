// BlockMapView: the KV pool as a grid. A cell shows its request's colour, hatch and letter up to its fill; a
// number counts its references; an outline marks blocks in the prefix index; a corner mark shows what the
// step did to it. Arrow keys move, the table twin is in the menu. Thread: the window's.
#pragma once

#include <map>
#include <vector>

#include "widgets/models/block_map_model.h"
#include "widgets/support/animation_clock.h"
#include "widgets/views/painted_view.h"

namespace vitrine {

class BlockMapView : public PaintedView {
  Q_OBJECT
 public:
  static constexpr int kFadeMs = 600;

  explicit BlockMapView(BlockMapModel* model, QWidget* parent = nullptr);

  int currentBlock() const { return m_current; }  // -1 for none
  int columns() const { return m_columns; }
  QRect cellRect(int block) const;  // in content coordinates
  bool isAnimating() const { return m_clock.isRunning(); }
  QString summary() const override;

 public slots:
  void setCurrentBlock(int block);

 signals:
  void blockSelected(int block);
  void sequenceSelected(int sequence);  // the first owner of a block that was clicked or entered

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  prose::Target targetAt(const QPoint& content) const override;
  void contentChanged() override;
  void spotlightMoved() override { viewport()->update(); }
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  struct Fade {
    std::int64_t change = -1;
    qint64 startMs = 0;
  };

  void measure(int width, int height) const;
  int blockAt(const QPoint& content) const;
  double glow(int block) const;  // 1 at the change, 0 when faded
  void activate(int block);
  int legendHeight(int width) const;
  static QStringList legendWords();
  void paintLegend(QPainter& painter, const Theme& theme) const;

  BlockMapModel* m_blocks;
  AnimationClock m_clock;
  std::vector<Fade> m_fades;  // of each block
  std::int64_t m_seen = -1;   // the newest change already shown
  int m_current = -1;
  mutable int m_cell = 28, m_columns = 1, m_top = 0;  // pixels, cells, pixels
};

}  // namespace vitrine
