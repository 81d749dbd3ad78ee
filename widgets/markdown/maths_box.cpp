#include "widgets/markdown/maths_box.h"

#include <QPainter>
#include <QPen>
#include <algorithm>

namespace vitrine {
namespace {

// A brace from (0, 0) to (0, length), its tip at x = -depth.
QPainterPath brace(double length, double depth) {
  const double half = length / 2, bend = std::min(half, 1.6 * depth);
  QPainterPath path(QPointF(depth, 0));
  path.cubicTo(0, 0, 0, bend * 0.3, 0, bend);
  path.lineTo(0, half - bend);
  path.cubicTo(0, half - bend * 0.3, 0, half, -depth, half);
  path.cubicTo(0, half, 0, half + bend * 0.3, 0, half + bend);
  path.lineTo(0, length - bend);
  path.cubicTo(0, length - bend * 0.3, 0, length, depth, length);
  return path;
}

}  // namespace

void MathsBox::add(const MathsBox& other, double x, double y) {
  for (const MathsMark& mark : other.marks) {
    marks.push_back(mark);
    marks.back().at += QPointF(x, y);
  }
  ascent = std::max(ascent, other.ascent - y);
  descent = std::max(descent, other.descent + y);
}

void MathsBox::paint(QPainter& painter, QPointF origin) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor ink = painter.pen().color();
  for (const MathsMark& mark : marks) {
    if (!mark.text.isEmpty()) {
      painter.setPen(ink);
      painter.setFont(mark.font);
      painter.drawText(origin + mark.at, mark.text);
      continue;
    }
    painter.setPen(mark.stroke > 0 ? QPen(ink, mark.stroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin)
                                   : Qt::NoPen);
    painter.setBrush(mark.stroke > 0 ? QBrush(Qt::NoBrush) : QBrush(ink));
    painter.drawPath(mark.path.translated(origin + mark.at));
  }
  painter.restore();
}

MathsBox fenceBox(std::string_view fence, double half, double axis, double em, double rule) {
  MathsBox box;
  box.ascent = axis + half;
  box.descent = half - axis;
  if (fence.empty()) {
    box.width = 0.12 * em;
    return box;
  }
  const double top = -box.ascent, bottom = box.descent, left = 0.1 * em;
  double wide = 0.28 * em;
  QPainterPath path;
  const bool opens =
      fence == "(" || fence == "[" || fence == "{" || fence == "⟨" || fence == "⌊" || fence == "⌈";
  if (fence == "(" || fence == ")") {
    wide = std::min(0.28 * em + half * 0.06, 0.6 * em);
    path.moveTo(left + wide, top);
    path.cubicTo(left - wide / 3, top + half * 0.55, left - wide / 3, bottom - half * 0.55, left + wide,
                 bottom);
  } else if (fence == "{" || fence == "}") {
    wide = 0.44 * em;
    path = brace(bottom - top, wide / 2).translated(left + wide / 2, top);
  } else if (fence == "⟨" || fence == "⟩") {
    path.moveTo(left + wide, top);
    path.lineTo(left, (top + bottom) / 2);
    path.lineTo(left + wide, bottom);
  } else if (fence == "/" || fence == "\\") {
    wide = half * 0.7;
    path.moveTo(left, fence == "/" ? bottom : top);
    path.lineTo(left + wide, fence == "/" ? top : bottom);
  } else if (fence == "|" || fence == "‖") {
    wide = fence == "|" ? 0.05 * em : 0.2 * em;
    path.moveTo(left, top);
    path.lineTo(left, bottom);
    if (fence == "‖") path.moveTo(left + wide, top), path.lineTo(left + wide, bottom);
  } else {  // brackets, floors and ceilings
    path.moveTo(left + wide, top);
    if (fence == "⌊" || fence == "⌋")
      path.moveTo(left, top);
    else
      path.lineTo(left, top);
    path.lineTo(left, bottom);
    if (fence != "⌈" && fence != "⌉") path.lineTo(left + wide, bottom);
  }
  box.width = wide + 0.2 * em;
  const bool isMirrored = !opens && (fence == ")" || fence == "]" || fence == "}" || fence == "⟩" ||
                                     fence == "⌋" || fence == "⌉");
  if (isMirrored) path = QTransform(-1, 0, 0, 1, box.width, 0).map(path);
  box.marks.push_back({{}, {}, {}, path, rule * 1.2});
  return box;
}

MathsBox lyingBrace(double width, bool tipUp, double em, double rule) {
  const double depth = 0.16 * em;
  MathsBox box;
  box.width = width;
  box.ascent = 2 * depth;
  const QPainterPath standing = brace(width, depth);
  // Its tip at x = -depth becomes the top: (x, y) -> (y, x - depth), or the other way up.
  const QTransform turn = tipUp ? QTransform(0, 1, 1, 0, 0, -depth) : QTransform(0, -1, 1, 0, 0, -depth);
  box.marks.push_back({{}, {}, {}, turn.map(standing), rule});
  return box;
}

}  // namespace vitrine
