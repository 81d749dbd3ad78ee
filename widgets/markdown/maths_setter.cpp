#include "widgets/markdown/maths_setter.h"

#include <algorithm>
#include <cmath>

#include "widgets/markdown/maths_font.h"

namespace vitrine {
namespace {

enum Style { kDisplayStyle, kTextStyle, kScriptStyle, kSmallStyle };

Style scriptOf(Style style) { return style < kScriptStyle ? kScriptStyle : kSmallStyle; }
Style partOf(Style style) { return style == kDisplayStyle ? kTextStyle : scriptOf(style); }

// Mu (18 an em) between two atoms, rule 20; negative: not in scripts.
int spaceBetween(MathsAtom left, MathsAtom right) {
  static constexpr int kSpaces[8][8] = {
      // ordinary, operator, binary, relation, open, close, punctuation, inner
      {0, 3, -4, -5, 0, 0, 0, -3},     {3, 3, 0, -5, 0, 0, 0, -3},    {-4, -4, 0, 0, -4, 0, 0, -4},
      {-5, -5, 0, 0, -5, 0, 0, -5},    {0, 0, 0, 0, 0, 0, 0, 0},      {0, 3, -4, -5, 0, 0, 0, -3},
      {-3, -3, 0, -3, -3, -3, -3, -3}, {-3, 3, -4, -5, -3, 0, -3, -3}};
  return kSpaces[static_cast<std::size_t>(left)][static_cast<std::size_t>(right)];
}

bool isSpaceOrStyle(const MathsNode& node) {
  return node.kind == MathsKind::kSpace || node.kind == MathsKind::kDisplay ||
         node.kind == MathsKind::kInText || isEmpty(node);
}

class Setter {
 public:
  explicit Setter(double pixels) : m_font(pixels), m_em(pixels) {}

  MathsBox set(const MathsNode& node, Style style) const {
    switch (node.kind) {
      case MathsKind::kRow:
        return row(node, style);
      case MathsKind::kSymbol:
        return symbol(node, style);
      case MathsKind::kSpace: {
        MathsBox space;
        space.width = node.em * em(style);
        return space;
      }
      case MathsKind::kScripts:
        return scripts(node, style);
      case MathsKind::kFraction:
        return fraction(node, style);
      case MathsKind::kRoot:
        return root(node, style);
      case MathsKind::kFence:
        return fence(node, style);
      case MathsKind::kBigFence:
        return fenceBox(node.text, node.em * em(style) / 2, axis(style), em(style), rule(style));
      case MathsKind::kAccent:
        return accent(node, style);
      case MathsKind::kLine:
        return line(node, style);
      case MathsKind::kBrace:
        return brace(node, style);
      case MathsKind::kStack:
        return stack(node, style);
      case MathsKind::kTable:
        return table(node, style);
      case MathsKind::kBox:
        return framed(node, style);
      case MathsKind::kDisplay:
      case MathsKind::kInText:
        break;
    }
    return {};
  }

  // As many parts in a line as fit; a part begins where a line can.
  MathsBox lines(const MathsNode& formula, double room) const {
    const double indent = 2 * m_em;
    MathsBox box;
    const auto add = [&](const MathsNode& line) {
      const MathsBox part = set(line, kDisplayStyle);
      const bool isFirst = box.marks.empty();
      const double x = isFirst ? 0 : indent;
      box.add(part, x, isFirst ? 0 : box.descent + 0.35 * m_em + part.ascent);
      box.width = std::max(box.width, x + part.width);
    };
    MathsNode line;
    for (std::size_t begin = 0; begin < formula.children.size();) {
      const std::size_t end = partEnd(formula, begin);
      MathsNode longer = line;
      for (std::size_t i = begin; i < end; ++i) longer.children.push_back(formula.children[i]);
      const double left = room - (box.marks.empty() ? 0 : indent);
      if (begin > 0 && set(longer, kDisplayStyle).width > left) {
        add(line);
        line.children.assign(1, MathsNode());  // a sign that begins a line stands between two things
        line.children.front().kind = MathsKind::kSymbol;
        for (std::size_t i = begin; i < end; ++i) line.children.push_back(formula.children[i]);
      } else {
        line = std::move(longer);
      }
      begin = end;
    }
    add(line);
    return box;
  }

