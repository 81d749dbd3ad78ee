// FieldStyle: the desktop's style, with an outline that is seen around fields and check boxes: at least 3 : 1
// on what is inside and around it (WCAG 1.4.11). Fusion darkens the window's colour for it, which on black is
// black. Where the keyboard is, it has the accent. In high contrast it is 2 pixels wide, and lists and tables
// have one, too. Over Fusion the scroll bars are flat. Thread: the window's.
#pragma once

#include <QProxyStyle>

class QStyleOptionSlider;

namespace vitrine {

class FieldStyle final : public QProxyStyle {
 public:
  static void layOverDesktop();   // for the whole program; once is enough
  static QString desktopStyle();  // what it is put over: the style's name

  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;

 private:
  FieldStyle();
  void paintOutline(QPainter& painter, const QStyleOption& option, bool isRound = false) const;
  void paintScrollBar(QPainter& painter, const QStyleOptionSlider& bar, const QWidget* widget) const;

  bool m_isFusion;
};

}  // namespace vitrine
