#include "widgets/requests/newest_words_painter.h"

#include <QPainter>
#include <QTextLayout>
#include <algorithm>

namespace vitrine {
namespace {

void layOut(QTextLayout& layout, double width) {
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.setCacheEnabled(true);
  layout.beginLayout();
  double y = 0;
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(width);
    line.setPosition({0, y});
    y += line.height();
  }
  layout.endLayout();
}

int afterFirstWord(const QString& text, int from) {
  const auto space = text.indexOf(u' ', from + 1);
  return space < 0 ? std::min<int>(from + 1, static_cast<int>(text.size())) : static_cast<int>(space);
}

NewestWords from(const NewestWords& words, int begin) {
  NewestWords rest = words;
  rest.text = QStringLiteral("…") + words.text.mid(begin);
  rest.answer = std::max(0, words.answer - begin + 1);
  rest.fresh = std::max(0, words.fresh - begin + 1);
  return rest;
}

NewestWords upTo(const NewestWords& words, int end) {
  NewestWords rest = words;
  rest.text = words.text.left(end) + QStringLiteral("…");
  rest.answer = rest.fresh = static_cast<int>(rest.text.size());
  return rest;
}

int linesOf(const QString& text, double width, const QFont& font) {
  QTextLayout layout(text, font);
  layOut(layout, width);
  return layout.lineCount();
}

void paintBox(QPainter& painter, const QTextLayout& layout, int begin, int end, const Theme& theme) {
  for (int i = 0; i < layout.lineCount(); ++i) {
    const QTextLine line = layout.lineAt(i);
    const int first = std::max(begin, line.textStart()),
              last = std::min(end, line.textStart() + line.textLength());
    if (first >= last) continue;
    const double left = line.cursorToX(first), right = line.cursorToX(last);
    drawBox(
        painter,
        QRectF(QPointF(left, line.y()), QPointF(right, line.y() + line.height())).adjusted(-2, 0.5, 2, -0.5),
        4, QPen(theme.accent(), 1.2), mix(theme.base(), theme.accent(), 0.12));
  }
}

}  // namespace

NewestWords fittingWords(const NewestWords& words, int lines, double width, const QFont& font) {
  if (!words.cutFront && words.text.startsWith(u' ')) {  // a line does not begin with a blank
    NewestWords trimmed = words;
    trimmed.text.remove(0, 1);
    trimmed.answer = std::max(0, words.answer - 1);
    trimmed.fresh = std::max(0, words.fresh - 1);
    return fittingWords(trimmed, lines, width, font);
  }
  QTextLayout layout(words.text, font);
  layOut(layout, width);
  const int surplus = layout.lineCount() - lines;
  if (words.cutBack) {
    int end = surplus > 0 ? layout.lineAt(lines).textStart() : static_cast<int>(words.text.size());
    NewestWords shown = upTo(words, end);
    while (end > 0 && linesOf(shown.text, width, font) > lines) shown = upTo(words, --end);
    return shown;
  }
  if (surplus <= 0 && !words.cutFront) return words;
  if (words.answer == static_cast<int>(words.text.size()) && !words.cutFront) {  // a prompt: its beginning
    NewestWords prompt = words;
    prompt.cutBack = true;
    return fittingWords(prompt, lines, width, font);
  }
  int begin = surplus > 0 ? layout.lineAt(surplus).textStart() : 0;
  // A line may begin inside a word, as with "s>" of "like?</s>": the whole word is shown where it has room.
  const int word = begin > 0 ? static_cast<int>(words.text.lastIndexOf(u' ', begin - 1)) + 1 : 0;
  if (linesOf(from(words, word).text, width, font) <= lines) begin = word;
  NewestWords shown = from(words, begin);
  while (begin < words.text.size() && linesOf(shown.text, width, font) > lines)
    shown = from(words, begin = afterFirstWord(words.text, begin));
  return shown;
}

void paintNewestWords(QPainter& painter, const QRectF& area, const NewestWords& words, int lines,
                      const QColor& answer, const Theme& theme) {
  const NewestWords shown = fittingWords(words, lines, area.width(), painter.font());
  const int size = static_cast<int>(shown.text.size());
  QTextLayout layout(shown.text, painter.font());
  QTextLayout::FormatRange prompt, rest;
  prompt.start = 0;
  prompt.length = shown.answer;
  prompt.format.setForeground(theme.dimText());
  rest.start = shown.answer;
  rest.length = size - shown.answer;
  rest.format.setForeground(answer);
  layout.setFormats({prompt, rest});
  layOut(layout, area.width());
  painter.save();
  painter.setClipRect(area.adjusted(-3, -1, 3, 1), Qt::IntersectClip);
  painter.translate(area.topLeft());
  int fresh = shown.fresh;
  while (fresh + 1 < size && shown.text[fresh] == u' ') ++fresh;
  paintBox(painter, layout, fresh, size, theme);
  layout.draw(&painter, {0, 0});
  painter.restore();
}

}  // namespace vitrine
