// WhyDelegate: paints a row of WhyList: the phase's name above its first sentence, the sequence's letter, the
// sentence, and what is open of it. A row that is laid out is kept until the list lays its rows out anew, so
// that painting shapes no text again; a row that is out of sight has its height from its words. Thread: the
// window's. Read next: why_list.h.
#pragma once

#include <map>

#include "widgets/explain/why_row_layout.h"
#include "widgets/painting/row_delegate.h"

namespace vitrine {

struct TermTip;
class WhyList;

class WhyDelegate final : public RowDelegate {
 public:
  static constexpr int kSide = 12;

  WhyDelegate(WhyList* list, const WhyModel* model);

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void forget();                   // the rows are others, or open otherwise
  int titleHeight(int row) const;  // of the heading above the first row of a phase; 0: it is another row
  // The heading of the row's phase, on a ground that hides what lies under it.
  void paintHeading(QPainter& painter, const QRectF& area, int row) const;
  int linkAt(int row, const QRect& rowRect, const QPoint& point) const;  // -1: none
  // What the term of the field at this point means; empty: no term is there.
  TermTip termTipAt(int row, const QRect& rowRect, const QPoint& point) const;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;

 private:
  void follow() const;  // the font and the room
  const WhyRowLayout& layoutOf(int row) const;
  double heightOf(int row) const;  // of its text
  QPointF textCorner(int row, const QRect& rowRect) const;
  double textLeft() const;
  double textWidth() const;
  void paintTitle(QPainter& painter, const QRectF& heading, int section) const;
  void paintHeadlineGround(QPainter& painter, const QRectF& area) const;
  void paintFold(QPainter& painter, const QRectF& area, int row) const;

  const WhyList* m_list;
  const WhyModel* m_model;
  mutable std::map<int, WhyRowLayout> m_layouts;  // by row
  mutable QFont m_face;                           // that they are made with, and the room
  mutable double m_room = 0, m_line = 0;          // m_line: the height of a line
};

}  // namespace vitrine