 private:
  static std::size_t partEnd(const MathsNode& row, std::size_t begin) {
    const auto isSign = [&row](std::size_t i) {
      const MathsAtom atom = row.children[i].atom;
      return atom == MathsAtom::kRelation || atom == MathsAtom::kBinary;
    };
    std::size_t end = begin + 1;
    while (end < row.children.size() && (!isSign(end) || isSign(end - 1))) ++end;
    return end;
  }
  static double scale(Style style) { return style < kScriptStyle ? 1 : style == kScriptStyle ? 0.72 : 0.56; }
  double em(Style style) const { return m_em * scale(style); }
  double rule(Style style) const { return std::max(1.0, 0.05 * em(style)); }
  double xHeight(Style style) const { return m_font.heights(scale(style)).x; }
  double axis(Style style) const { return m_font.heights(scale(style)).axis; }

  MathsBox glyphs(const MathsNode& node, double size) const {
    const MathsGlyphs drawn = m_font.glyphs(node.text, node.letters, size);
    MathsBox box;
    box.width = drawn.width;
    box.ascent = -drawn.ink.top();
    box.descent = drawn.ink.bottom();
    box.italic = std::max(0.0, drawn.ink.right() - box.width);
    // Below the lean of a V, not as far as its foot.
    box.tuck = std::max(0.0, box.width - std::max(drawn.foot, 0.78 * drawn.ink.right()));
    box.marks.push_back({{drawn.x, 0}, drawn.text, drawn.font, {}, 0});
    return box;
  }

  static MathsBox moved(const MathsBox& box, double x, double y) {
    MathsBox moved;
    moved.width = x + box.width;
    moved.italic = box.italic;
    moved.tuck = box.tuck;
    moved.ascent = box.ascent - y;
    moved.descent = box.descent + y;
    moved.add(box, x, y);
    return moved;
  }

  // A font has the prime where it stands over a letter of its size, not as a script that is raised yet.
  MathsBox raisedPrime(const MathsNode& node, Style style) const {
    const double size = style == kScriptStyle ? 1 : scale(kScriptStyle);
    const MathsBox box = glyphs(node, size);
    return moved(box, 0, -0.1 * size * m_em - box.descent);
  }

  MathsBox symbol(const MathsNode& node, Style style) const {
    if (node.text == "′" && style >= kScriptStyle) return raisedPrime(node, style);
    const bool isBig = node.big && style == kDisplayStyle;
    const bool isIntegral = node.big && !node.limits;
    const double size = scale(style) * (node.big ? (isBig ? (isIntegral ? 1.9 : 1.55) : 1.15) : 1);
    const MathsBox box = glyphs(node, size);
    if (!node.big) return box;
    return moved(box, 0, (box.ascent - box.descent) / 2 - axis(style));  // rule 13: its middle on the axis
  }

  MathsBox row(const MathsNode& node, Style style) const {
    MathsBox box;
    const MathsNode* last = nullptr;
    MathsAtom lastAtom = MathsAtom::kOpen;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const MathsNode& child = node.children[i];
      if (child.kind == MathsKind::kDisplay || child.kind == MathsKind::kInText) {
        style = child.kind == MathsKind::kDisplay ? kDisplayStyle : kTextStyle;
        continue;
      }
      if (isSpaceOrStyle(child)) {
        box.width += child.em * em(style);
        continue;
      }
      const MathsAtom atom = atomOf(node, i, lastAtom);
      const int mu = last ? spaceBetween(lastAtom, atom) : 0;
      if (mu > 0 || style < kScriptStyle) box.width += std::abs(mu) * em(style) / 18;
      const MathsBox part = set(child, style);
      // A leaning letter before an upright one.
      if (last && box.italic > 0 && mu == 0 && child.letters != MathsLetters::kItalic)
        box.width += box.italic;
      box.add(part, box.width, 0);
      box.width += part.width;
      box.italic = part.italic;
      box.tuck = part.tuck;
      last = &child;
      lastAtom = atom;
    }
    return box;
  }

