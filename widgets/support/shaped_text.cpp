#include "widgets/support/shaped_text.h"

#include <QCache>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QStaticText>
#include <QTextLayout>
#include <algorithm>
#include <utility>

namespace vitrine {

namespace {

constexpr int kKept = 4096;          // texts; a window in sight has some hundred
constexpr int kLongest = 200;        // characters of a text that is kept
constexpr double kHaloWidth = 1.75;  // pixels
constexpr std::pair<int, int> kHalo[] = {{-2, 0},  {2, 0},  {0, -2}, {0, 2},
                                         {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};

struct Key {
  QFont font;
  QString text;

  bool operator==(const Key&) const = default;
};
std::size_t qHash(const Key& key, std::size_t seed) { return qHashMulti(seed, key.font, key.text); }

struct Shaped {
  double width = 0;
  double ascent = 0;
  QStaticText glyphs;  // empty until the text is painted first
  bool hasGlyphs = false;
};

// Shaped texts hold fonts, so they go before the application does.
QCache<Key, Shaped>& keptTexts() {
  static QCache<Key, Shaped>* const kept = [] {
    qAddPostRoutine([] { keptTexts().clear(); });
    return new QCache<Key, Shaped>(kKept);
  }();
  return *kept;
}

Shaped& shaped(const QFont& font, const QString& text) {
  QCache<Key, Shaped>& cache = keptTexts();
  const Key key{font, text};
  if (Shaped* const known = cache.object(key)) return *known;
  auto* const made = new Shaped;
  const QFontMetricsF metrics(font);
  made->width = metrics.horizontalAdvance(text);
  made->ascent = metrics.ascent();
  cache.insert(key, made);
  return *made;
}

const QStaticText& glyphsOf(Shaped& shaped, const QFont& font, const QString& text) {
  if (!shaped.hasGlyphs) {
    shaped.glyphs.setTextFormat(Qt::PlainText);
    shaped.glyphs.setText(text);
    shaped.glyphs.prepare({}, font);
    shaped.hasGlyphs = true;
  }
  return shaped.glyphs;
}

// What QStaticText paints as drawText() does: it leaves out lines under and over a text.
bool isPlain(const QPainter& painter, const QString& text) {
  if (painter.font().underline() || painter.font().overline()) return false;
  return text.size() <= kLongest && painter.layoutDirection() != Qt::RightToLeft &&
         painter.paintEngine() != nullptr && painter.paintEngine()->type() == QPaintEngine::Raster &&
         !text.contains(u'\n') && !text.contains(u'\t') && !text.isRightToLeft();
}

// QStaticText leaves out the line through a text, too, but that is soon drawn.
void drawGlyphs(QPainter& painter, const QPointF& corner, Shaped& known, const QString& text) {
  painter.drawStaticText(corner, glyphsOf(known, painter.font(), text));
  if (!painter.font().strikeOut()) return;
  const QFontMetricsF metrics(painter.font());
  const QPointF left = corner + QPointF(0, known.ascent - metrics.strikeOutPos());
  painter.fillRect(QRectF(left, QSizeF(known.width, metrics.lineWidth())), painter.pen().color());
}

void drawGlyphsAt(QPainter& painter, const QPointF& baseline, const QString& text) {
  Shaped& known = shaped(painter.font(), text);
  drawGlyphs(painter, baseline - QPointF(0, known.ascent), known, text);
}

TextProbe* probe = nullptr;

}  // namespace

TextProbe::TextProbe(const QPointF& at) : m_at(at) { probe = this; }
TextProbe::~TextProbe() { probe = nullptr; }

void TextProbe::see(const QPainter& painter, const QRectF& area, int flags, const QString& text) {
  const QPointF at = painter.combinedTransform().inverted().map(m_at);
  const double widest =
      flags & Qt::TextWordWrap ? area.width() : QFontMetricsF(painter.font()).horizontalAdvance(text);
  QTextLayout layout(text, painter.font());
  layout.beginLayout();
  double height = 0;
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(widest + 1);
    line.setPosition({0, height});
    height += line.height();
  }
  layout.endLayout();
  const double room = area.width() - layout.boundingRect().width(), below = area.height() - height;
  const QPointF corner(area.left() + (flags & Qt::AlignRight     ? room
                                      : flags & Qt::AlignHCenter ? room / 2
                                                                 : 0),
                       area.top() + (flags & Qt::AlignBottom    ? below
                                     : flags & Qt::AlignVCenter ? below / 2
                                                                : 0));
  for (int i = 0; i < layout.lineCount(); ++i) {
    const QTextLine line = layout.lineAt(i);
    if (!line.naturalTextRect().translated(corner).contains(at)) continue;
    m_text = text;
    m_letter = line.xToCursor(at.x() - corner.x(), QTextLine::CursorOnCharacter);
  }
}

double textWidth(const QFont& font, const QString& text) {
  return text.size() <= kLongest ? shaped(font, text).width : QFontMetricsF(font).horizontalAdvance(text);
}

QString elidedText(const QFont& font, const QString& text, double width) {
  return textWidth(font, text) <= width ? text : QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
}

QString wholeParts(const QFont& font, const QString& text, double width) {
  QString shown = text;
  while (textWidth(font, shown) > width) {
    const qsizetype last = shown.lastIndexOf(QStringLiteral(" · "));
    shown.truncate(std::max<qsizetype>(last, 0));
  }
  return shown;
}

void paintText(QPainter& painter, const QRectF& area, int flags, const QString& text) {
  if (text.isEmpty()) return;
  if (probe) probe->see(painter, area, flags, text);
  constexpr int kKnown = Qt::AlignHorizontal_Mask | Qt::AlignVertical_Mask | Qt::TextDontClip;
  if ((flags & ~kKnown) != 0 || !isPlain(painter, text)) {
    painter.drawText(area, flags, text);
    return;
  }
  Shaped& known = shaped(painter.font(), text);
  const QSizeF size = glyphsOf(known, painter.font(), text).size();
  const bool fits = size.width() <= area.width() + 1 && size.height() <= area.height() + 1;
  if (!fits && !(flags & Qt::TextDontClip)) {
    painter.drawText(area, flags, text);
    return;
  }
  QPointF corner = area.topLeft();
  if (flags & Qt::AlignRight)
    corner.rx() += area.width() - size.width();
  else if (flags & Qt::AlignHCenter)
    corner.rx() += (area.width() - size.width()) / 2;
  if (flags & Qt::AlignBottom)
    corner.ry() += area.height() - size.height();
  else if (flags & Qt::AlignVCenter)
    corner.ry() += (area.height() - size.height()) / 2;
  drawGlyphs(painter, corner, known, text);
}

void paintText(QPainter& painter, const QPointF& baseline, const QString& text) {
  if (text.isEmpty()) return;
  if (probe) {
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(text);
    probe->see(painter, {baseline - QPointF(0, metrics.ascent()), QSizeF(width, metrics.height())}, 0, text);
  }
  if (!isPlain(painter, text)) {
    painter.drawText(baseline, text);
    return;
  }
  drawGlyphsAt(painter, baseline, text);
}

void paintText(QPainter& painter, const QRectF& area, int flags, const QString& text, const QColor& ink) {
  painter.setPen(ink);
  paintText(painter, area, flags, text);
}

void paintText(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& ink) {
  painter.setPen(ink);
  paintText(painter, baseline, text);
}

// A stroke around the letters' outlines. Of pixels, the letters themselves around their place are as good and
// many times faster, since their pictures are kept.
void paintHaloedText(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& ink,
                     const QColor& halo) {
  if (isPlain(painter, text)) {
    painter.setPen(halo);
    for (const auto& [x, y] : kHalo) drawGlyphsAt(painter, baseline + QPointF(x, y), text);
  } else if (!text.isEmpty()) {
    QPainterPath path;
    path.addText(baseline, painter.font(), text);
    painter.strokePath(path, QPen(halo, 2 * kHaloWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  }
  paintText(painter, baseline, text, ink);
}

}  // namespace vitrine
