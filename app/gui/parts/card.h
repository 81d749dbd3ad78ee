// Cards: the look of panels: rounded rectangles in the base colour on the window's quiet ground, a gap apart.
// Tabs are words in the upper part of a card; the present one lies on a soft accent. Thread: the window's.
#pragma once

#include <QProxyStyle>
#include <QString>

#include "widgets/support/theme.h"

class QPainter;
class QRect;
class QTabBar;
class QWidget;

namespace vitrine {

inline constexpr int kCardGap = 8, kCardRadius = 10, kCardInset = 3;  // pixels; content keeps off the corners

// A card is drawn in one piece, or in two: its tabs, and what lies under them.
enum class CardPart { kWhole, kTabs, kUnderTabs };
void paintCard(QPainter& painter, const QRect& area, const Theme& theme, CardPart part = CardPart::kWhole);

// A fully rounded ground, as behind the present tab and the state of the run.
void paintPill(QPainter& painter, const QRectF& area, const QColor& colour);
QColor softAccent(const Theme& theme);  // behind accentInk()
QColor accentInk(const Theme& theme);   // at least 4.5 : 1 on softAccent() and on the base

// The tabs of a bar where tabAreas() has them, as far as they lie on its card, and a summary at the right of
// `room`.
void paintTabs(QPainter& painter, const QTabBar& bar, const QRect& card, const Theme& theme);
void paintSummary(QPainter& painter, const QRect& room, const QString& summary, const Theme& theme);

// The ground that a part of the window leaves free at the sides where it touches the window's edge.
QMargins edgeGround(const QWidget* part);

// Separators between docks as wide as the gap between cards, and invisible but for a grip under the mouse;
// tabs of docks with room for a pill; tool bars without a frame. For the window itself, its tab bars and the
// bars that lie on the ground.
class CardStyle final : public QProxyStyle {
  Q_OBJECT

 public:
  explicit CardStyle(QObject* parent);
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                         const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
};

}  // namespace vitrine