  // A sign that has nothing on one of its sides is no binary operator.
  static MathsAtom atomOf(const MathsNode& row, std::size_t index, MathsAtom before) {
    const MathsAtom atom = row.children[index].atom;
    if (atom != MathsAtom::kBinary) return atom;
    const bool begins = before == MathsAtom::kOpen || before == MathsAtom::kBinary ||
                        before == MathsAtom::kOperator || before == MathsAtom::kRelation ||
                        before == MathsAtom::kPunctuation;
    std::size_t next = index + 1;
    while (next < row.children.size() && isSpaceOrStyle(row.children[next])) ++next;
    const bool ends = next == row.children.size() || row.children[next].atom == MathsAtom::kRelation ||
                      row.children[next].atom == MathsAtom::kClose ||
                      row.children[next].atom == MathsAtom::kPunctuation;
    return begins || ends ? MathsAtom::kOrdinary : atom;
  }

  // Rule 18.
  MathsBox scripts(const MathsNode& node, Style style) const {
    const MathsNode &base = node.children[0], &below = node.children[1], &above = node.children[2];
    const bool stands = base.limits && (style == kDisplayStyle || base.kind == MathsKind::kBrace);
    if (stands) return limits(node, style);
    MathsBox box = set(base, style);
    const double leaning = box.italic, width = box.width;
    const bool isIntegral = base.big && !base.limits;
    const bool isLetter = base.kind == MathsKind::kSymbol && !base.big;
    const Style small = scriptOf(style);
    const double x = xHeight(style), size = em(style);
    double up = isLetter ? 0 : box.ascent - 0.39 * em(small),
           down = isLetter ? 0 : box.descent + 0.05 * em(small);
    const double gap = box.tuck > 0 ? 0 : 0.04 * size, tuck = isIntegral ? 0.15 * size : box.tuck - gap;
    const MathsBox sub = set(below, small), sup = set(above, small);
    up = std::max({up, 0.41 * size * (style == kDisplayStyle ? 1 : 0.9), sup.descent + x / 4});
    if (isEmpty(above)) {
      down = std::max({down, 0.15 * size, sub.ascent - 0.8 * x});
    } else if (!isEmpty(below)) {
      down = std::max(down, 0.25 * size);
      const double least = 0.16 * size, between = (up - sup.descent) - (sub.ascent - down);
      if (between < least) down += least - between;
    }
    if (!isEmpty(above)) box.add(sup, width + leaning + gap, -up);
    if (!isEmpty(below)) box.add(sub, width - tuck, down);
    box.width =
        width +
        std::max(isEmpty(above) ? 0 : sup.width + leaning + gap, isEmpty(below) ? 0 : sub.width - tuck) +
        0.03 * size;
    box.italic = box.tuck = 0;
    return box;
  }

  // Rule 13a.
  MathsBox limits(const MathsNode& node, Style style) const {
    const MathsBox base = set(node.children[0], style);
    const bool over = !isEmpty(node.children[2]), under = !isEmpty(node.children[1]);
    const MathsBox sup = set(node.children[2], scriptOf(style)), sub = set(node.children[1], scriptOf(style));
    MathsBox box;
    box.width = std::max({base.width, sup.width, sub.width});
    box.add(base, (box.width - base.width) / 2, 0);
    const double size = em(style);
    if (over)
      box.add(sup, (box.width - sup.width) / 2,
              -base.ascent - sup.descent - std::max(0.11 * size, 0.2 * size - sup.descent));
    if (under)
      box.add(sub, (box.width - sub.width) / 2,
              base.descent + sub.ascent + std::max(0.14 * size, 0.5 * size - sub.ascent));
    return box;
  }

