#include "gui/parts/card.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>
#include <QTabBar>
#include <algorithm>

#include "widgets/support/field_style.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/tab_rows.h"

namespace vitrine {

namespace {

constexpr int kTabPadding = 12, kTabHeight = 12;  // beside and above the words

}  // namespace

void paintCard(QPainter& painter, const QRect& area, const Theme& theme, CardPart part) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const double edge = theme.isHighContrast() ? 2 : 1;
  QRectF whole = QRectF(area).adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2);
  // The other part of the card lies outside of the clip.
  if (part == CardPart::kTabs) whole.setBottom(whole.bottom() + 3 * kCardRadius);
  if (part == CardPart::kUnderTabs) whole.setTop(whole.top() - 3 * kCardRadius);
  painter.setClipRect(area);
  painter.setPen(QPen(theme.isHighContrast() ? theme.line() : mix(theme.base(), theme.text(), 0.13), edge));
  painter.setBrush(theme.base());
  painter.drawRoundedRect(whole, kCardRadius, kCardRadius);
  painter.restore();
}

void paintPill(QPainter& painter, const QRectF& area, const QColor& colour) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  const double radius = std::min(area.height() / 2, 7.0);
  painter.drawRoundedRect(area, radius, radius);
  painter.restore();
}

QColor softAccent(const Theme& theme) {
  return theme.isHighContrast() ? theme.base() : mix(theme.base(), theme.accent(), 0.14);
}

QColor accentInk(const Theme& theme) {
  const QColor ground = softAccent(theme);
  for (double share = 0; share < 1; share += 0.1) {
    const QColor ink = mix(theme.accent(), theme.text(), share);
    if (contrastRatio(ink, ground) >= 4.5) return ink;
  }
  return theme.text();
}

void paintTabs(QPainter& painter, const QTabBar& bar, const QRect& card, const Theme& theme) {
  const std::vector<QRect> areas = tabAreas(bar);
  for (int i = 0; i < bar.count(); ++i) {
    const QRect tab = areas[static_cast<std::size_t>(i)].intersected(card);
    if (tab.isEmpty()) continue;
    const bool present = i == bar.currentIndex();
    const int half = std::min(tab.height() - 6, bar.fontMetrics().height() + 8);
    const QRectF pill(tab.left() + 3, tab.center().y() - half / 2.0 + 1, tab.width() - 6, half);
    if (present) {
      paintPill(painter, pill, softAccent(theme));
      if (theme.isHighContrast()) {
        painter.setPen(QPen(theme.accent(), 2));
        painter.drawRoundedRect(pill.adjusted(1, 1, -1, -1), 6, 6);
      }
    }
    QFont face = bar.font();
    face.setBold(present);
    painter.setFont(face);
    painter.setPen(present ? accentInk(theme) : theme.dimText());
    const QString words = QFontMetrics(face).elidedText(bar.tabText(i), Qt::ElideRight,
                                                        static_cast<int>(pill.width()), Qt::TextShowMnemonic);
    paintText(painter, pill, Qt::AlignCenter | Qt::TextHideMnemonic, words);
  }
}

void paintSummary(QPainter& painter, const QRect& room, const QString& summary, const Theme& theme) {
  QFont face = painter.font();
  face.setBold(true);
  const QFontMetrics metrics(face);
  if (room.width() < metrics.averageCharWidth() * 4) return;
  painter.setFont(face);
  painter.setPen(theme.dimText());
  paintText(painter, room, Qt::AlignRight | Qt::AlignVCenter,
            wholeParts(painter.font(), summary, room.width()));
}

QMargins edgeGround(const QWidget* part) {
  const QWidget* window = part->parentWidget();
  if (!window || part->isWindow()) return {};
  return {part->x() <= 0 ? kCardGap : 0, 0, part->x() + part->width() >= window->width() ? kCardGap : 0, 0};
}

CardStyle::CardStyle(QObject* parent) : QProxyStyle(FieldStyle::desktopStyle()) { setParent(parent); }

int CardStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_DockWidgetSeparatorExtent:
      return kCardGap;
    case PM_TabBarTabHSpace:
      return 2 * kTabPadding;
    case PM_TabBarTabVSpace:
      return kTabHeight;
    case PM_ToolBarItemMargin:
    case PM_ToolBarFrameWidth:
    case PM_TabBarTabOverlap:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarBaseHeight:
    case PM_TabBarBaseOverlap:
      return 0;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

QSize CardStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                  const QWidget* widget) const {
  const auto* bar = qobject_cast<const QTabBar*>(widget);
  const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
  if (type == CT_TabBarTab && bar && tab) return tabSize(*bar, tab->text, contents.height());
  return QProxyStyle::sizeFromContents(type, option, contents, widget);
}

int CardStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* data) const {
  if (hint == SH_TabBar_Alignment) return Qt::AlignLeft;
  return QProxyStyle::styleHint(hint, option, widget, data);
}

void CardStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
  if (element != PE_IndicatorDockWidgetResizeHandle)
    return QProxyStyle::drawPrimitive(element, option, painter, widget);
  if (!(option->state & State_MouseOver)) return;
  const QRect area = option->rect;
  const bool upright = area.height() > area.width();
  const QSize grip = upright ? QSize(3, 40) : QSize(40, 3);
  QRectF handle(QPointF(), grip);
  handle.moveCenter(QRectF(area).center());
  paintPill(*painter, handle, Theme(option->palette).dimText());
}

}  // namespace vitrine

#include "moc_card.cpp"
