#include "widgets/markdown/maths_object.h"

#include <QAbstractTextDocumentLayout>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/markdown/maths_font.h"
#include "widgets/markdown/maths_parser.h"
#include "widgets/markdown/maths_setter.h"
#include "widgets/markdown/maths_spans.h"

namespace vitrine {
namespace {

constexpr int kPlaceProperty = QTextFormat::UserProperty + 4;
constexpr double kLeastScale = 0.85;  // of a formula that could be broken into lines instead

// Qt paints a selection's ground over an object, half transparent, when the format of the selection has this.
constexpr int kSelectionBrush = QTextFormat::ForegroundBrush + 1;

// Qt knows no descent of an object, so a formula says where its baseline is by how it stands in its line.
enum Place {
  kOnBaseline,  // the object is as high as the ascent; the descent is no deeper than a text's
  kOnAxis,      // its middle is that of the text: a fraction, a matrix
  kAlone,       // the object holds all of it
};

bool isTall(const MathsNode& node) {
  const bool high = node.kind == MathsKind::kFraction || node.kind == MathsKind::kTable ||
                    node.kind == MathsKind::kFence || node.kind == MathsKind::kBigFence ||
                    node.kind == MathsKind::kBrace || node.kind == MathsKind::kStack ||
                    node.kind == MathsKind::kBox || node.kind == MathsKind::kDisplay || node.big;
  return high || std::ranges::any_of(node.children, isTall);
}

bool isDisplay(const QString& formula) { return isDisplayMaths(formula.toStdString()); }

const QTextTable* tableAt(const QTextDocument& document, int position) {
  return qobject_cast<QTextTable*>(document.frameAt(position));
}

// The width that a formula may take. In a table it is the column's, if that is fixed. Otherwise each column
// has the same part: one formula, however wide, then leaves the others their place, and the table is no wider
// than the text.
double roomAt(const QTextDocument& document, int position) {
  const QTextTable* const table = tableAt(document, position);
  if (table == nullptr) return document.textWidth() - document.findBlock(position).blockFormat().leftMargin();
  const QTextTableFormat format = table->format();
  const QList<QTextLength> fixed = format.columnWidthConstraints();
  if (const int column = table->cellAt(position).column(); column >= 0 && column < fixed.size())
    return fixed[column].rawValue() - 2 * format.cellPadding() - format.border();
  const double columns = table->columns(), lines = (columns + 1) * format.border();
  return (document.textWidth() - 2 * document.documentMargin() - format.leftMargin() - lines) / columns -
         2 * format.cellPadding();
}

// With the document's own font and size, which the format of a selection lacks. Without a cursor: that would
// lay out the line that is being laid out.
QFont fontAt(const QTextDocument& document, int position) {
  const QTextBlock block = document.findBlock(position);
  for (auto it = block.begin(); !it.atEnd(); ++it)
    if (it.fragment().contains(position)) return it.fragment().charFormat().font();
  return document.defaultFont();
}

// Letters of the formula are as high as those of the text.
double mathsPixels(const QFont& text) {
  const double pixels = QFontInfo(text).pixelSize();
  const double ours = MathsFont(pixels).heights(1).x;
  return ours > 0 ? pixels * std::clamp(QFontMetricsF(text).xHeight() / ours, 0.9, 1.25) : pixels;
}

// As Qt's layout does it for what stands in the middle.
double halfX(const QFont& text) { return QFontMetrics(text).xHeight() / 2.0; }

}  // namespace

QTextCharFormat mathsFormat(QTextCharFormat around, const std::string& formula, bool alone) {
  const auto tree = parseMaths(formula);
  const bool tall = tree && (isTall(*tree) || isDisplay(QString::fromStdString(formula)));
  around.setObjectType(kMathsObject);
  around.setProperty(kMathsSourceProperty, QString::fromStdString(formula));
  around.setProperty(kPlaceProperty, static_cast<int>(alone ? kAlone : tall ? kOnAxis : kOnBaseline));
  around.setToolTip(QString::fromStdString(formula));
  if (!alone && tall) around.setVerticalAlignment(QTextCharFormat::AlignMiddle);
  return around;
}

MathsObject& MathsObject::install(QTextDocument& document) {
  auto* const object = new MathsObject(&document);
  document.documentLayout()->registerHandler(kMathsObject, object);
  return *object;
}

// `room`: of a formula that is to be broken into lines; 0: it is not.
const MathsBox& MathsObject::boxOf(const QString& formula, double pixels, double room) {
  const QString key = QStringLiteral("%1 %2 ").arg(pixels).arg(room) + formula;
  if (const MathsBox* const known = m_boxes.object(key)) return *known;
  const auto tree = parseMaths(formula.toStdString());
  auto* const box = new MathsBox(!tree      ? MathsBox()
                                 : room > 0 ? setMathsInLines(*tree, pixels, room)
                                            : setMaths(*tree, pixels, isDisplay(formula)));
  m_boxes.insert(key, box);
  return *box;
}

const MathsBox& MathsObject::boxAt(QTextDocument& document, int position, const QTextFormat& format) {
  const QString formula = format.stringProperty(kMathsSourceProperty);
  const double pixels = mathsPixels(fontAt(document, position));
  const MathsBox& box = boxOf(formula, pixels);
  const double width = box.width + box.italic;
  const double room = roomAt(document, position);
  if (document.textWidth() <= 0 || room <= 0 || width <= room) return box;
  // One that has its cell for itself may be broken, too: made to fit, its letters could not be read.
  const bool mayBreak = format.intProperty(kPlaceProperty) == kAlone &&
                        (isDisplay(formula) || tableAt(document, position) != nullptr);
  const bool breaks = mayBreak && room / width < kLeastScale;
  const double lineRoom = breaks ? room : 0;
  const MathsBox* fitting = breaks ? &boxOf(formula, pixels, lineRoom) : &box;
  // Sizes of fonts are whole pixels, so a smaller one may still be too wide.
  for (double size = std::floor(pixels * std::min(1.0, room / fitting->width));
       size >= 1 && fitting->width + fitting->italic > room; --size)
    fitting = &boxOf(formula, size, lineRoom);
  return *fitting;
}

double MathsObject::naturalWidth(const QTextDocument& document, int position, const QTextFormat& format) {
  const MathsBox& box =
      boxOf(format.stringProperty(kMathsSourceProperty), mathsPixels(fontAt(document, position)));
  return box.width + box.italic;
}

QSizeF MathsObject::intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) {
  const MathsBox& box = boxAt(*document, position, format);
  const double width = box.width + box.italic;
  switch (format.intProperty(kPlaceProperty)) {
    case kOnBaseline:
      return {width, box.ascent};
    case kOnAxis: {
      const double x = halfX(fontAt(*document, position));
      return {width, std::max(2 * box.ascent - x, 2 * box.descent + x)};
    }
    default:
      return {width, box.height() + 4};
  }
}