  // Rule 15.
  MathsBox fraction(const MathsNode& node, Style outer) const {
    const Style style = node.style == 0 ? kDisplayStyle : node.style == 1 ? kTextStyle : outer;
    const MathsBox above = set(node.children[0], partOf(style)), below = set(node.children[1], partOf(style));
    const double size = em(style), middle = axis(style), thick = node.line ? rule(style) : 0;
    double up = (style == kDisplayStyle ? 0.68 : node.line ? 0.39 : 0.44) * size;
    double down = (style == kDisplayStyle ? 0.69 : 0.345) * size;
    const double clear = node.line ? (style == kDisplayStyle ? 3 : 1.5) * rule(style)
                                   : (style == kDisplayStyle ? 3.5 : 1.5) * rule(style);
    up = std::max(up, middle + thick / 2 + clear + above.descent);
    down = std::max(down, below.ascent + clear + thick / 2 - middle);
    const double inner = std::max(above.width, below.width), side = 0.12 * size;
    MathsBox box;
    box.width = inner + 2 * side;
    box.add(above, side + (inner - above.width) / 2, -up);
    box.add(below, side + (inner - below.width) / 2, down);
    if (node.line) addRule(box, side * 0.5, -middle - thick / 2, inner + side, thick);
    return box;
  }

  static void addRule(MathsBox& box, double x, double y, double width, double thick) {
    QPainterPath path;
    path.addRect(x, y, width, thick);
    box.marks.push_back({{}, {}, {}, path, 0});
    box.ascent = std::max(box.ascent, -y);
    box.descent = std::max(box.descent, y + thick);
  }

  // Rule 11.
  MathsBox root(const MathsNode& node, Style style) const {
    const MathsBox inner = set(node.children[0], style);
    const double size = em(style), thick = rule(style);
    const double clear = thick + (style == kDisplayStyle ? xHeight(style) : thick) / 4;
    const double top = std::max(inner.ascent, xHeight(style)) + clear,
                 bottom = std::max(inner.descent, 0.05 * size);
    const double sign = 0.58 * size, height = top + bottom;
    MathsBox box;
    double begin = 0;
    if (!isEmpty(node.children[1])) {
      const MathsBox index = set(node.children[1], kSmallStyle);
      begin = std::max(0.0, index.width - 0.3 * size);
      box.add(index, std::max(0.0, 0.3 * size - index.width), bottom - 0.6 * height - index.descent);
    }
    const double hook = std::min(0.45 * height, 0.5 * size);
    QPainterPath path(QPointF(begin + 0.06 * size, bottom - hook + 0.06 * size));
    path.lineTo(begin + 0.17 * size, bottom - hook);
    path.lineTo(begin + 0.34 * size, bottom);
    path.lineTo(begin + sign, -top);
    path.lineTo(begin + sign + inner.width + 0.08 * size, -top);
    box.marks.push_back({{}, {}, {}, path, thick});
    box.add(inner, begin + sign + 0.04 * size, 0);
    box.width = begin + sign + inner.width + 0.14 * size;
    box.ascent = std::max(box.ascent, top + thick);
    box.descent = std::max(box.descent, bottom);
    return box;
  }

  MathsBox fence(const MathsNode& node, Style style) const {
    const MathsBox inner = set(node.children[0], style);
    const double middle = axis(style), size = em(style);
    const double need = std::max(inner.ascent - middle, inner.descent + middle);
    const bool isSmall = need < 0.62 * size;
    const double half = isSmall ? 0.55 * size : std::max(0.93 * need, need - 0.25 * size);
    const MathsBox left = fenceBox(node.text, half, middle, size, rule(style));
    const MathsBox right = fenceBox(node.right, half, middle, size, rule(style));
    MathsBox box;
    box.add(left, 0, 0);
    box.add(inner, left.width, 0);
    box.add(right, left.width + inner.width, 0);
    box.width = left.width + inner.width + right.width;
    return box;
  }

