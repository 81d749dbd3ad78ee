#include "widgets/message/table_boxes.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/markdown/markdown_formats.h"
#include "widgets/markdown/markdown_text.h"
#include "widgets/markdown/maths_object.h"
#include "widgets/message/side_bar.h"

namespace vitrine {
namespace {

// Of an average letter's width.
constexpr double kLeastLetters = 12, kPreferredLetters = 26;
// What Qt has beside a cell's text: its padding, the line of the grid, and a pixel for what is rounded.
double aroundOf(const QTextTableFormat& format) { return 2 * format.cellPadding() + format.border() + 1; }
// Lines around the grid.
double borderOf(const QTextTableFormat& format) { return 2 * (format.border() + 1); }

QTextBlock cellBlock(const QTextTable& table, int row, int column) {
  return table.cellAt(row, column).firstCursorPosition().block();
}

// As Qt lays a line out; formulas, of which it knows nothing here, are as wide as they are set.
CellWidth measured(const QTextBlock& block, const QFont& font, MathsObject& formulas) {
  CellWidth width;
  QList<QTextLayout::FormatRange> formats;
  for (auto it = block.begin(); !it.atEnd(); ++it) {
    const QTextFragment part = it.fragment();
    formats.push_back({part.position() - block.position(), part.length(), part.charFormat()});
    if (part.charFormat().objectType() != kMathsObject) continue;
    for (int i = 0; i < part.length(); ++i) {
      const double formula = formulas.naturalWidth(*block.document(), part.position() + i, part.charFormat());
      width.word = std::max(width.word, formula);
      width.whole += formula;
    }
  }
  QTextLayout layout(block.text(), font);
  layout.setFormats(formats);
  QTextOption option;
  option.setWrapMode(QTextOption::WordWrap);
  layout.setTextOption(option);
  layout.beginLayout();
  if (QTextLine line = layout.createLine(); line.isValid()) line.setLineWidth(1e6);
  layout.endLayout();
  width.word = std::max(width.word, layout.minimumWidth());
  width.whole += layout.maximumWidth();
  return width;
}

}  // namespace

TableBoxes::TableBoxes(QTextBrowser& view, const MarkdownText& text, MathsObject& formulas)
    : QObject(&view), m_view(view), m_text(text), m_formulas(formulas) {
  connect(view.document(), &QTextDocument::contentsChange, this,
          [this](int from) { m_dirtyFrom = std::min(m_dirtyFrom, from); });
}

TableBoxes::~TableBoxes() = default;

int TableBoxes::settle(bool isResized) {
  const QFont font = m_view.document()->defaultFont();
  if (std::exchange(m_font, font) != font) m_dirtyFrom = 0;
  const int from = std::exchange(m_dirtyFrom, kNothing);
  if (from == kNothing && !isResized) return kNothing;
  std::vector<QTextTable*> tables;
  for (QTextFrame* const frame : m_view.document()->rootFrame()->childFrames())
    if (auto* const table = qobject_cast<QTextTable*>(frame); table && tables.size() < kMost)
      tables.push_back(table);
  m_boxes.resize(tables.size());
  if (tables.empty()) return kNothing;
  std::vector<Box*> touched;
  int first = kNothing;
  const QSignalBlocker quiet(m_view.document());  // the layout is told without signals
  QTextCursor edit(m_view.document());
  edit.beginEditBlock();  // one layout for all tables
  for (std::size_t i = 0; i < tables.size(); ++i) {
    Box& box = m_boxes[i];
    if (box.table != tables[i]) {
      box.table = tables[i];
      box.cells.clear();
    } else if (tables[i]->lastPosition() < from && !isResized) {
      continue;
    }
    measure(box, from);
    if (arrange(box)) first = std::min(first, tables[i]->firstPosition());
    touched.push_back(&box);
  }
  edit.endEditBlock();
  for (Box* const box : touched) putBar(*box);
  return first;
}

// Cells before the position are as they were.
void TableBoxes::measure(Box& box, int from) {
  const QTextTable& table = *box.table;
  const int columns = table.columns();
  const auto all = static_cast<std::size_t>(table.rows() * columns);
  std::size_t known = std::min(box.cells.size(), all);
  if (from <= table.firstPosition()) {
    known = 0;
  } else if (from <= table.lastPosition()) {
    const QTextTableCell cell = table.cellAt(from - 1);
    if (cell.isValid())
      known = std::min(known, static_cast<std::size_t>(cell.row() * columns + cell.column()));
  }
  box.cells.resize(known);
  const QFont font = m_view.document()->defaultFont();
  for (std::size_t i = known; i < all; ++i) {
    const int cell = static_cast<int>(i);
    box.cells.push_back(measured(cellBlock(table, cell / columns, cell % columns), font, m_formulas));
  }
  m_measured += all - known;
}

double TableBoxes::indentOf(const QTextTable& table) const {
  return table.format().doubleProperty(kTableIndentProperty);
}

bool TableBoxes::arrange(Box& box) {
  QTextTable& table = *box.table;
  QTextTableFormat format = table.format();
  const double letter = QFontMetricsF(m_view.document()->defaultFont()).averageCharWidth();
  ColumnRules rules;
  rules.around = aroundOf(format);
  rules.room = m_view.viewport()->width() - indentOf(table) - borderOf(format);
  rules.least = letter * kLeastLetters;
  rules.preferred = letter * kPreferredLetters;
  const ColumnWidths widths = columnWidths(box.cells, static_cast<std::size_t>(table.columns()), rules);
  box.wide = 0;
  format.clearColumnWidthConstraints();
  format.clearProperty(QTextFormat::FrameBottomMargin);
  QList<QTextLength> constraints;
  for (const double width : widths.columns) {
    constraints.push_back(QTextLength(QTextLength::FixedLength, width));
    if (widths.scrolls) box.wide += width;
  }
  if (!constraints.isEmpty()) format.setColumnWidthConstraints(constraints);
  if (widths.scrolls) {
    box.wide += borderOf(format);
    format.setBottomMargin(m_text.look().codeFootPx);  // the bar's place
  }
  format.setLeftMargin(indentOf(table) - (box.side == nullptr ? 0 : box.side->offset()));
  if (format == table.format()) return false;
  table.setFormat(format);
  return true;
}

// To where its bar stands.
void TableBoxes::shift(Box& box) {
  QTextTableFormat format = box.table->format();
  const double left = indentOf(*box.table) - box.side->offset();
  if (format.leftMargin() == left) return;
  format.setLeftMargin(left);
  const QSignalBlocker quiet(m_view.document());
  box.table->setFormat(format);
}

void TableBoxes::putBar(Box& box) {
  const QTextTable& table = *box.table;
  const QAbstractTextDocumentLayout& layout = *m_view.document()->documentLayout();
  const QTextTableFormat format = table.format();
  const double edge = format.cellPadding() + format.border() + 1;
  const int left = static_cast<int>(indentOf(table));
  const auto top = layout.blockBoundingRect(cellBlock(table, 0, 0)).top() - edge;
  double bottom = top;
  for (int column = 0; column < table.columns(); ++column)
    bottom = std::max(bottom,
                      layout.blockBoundingRect(cellBlock(table, table.rows() - 1, column)).bottom() + edge);
  box.shown = QRect(QPoint(left, static_cast<int>(top)),
                    QPoint(m_view.viewport()->width() - 1, static_cast<int>(std::ceil(bottom))));
  if (box.side == nullptr) {
    if (box.wide == 0) return;
    box.side = std::make_unique<SideBar>(m_view, SideBar::Reach::kByKeys);
    SideBar* const side = box.side.get();
    connect(side, &SideBar::focusChanged, this, [this] { m_view.viewport()->update(); });
    connect(side, &SideBar::moved, this, [this, side] {
      const auto of = std::ranges::find(m_boxes, side, [](const Box& one) { return one.side.get(); });
      if (of == m_boxes.end() || of->table == nullptr) return;
      shift(*of);
      emit moved(of->table->firstPosition());
    });
  }
  box.side->setName(tr("Table, %n columns", nullptr, table.columns()));
  const QRect place(left, box.shown.bottom() + 1, std::max(box.shown.width(), 1),
                    static_cast<int>(m_text.look().codeFootPx));
  box.side->fit(place, box.wide, m_text.look().base);
  shift(box);  // a bar that went away has no offset
}

void TableBoxes::paintFocus(QPainter& painter) const {
  for (const Box& box : m_boxes) {
    if (box.side == nullptr || !box.side->hasFocus()) continue;
    painter.setPen(QPen(m_text.look().link, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.shown.adjusted(1, 1, -1, -1));
  }
}

void TableBoxes::addClipped(const QRect& seen, std::vector<QRect>& areas) const {
  for (const Box& box : m_boxes) {
    const bool inSight = box.shown.top() <= seen.bottom() && box.shown.bottom() >= seen.top();
    if (box.side != nullptr && box.side->isThere() && inSight) areas.push_back(box.shown);
  }
}

void TableBoxes::addStops(std::vector<std::pair<int, QWidget*>>& stops) const {
  for (const Box& box : m_boxes)
    if (box.side != nullptr && box.side->isThere() && box.table != nullptr)
      stops.emplace_back(box.table->firstPosition(), box.side->bar());
}

bool TableBoxes::scroll(const QWheelEvent& event) {
  const QPoint place = event.position().toPoint();
  const auto box = std::ranges::find_if(m_boxes, [&](const Box& one) {
    return one.side != nullptr && one.side->isThere() &&
           (one.shown.contains(place) || one.side->bar()->geometry().contains(place));
  });
  return box != m_boxes.end() && box->side->turn(event);
}

void TableBoxes::reveal(int position) {
  for (const Box& box : m_boxes) {
    if (box.table == nullptr || box.side == nullptr || position < box.table->firstPosition() ||
        position > box.table->lastPosition())
      continue;
    QTextCursor at(m_view.document());
    at.setPosition(position);
    box.side->reveal(m_view.cursorRect(at).left(), box.shown);
    return;
  }
}

bool TableBoxes::hasFocus() const {
  return std::ranges::any_of(m_boxes,
                             [](const Box& box) { return box.side != nullptr && box.side->hasFocus(); });
}

}  // namespace vitrine

#include "moc_table_boxes.cpp"
