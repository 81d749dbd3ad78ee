// RowDelegate: the base for rows of requests and of sentences: a chip with a request's letter, hatch and
// colour, and text that wraps at the list's width. Thread: the window's.
#pragma once

#include <QAbstractItemView>
#include <QStyledItemDelegate>

#include "vitrine/event.h"
#include "widgets/support/theme.h"

namespace vitrine {

// The letter of a request on its colour, in a rounded square that grows with the letter.
QSizeF chipSize(const QFont& font, const QString& letter);
void paintChip(QPainter& painter, const QRectF& area, RequestId request, const QString& letter,
               const Theme& theme);

// A painted message in the middle of an empty list.
void paintEmpty(QAbstractItemView* view, const QString& text);

class RowDelegate : public QStyledItemDelegate {
 public:
  explicit RowDelegate(QAbstractItemView* view) : QStyledItemDelegate(view), m_view(view) {}

 protected:
  int rowWidth() const { return m_view->viewport()->width(); }
  Theme theme() const { return Theme::of(m_view); }
  QFont font() const { return m_view->font(); }
  // The background of a row: hovered, selected, or with a frame when it has the focus.
  void paintGround(QPainter& painter, const QRectF& row, const QStyleOptionViewItem& option) const;

  QAbstractItemView* m_view;
};

}  // namespace vitrine
