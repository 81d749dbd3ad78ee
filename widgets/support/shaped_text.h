// Short texts that frame after frame measures and paints: shaped once, and kept.
//
// Shaping (HarfBuzz) was more than half of the work of a frame: each cell, label and token of every view,
// each time. The functions equal those of Qt that they are named after; the last few thousand texts are kept,
// each with its font. Thread: the window's.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace vitrine {

double textWidth(const QFont& font, const QString& text);  // QFontMetricsF::horizontalAdvance()

// QFontMetricsF::elidedText(), for Qt::ElideRight.
QString elidedText(const QFont& font, const QString& text, double width);

// Of a text whose parts are joined by " · ", the first ones that have room, each of them whole; empty where
// even the first one has none.
QString wholeParts(const QFont& font, const QString& text, double width);

// QPainter::drawText() of one line, with alignments and text flags. A text that does not fit, or a painter
// that is no picture of pixels (SVG), has Qt's own way.
void paintText(QPainter& painter, const QRectF& area, int flags, const QString& text);
void paintText(QPainter& painter, const QPointF& baseline, const QString& text);
// The same in a colour, which the painter keeps.
void paintText(QPainter& painter, const QRectF& area, int flags, const QString& text, const QColor& ink);
void paintText(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& ink);

// A line with a halo, which parts it from whatever lies under it.
void paintHaloedText(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& ink,
                     const QColor& halo);

// While one lives, what paintText() paints at a point, in the coordinates that a painter begins with.
class TextProbe {
 public:
  explicit TextProbe(const QPointF& at);
  ~TextProbe();
  TextProbe(const TextProbe&) = delete;
  TextProbe& operator=(const TextProbe&) = delete;

  const QString& text() const { return m_text; }  // the last one painted there; empty: none
  qsizetype letter() const { return m_letter; }   // of the text, under the point; -1: none
  void see(const QPainter& painter, const QRectF& area, int flags, const QString& text);

 private:
  const QPointF m_at;
  QString m_text;
  qsizetype m_letter = -1;
};

}  // namespace vitrine