  // Rule 12. Marks over a letter are drawn: few fonts have those that combine.
  MathsBox accent(const MathsNode& node, Style style) const {
    MathsBox box = set(node.children[0], style);
    const double size = em(style), thick = rule(style);
    const double y = -std::max(box.ascent, xHeight(style)) - 0.1 * size;
    const double middle = box.width / 2 + box.italic / 2,
                 half = std::max(0.17 * size, box.width / 2 - 0.1 * size);
    const double narrow = std::min(half, 0.22 * size), high = 0.16 * size;
    QPainterPath path;
    double stroke = thick;
    if (node.text == "^" || node.text == "ˇ") {
      const double wide = std::min(half, 0.9 * size), tip = node.text == "^" ? y - high : y,
                   foot = node.text == "^" ? y : y - high;
      path.moveTo(middle - wide, foot);
      path.lineTo(middle, tip);
      path.lineTo(middle + wide, foot);
    } else if (node.text == "¯") {
      path.moveTo(middle - half, y - 0.03 * size);
      path.lineTo(middle + half, y - 0.03 * size);
    } else if (node.text == "~") {
      path.moveTo(middle - half, y);
      path.cubicTo(middle - half * 0.4, y - 1.4 * high, middle + half * 0.4, y + 0.7 * high, middle + half,
                   y - high * 0.8);
    } else if (node.text == "→") {
      path.moveTo(middle - half, y - 0.06 * size);
      path.lineTo(middle + half, y - 0.06 * size);
      path.moveTo(middle + half - 0.1 * size, y - 0.14 * size);
      path.lineTo(middle + half, y - 0.06 * size);
      path.lineTo(middle + half - 0.1 * size, y + 0.02 * size);
    } else if (node.text == "˙" || node.text == "¨") {
      stroke = 0;
      const double radius = 0.06 * size, apart = node.text == "¨" ? 0.13 * size : 0;
      path.addEllipse(QPointF(middle - apart, y - radius), radius, radius);
      if (apart > 0) path.addEllipse(QPointF(middle + apart, y - radius), radius, radius);
    } else if (node.text == "˘") {
      path.moveTo(middle - narrow, y - high);
      path.quadTo(middle, y + high, middle + narrow, y - high);
    } else if (node.text == "˚") {
      path.addEllipse(QPointF(middle, y - high / 2), high / 2, high / 2);
    } else {  // acute, grave
      const double lean = node.text == "´" ? 0.09 * size : -0.09 * size;
      path.moveTo(middle - lean, y);
      path.lineTo(middle + lean, y - high);
    }
    box.marks.push_back({{}, {}, {}, path, stroke});
    box.ascent = std::max(box.ascent, -y + high + thick);
    return box;
  }

  MathsBox line(const MathsNode& node, Style style) const {
    MathsBox box = set(node.children[0], style);
    const double thick = rule(style), gap = 3 * thick;
    addRule(box, 0, node.text == "over" ? -box.ascent - gap - thick : box.descent + gap, box.width, thick);
    return box;
  }

  MathsBox brace(const MathsNode& node, Style style) const {
    MathsBox box = set(node.children[0], style);
    const double gap = 0.1 * em(style);
    const bool over = node.text == "over";
    const MathsBox lying = lyingBrace(box.width, over, em(style), rule(style));
    box.add(lying, 0, over ? -box.ascent - gap : box.descent + gap + lying.ascent);
    return box;
  }

  MathsBox stack(const MathsNode& node, Style style) const {
    const MathsBox base = set(node.children[0], style), small = set(node.children[1], scriptOf(style));
    const double gap = 0.12 * em(style);
    MathsBox box;
    box.width = std::max(base.width, small.width);
    box.add(base, (box.width - base.width) / 2, 0);
    box.add(small, (box.width - small.width) / 2,
            node.limits ? base.descent + gap + small.ascent : -base.ascent - gap - small.descent);
    return box;
  }