void MathsObject::drawObject(QPainter* painter, const QRectF& area, QTextDocument* document, int position,
                             const QTextFormat& format) {
  if (format.hasProperty(kSelectionBrush)) {
    m_selected.push_back({area, painter->clipPath(), position, format});
    return;
  }
  draw(*painter, area, *document, position, format);
}

void MathsObject::drawSelected(QPainter& painter, QTextDocument& document) {
  for (const Selected& one : std::exchange(m_selected, {})) {
    painter.save();
    if (!one.clip.isEmpty()) painter.setClipPath(one.clip);
    draw(painter, one.area, document, one.position, one.format);
    painter.restore();
  }
}

void MathsObject::draw(QPainter& painter, const QRectF& area, QTextDocument& document, int position,
                       const QTextFormat& format) {
  const MathsBox& box = boxAt(document, position, format);
  double baseline = area.bottom();
  if (format.intProperty(kPlaceProperty) == kOnAxis)
    baseline = area.top() + (area.height() + halfX(fontAt(document, position))) / 2;
  if (format.intProperty(kPlaceProperty) == kAlone) baseline = area.top() + 2 + box.ascent;
  painter.save();
  painter.setPen(format.foreground().color());
  box.paint(painter, {area.left(), baseline});
  painter.restore();
}

}  // namespace vitrine

#include "moc_maths_object.cpp"
