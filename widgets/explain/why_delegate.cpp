#include "widgets/explain/why_delegate.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/explain/why_list.h"
#include "widgets/painting/lit.h"
#include "widgets/support/glossary_tips.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/wrapped_lines.h"

namespace vitrine {
namespace {

constexpr int kFold = 16, kWhyAbove = 6, kWhyBelow = 4;  // pixels

}  // namespace

WhyDelegate::WhyDelegate(WhyList* list, const WhyModel* model)
    : RowDelegate(list), m_list(list), m_model(model) {
  connect(model, &WhyModel::refreshed, this, &WhyDelegate::forget);  // a layout refers to its row
}

void WhyDelegate::forget() { m_layouts.clear(); }

// Every sentence begins at the same x, with a chip or without.
double WhyDelegate::textLeft() const { return kSide + chipSize(font(), QStringLiteral("A2")).width() + 10; }
double WhyDelegate::textWidth() const { return std::max(60.0, rowWidth() - textLeft() - kSide - kFold); }

void WhyDelegate::follow() const {
  const QFont face = font();
  const double room = textWidth();
  if (face == m_face && room == m_room) return;
  m_layouts.clear();
  m_face = face;
  m_room = room;
  m_line = WhyRowLayout::lineHeight(face);
}

const WhyRowLayout& WhyDelegate::layoutOf(int row) const {
  follow();
  const auto known = m_layouts.find(row);
  if (known != m_layouts.end()) return known->second;
  return m_layouts
      .emplace(std::piecewise_construct, std::forward_as_tuple(row),
               std::forward_as_tuple(m_model->at(row), m_list->depthOf(row), m_face, m_room))
      .first->second;
}

double WhyDelegate::heightOf(int row) const {
  follow();
  if (m_list->depthOf(row) == WhyRowLayout::kSentence && !m_layouts.contains(row))
    if (const auto lines = wrappedLines(m_face, m_model->at(row).text, m_room)) return *lines * m_line;
  return layoutOf(row).height();
}

int WhyDelegate::titleHeight(int row) const {
  const bool starts = row == 0 || m_model->at(row - 1).section != m_model->at(row).section;
  return starts ? QFontMetrics(font()).height() + 14 : 0;
}

QSize WhyDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  const double chip = chipSize(font(), QStringLiteral("A")).height() - 2;
  const double text = std::max(heightOf(index.row()), chip);
  return {rowWidth(), static_cast<int>(std::ceil(text)) + kWhyAbove + kWhyBelow + titleHeight(index.row())};
}

QPointF WhyDelegate::textCorner(int row, const QRect& rowRect) const {
  return {textLeft(), static_cast<double>(rowRect.top() + titleHeight(row) + kWhyAbove)};
}

int WhyDelegate::linkAt(int row, const QRect& rowRect, const QPoint& point) const {
  return layoutOf(row).linkAt(point - textCorner(row, rowRect));
}

TermTip WhyDelegate::termTipAt(int row, const QRect& rowRect, const QPoint& point) const {
  return termTip(m_model->at(row).text, layoutOf(row).letterAt(point - textCorner(row, rowRect)));
}

bool WhyDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                            const QModelIndex& index) {
  if (event->type() != QEvent::ToolTip || !index.isValid())
    return RowDelegate::helpEvent(event, view, option, index);
  const TermTip tip = termTipAt(index.row(), option.rect, event->pos());
  showTermTip(event->globalPos(), {}, tip, view->viewport());
  return true;
}

void WhyDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setFont(font());
  const Theme colours = theme();
  const WhyRow& row = m_model->at(index.row());
  QRectF area = option.rect;
  if (const int title = titleHeight(index.row()); title > 0) {
    paintTitle(*painter, QRectF(area.left(), area.top(), area.width(), title), row.section);
    area.setTop(area.top() + title);
  }
  paintGround(*painter, area, option);
  if (index.row() == m_model->headlineRow()) paintHeadlineGround(*painter, area.adjusted(4, 1, -4, -1));
  if (m_list->isLit(index.row())) paintLitGround(*painter, area.adjusted(4, 1, -4, -1), 6, colours);
  if (!row.letter.isEmpty()) {
    const QSizeF chip = chipSize(font(), row.letter);
    paintChip(*painter, QRectF(QPointF(area.left() + kSide, area.top() + 4), chip), row.request, row.letter,
              colours);
  }
  layoutOf(index.row())
      .paint(*painter, QPointF(textLeft(), area.top() + kWhyAbove), colours, m_list->linkOf(index.row()));
  if (!row.rules.empty())
    paintFold(*painter,
              QRectF(area.right() - kSide - kFold + 4, area.top() + kWhyAbove, kFold,
                     QFontMetricsF(font()).height()),
              index.row());
  painter->restore();
}

void WhyDelegate::paintHeading(QPainter& painter, const QRectF& area, int row) const {
  painter.fillRect(area, theme().base());
  painter.setFont(font());
  paintTitle(painter, area, m_model->at(row).section);
}

void WhyDelegate::paintTitle(QPainter& painter, const QRectF& heading, int section) const {
  const QRectF area = heading.adjusted(kSide, 0, -kSide, -4);
  const QFont bold = boldened(font());
  painter.setFont(bold);
  painter.setPen(theme().dimText());
  const QString name = WhyModel::sectionName(section);
  paintText(painter, area, Qt::AlignLeft | Qt::AlignBottom, name);
  const double left = area.left() + QFontMetricsF(bold).horizontalAdvance(name) + 10;
  painter.setPen(QPen(theme().line(), 1));
  painter.drawLine(QPointF(left, area.bottom() - 6), QPointF(area.right(), area.bottom() - 6));
  painter.setFont(font());
}

// Not by colour alone: with a bar at the left.
void WhyDelegate::paintHeadlineGround(QPainter& painter, const QRectF& area) const {
  const Theme colours = theme();
  painter.save();
  painter.setPen(Qt::NoPen);
  drawBox(painter, area, 6, Qt::NoPen, mix(colours.base(), colours.accent(), 0.14));
  drawBox(painter, QRectF(area.left(), area.top() + 3, 3, area.height() - 6), 1.5, Qt::NoPen,
          colours.accent());
  painter.restore();
}

// Right: closed; down: open.
void WhyDelegate::paintFold(QPainter& painter, const QRectF& area, int row) const {
  const QPointF middle = area.center();
  const bool open = m_list->depthOf(row) > WhyRowLayout::kSentence;
  QPainterPath arrow;
  arrow.moveTo(middle + (open ? QPointF(-4, -2) : QPointF(-2, -4)));
  arrow.lineTo(middle + (open ? QPointF(0, 2) : QPointF(2, 0)));
  arrow.lineTo(middle + (open ? QPointF(4, -2) : QPointF(-2, 4)));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().dimText(), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPath(arrow);
}

}  // namespace vitrine