  MathsBox table(const MathsNode& node, Style outer) const {
    const Style style = node.paired              ? (outer < kScriptStyle ? kDisplayStyle : outer)
                        : outer == kDisplayStyle ? kTextStyle
                                                 : outer;
    const std::size_t columns = node.columns, rows = node.children.size() / std::max<std::size_t>(columns, 1);
    std::vector<MathsBox> cells;
    std::vector<double> widths(columns), ascents(rows, 0.75 * em(style)), descents(rows, 0.3 * em(style));
    for (std::size_t i = 0; i < rows * columns; ++i) {
      cells.push_back(cell(node, i, style));
      widths[i % columns] = std::max(widths[i % columns], cells[i].width + cells[i].italic);
      ascents[i / columns] = std::max(ascents[i / columns], cells[i].ascent);
      descents[i / columns] = std::max(descents[i / columns], cells[i].descent);
    }
    const double gap = (node.paired ? 0.35 : 0.15) * em(style);
    double height = -gap;
    for (std::size_t r = 0; r < rows; ++r) height += ascents[r] + descents[r] + gap;
    MathsBox box;
    double y = -height / 2 - axis(outer);
    for (std::size_t r = 0; r < rows; ++r) {
      y += ascents[r];
      double x = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        if (c > 0) x += columnGap(node, c, style);
        const MathsBox& part = cells[r * columns + c];
        const double room = widths[c] - part.width;
        const char align = alignOf(node, c);
        box.add(part, x + (align == 'l' ? 0 : align == 'r' ? room : room / 2), y);
        x += widths[c];
      }
      box.width = x;
      y += descents[r] + gap;
    }
    box.ascent = std::max(box.ascent, height / 2 + axis(outer));
    box.descent = std::max(box.descent, height / 2 - axis(outer));
    return box;
  }

  static char alignOf(const MathsNode& node, std::size_t column) {
    if (node.paired && node.aligns == "rl") return column % 2 == 0 ? (node.columns == 1 ? 'c' : 'r') : 'l';
    return node.aligns.empty() ? 'c' : node.aligns[std::min(column, node.aligns.size() - 1)];
  }
  double columnGap(const MathsNode& node, std::size_t column, Style style) const {
    if (node.paired) return column % 2 == 1 ? 0 : 2 * em(style);
    return em(style);
  }
  // In `a &= b` the relation stands after nothing, so its space is added here.
  MathsBox cell(const MathsNode& node, std::size_t index, Style style) const {
    const MathsNode& inner = node.children[index];
    const MathsBox box = set(inner, style);
    const bool meets = node.paired && index % node.columns % 2 == 1 && inner.kind == MathsKind::kRow &&
                       !inner.children.empty();
    if (!meets) return box;
    const int mu = spaceBetween(MathsAtom::kOrdinary, inner.children.front().atom);
    return moved(box, std::abs(mu) * em(style) / 18, 0);
  }

  MathsBox framed(const MathsNode& node, Style style) const {
    const MathsBox inner = set(node.children[0], style);
    const double gap = 0.3 * em(style);
    MathsBox box;
    box.width = inner.width + 2 * gap;
    box.add(inner, gap, 0);
    box.ascent += gap;
    box.descent += gap;
    QPainterPath path;
    path.addRect(0.5, -box.ascent + 0.5, box.width - 1, box.height() - 1);
    box.marks.push_back({{}, {}, {}, path, rule(style)});
    return box;
  }

  const MathsFont m_font;
  const double m_em;
};

}  // namespace

MathsBox setMathsInLines(const MathsNode& formula, double pixels, double room) {
  return Setter(pixels).lines(formula, room);
}

MathsBox setMaths(const MathsNode& formula, double pixels, bool display) {
  return Setter(pixels).set(formula, display ? kDisplayStyle : kTextStyle);
}

}  // namespace vitrine
