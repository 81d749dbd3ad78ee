// BlockCanvas: a pixmap of the block map's cells at rest, so that a frame costs a copy and not a painting.
//
// It holds what is in sight. prepare() paints the cells that have changed, and after a small scroll the rows
// that came into sight. Cells that look alike are painted once and stamped. What moves or glows is painted
// above it by the view. Thread: the window's.
#pragma once

#include <QHash>
#include <QPixmap>

#include "widgets/memory/block_grid.h"
#include "widgets/memory/block_map_model.h"

namespace vitrine {

class BlockCanvas {
 public:
  // All that the picture depends on besides the rows.
  struct Look {
    BlockGrid grid;
    QRect sight;       // in content coordinates
    double ratio = 1;  // device pixels of a pixel
    QFont font;
    qint64 colours = 0;  // QPalette::cacheKey()
    int blockSize = 0;

    bool operator==(const Look&) const = default;
  };

  // After each refresh of the model that the view hears of. One that it misses costs a whole painting.
  void note(const BlockMapModel& blocks);
  void prepare(const Look& look, const Theme& theme, const BlockMapModel& blocks);
  void draw(QPainter& painter) const;                  // in content coordinates; clip it to what is exposed
  int cellsPainted() const { return m_cellsPainted; }  // by the last prepare()

 private:
  // What decides how a cell looks. Letters name the requests.
  struct Stamp {
    QString letters;
    int filled = 0, refCount = 0, turn = -1;
    bool cached = false;
    BlockChange change = BlockChange::kNone;

    bool operator==(const Stamp&) const = default;
    friend size_t qHash(const Stamp& stamp, size_t seed) {
      return qHashMulti(seed, stamp.letters, stamp.filled, stamp.refCount, stamp.turn, stamp.cached,
                        static_cast<int>(stamp.change));
    }
  };

  bool scrollTo(const Look& look);
  void paintBand(const QRect& band, const Theme& theme, const BlockMapModel& blocks);
  void paintCell(QPainter& painter, int block, const Theme& theme, const BlockMapModel& blocks);
  const QPixmap& stampOf(const BlockRow& row, const Theme& theme);

  Look m_look;
  QPixmap m_pixmap;
  QRect m_toPaint;  // after a scroll, in content coordinates
  QHash<Stamp, QPixmap> m_stamps;
  std::vector<BlockId> m_changed;  // since the last prepare()
  std::int64_t m_noted = -1;       // the model's generation
  bool m_missed = true;            // refreshes
  int m_cellsPainted = 0;
};

}  // namespace vitrine
