// Theme: the colours of painted views, taken from the widget's palette so that light, dark and high contrast
// follow the desktop.
//
// A value, built again when a palette changes. Thread: the window's. Read next: request_style.h.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

#include "widgets/support/alignment.h"

class QPainter;
class QPen;
class QRectF;
class QWidget;

namespace vitrine {

// What happened to a block in the step shown.
enum class BlockChange : std::uint8_t {
  kNone,
  kAllocated,
  kHit,
  kShared,
  kCopied,
  kCached,
  kEvicted,
  kFreed
};

class Theme {
 public:
  explicit Theme(const QPalette& palette);
  static Theme of(const QWidget* widget);

  bool isDark() const { return m_dark; }
  bool isHighContrast() const { return m_highContrast; }

  QColor base() const { return m_base; }  // behind a painted view
  QColor text() const { return m_text; }
  QColor dimText() const { return m_dimText; }  // at least 4.5 : 1 on base
  QColor line() const { return m_line; }        // hairlines and empty cells' borders
  QColor panel() const { return m_panel; }      // a quiet surface on base
  QColor accent() const { return m_accent; }    // the palette's highlight
  QColor accentText() const;                    // the accent, at least 4.5 : 1 on base
  QColor surprise() const;                      // an unlikely token
  QColor warning() const;                       // a sequence waits or is preempted, or something failed
  QColor good() const;
  QColor breakpoint() const;

  QColor request(int colourIndex) const;  // one of the eight
  QColor change(BlockChange change) const;
  static QColor inkOn(const QColor& background);  // black or white, whichever reads better

 private:
  bool m_dark = false, m_highContrast = false;
  QColor m_base, m_text, m_dimText, m_line, m_panel, m_accent;
};

// WCAG's contrast ratio, 1..21.
double contrastRatio(const QColor& a, const QColor& b);
QColor mix(const QColor& a, const QColor& b, double share);  // share 0: a, 1: b

// The smallest size of a text in this program; a larger application font is kept.
inline constexpr double kSmallestTextPt = 11.0;
QFont readable(QFont font);
QFont boldened(QFont font, bool isBold = true);

// With round corners, if the radius is not 0. The painter keeps both.
void drawBox(QPainter& painter, const QRectF& area, double radius, const QPen& edge,
             const QBrush& ground = Qt::NoBrush);

}  // namespace vitrine
