// FieldStyle: the desktop's style, with an outline that is seen around fields and check boxes: at least 3 : 1
// on what is inside and around it (WCAG 1.4.11). Fusion darkens the window's colour for it, which on black is
// black. Thread: the window's.
#pragma once

#include <QProxyStyle>

namespace vitrine {

class FieldStyle final : public QProxyStyle {
 public:
  // For a text field or a check box, which keeps it.
  static void outline(QWidget& field);

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;

 private:
  FieldStyle();
};

}  // namespace vitrine
