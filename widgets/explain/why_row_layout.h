// WhyRowLayout: a sentence of "Why this step?" in lines, with its links, and below it what opens on request:
// the rule, and the lines of the source. Made for one paint or one question. Thread: the window's.
#pragma once

#include <QTextLayout>
#include <memory>
#include <vector>

#include "widgets/explain/why_model.h"
#include "widgets/support/theme.h"

class QPainter;

namespace vitrine {

class WhyRowLayout {
 public:
  // How much of a row is open.
  enum Depth { kSentence, kRule, kSource };

  // `width` in pixels.
  WhyRowLayout(const WhyRow& row, int depth, const QFont& font, double width);

  static double lineHeight(const QFont& font);  // of a sentence
  static int deepest(const WhyRow& row) { return row.rules.empty() ? kSentence : kSource; }

  double height() const { return m_height; }
  int linkAt(const QPointF& point) const;    // an index of the row's links; -1: none
  int letterAt(const QPointF& point) const;  // of the sentence; -1: none
  // `current`: the link that the mouse or the keyboard is at; -1: none.
  void paint(QPainter& painter, const QPointF& corner, const Theme& theme, int current) const;

 private:
  enum class Kind { kSentence, kRule, kPlace, kCode };
  struct Part {
    Kind kind;
    std::unique_ptr<QTextLayout> text;
    QRectF area;
  };

  void add(Kind kind, const QString& text, const QFont& font, double gap);

  const WhyRow& m_row;
  const double m_width;
  double m_height = 0;
  std::vector<Part> m_parts;
};

}  // namespace vitrine
