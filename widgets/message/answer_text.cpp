#include "widgets/message/answer_text.h"

#include <QAbstractTextDocumentLayout>
#include <QAccessibleWidget>
#include <QFontInfo>
#include <QHelpEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/markdown/markdown_formats.h"
#include "widgets/markdown/markdown_text.h"
#include "widgets/markdown/maths_object.h"
#include "widgets/message/code_boxes.h"
#include "widgets/message/conversation_colours.h"
#include "widgets/message/lit_label.h"
#include "widgets/message/table_boxes.h"
#include "widgets/support/formats.h"
#include "widgets/support/scroll_to.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {
constexpr int kAnswerFrameMs = 16;
constexpr int kRestMs = 600;  // long enough that reading with the mouse opens nothing

// As Qt gives the text of its own views.
QString withLineEnds(QString text) {
  for (QChar& c : text)
    if (c == QChar::ParagraphSeparator || c == QChar::LineSeparator || c == QChar(0xFDD0) ||
        c == QChar(0xFDD1))
      c = u'\n';
  return text;
}

// What a screen reader meets of an answer: its text with the source of each formula, where Qt's own interface
// has the formula's one character. Offsets are those of the written text, the cursor's positions those of the
// document.
class AnswerReading final : public QAccessibleWidget, public QAccessibleTextInterface {
 public:
  explicit AnswerReading(AnswerText* answer) : QAccessibleWidget(answer, QAccessible::StaticText) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::TextInterface) return static_cast<QAccessibleTextInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }
  QString text(QAccessible::Text what) const override {
    return what == QAccessible::Value ? withLineEnds(written().text()) : QAccessibleWidget::text(what);
  }
  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.readOnly = state.selectableText = state.multiLine = true;
    return state;
  }

  QString text(int begin, int end) const override {
    return withLineEnds(written().text().mid(begin, end - begin));
  }
  int characterCount() const override { return static_cast<int>(written().text().size()); }

  // Lines are those that are seen; Qt finds the other parts in the text.
  QString textAtOffset(int offset, QAccessible::TextBoundaryType part, int* begin, int* end) const override {
    if (part != QAccessible::LineBoundary)
      return QAccessibleTextInterface::textAtOffset(offset, part, begin, end);
    return lineAt(offset, QTextCursor::NoMove, begin, end);
  }
  QString textBeforeOffset(int offset, QAccessible::TextBoundaryType part, int* begin,
                           int* end) const override {
    if (part != QAccessible::LineBoundary)
      return QAccessibleTextInterface::textBeforeOffset(offset, part, begin, end);
    return lineAt(offset, QTextCursor::Up, begin, end);
  }
  QString textAfterOffset(int offset, QAccessible::TextBoundaryType part, int* begin,
                          int* end) const override {
    if (part != QAccessible::LineBoundary)
      return QAccessibleTextInterface::textAfterOffset(offset, part, begin, end);
    return lineAt(offset, QTextCursor::Down, begin, end);
  }

  int cursorPosition() const override { return written().offsetAt(answer().textCursor().position()); }
  void setCursorPosition(int offset) override {
    QTextCursor cursor = answer().textCursor();
    cursor.setPosition(position(offset));
    answer().setTextCursor(cursor);
  }
  int selectionCount() const override { return answer().textCursor().hasSelection() ? 1 : 0; }
  void selection(int index, int* begin, int* end) const override {
    const QTextCursor cursor = answer().textCursor();
    const bool isThere = index == 0 && cursor.hasSelection();
    *begin = isThere ? written().offsetAt(cursor.selectionStart()) : 0;
    *end = isThere ? written().offsetAt(cursor.selectionEnd()) : 0;
  }
  void addSelection(int begin, int end) override { setSelection(0, begin, end); }
  void setSelection(int index, int begin, int end) override {
    if (index != 0) return;
    QTextCursor cursor = answer().textCursor();
    cursor.setPosition(position(begin));
    cursor.setPosition(endPosition(end), QTextCursor::KeepAnchor);
    answer().setTextCursor(cursor);
  }
  void removeSelection(int index) override {
    if (index != 0) return;
    QTextCursor cursor = answer().textCursor();
    cursor.clearSelection();
    answer().setTextCursor(cursor);
  }

  // A formula's characters are all where the formula is.
  QRect characterRect(int offset) const override {
    const QRect area = areaOf(offset, offset + 1);
    return area.isValid() ? QRect(answer().viewport()->mapToGlobal(area.topLeft()), area.size()) : QRect();
  }
  int offsetAtPoint(const QPoint& point) const override {
    const QPoint place = answer().viewport()->mapFromGlobal(point);
    const int position = answer().document()->documentLayout()->hitTest(place, Qt::ExactHit);
    return position < 0 ? -1 : written().offsetAt(position);
  }
  void scrollToSubstring(int begin, int end) override { scrollTo(answer(), areaOf(begin, end)); }

  QString attributes(int offset, int* begin, int* end) const override {
    const int at = position(offset);
    const QTextBlock block = answer().document()->findBlock(at);
    *begin = offset;
    *end = std::min(offset + 1, characterCount());
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextFragment part = it.fragment();
      if (!part.contains(at)) continue;
      *begin = written().offsetAt(part.position());
      *end = written().offsetAt(part.position() + part.length());
      const QTextCharFormat format = part.charFormat();
      const QFontInfo font(format.font());
      QString all = QStringLiteral("font-family:\"%1\";font-size:%2pt;font-weight:%3;font-style:%4;")
                        .arg(font.family())
                        .arg(font.pointSizeF())
                        .arg(font.weight())
                        .arg(font.italic() ? QStringLiteral("italic") : QStringLiteral("normal"));
      if (format.fontUnderline()) all += QStringLiteral("text-underline-style:solid;");
      return all;
    }
    return {};
  }

 private:
  AnswerText& answer() const { return *static_cast<AnswerText*>(widget()); }
  const WrittenText& written() const { return answer().written(); }
  // A screen reader may ask for what is no longer there.
  int bounded(int offset) const { return std::clamp(offset, 0, characterCount()); }
  int position(int offset) const { return written().positionAt(bounded(offset)); }
  int endPosition(int offset) const { return written().endPositionAt(bounded(offset)); }

  QRect areaOf(int begin, int end) const {
    const int from = position(begin), to = endPosition(end);
    QRectF area;
    for (const QRectF& part : areasOf(*answer().document(), {from, to - from})) area |= part;
    return area.toAlignedRect();
  }

  QString lineAt(int offset, QTextCursor::MoveOperation step, int* begin, int* end) const {
    QTextCursor cursor(answer().document());
    cursor.setPosition(position(offset));
    if (step != QTextCursor::NoMove && !cursor.movePosition(step)) {
      *begin = *end = -1;
      return {};
    }
    cursor.movePosition(QTextCursor::StartOfLine);
    *begin = written().offsetAt(cursor.position());
    cursor.movePosition(QTextCursor::EndOfLine);
    *end = written().offsetAt(cursor.position());
    return text(*begin, *end);
  }
};

QAccessibleInterface* makeReading(const QString&, QObject* object) {
  auto* const answer = qobject_cast<AnswerText*>(object);
  return answer ? new AnswerReading(answer) : nullptr;
}

// Cells that are selected as such: the cursor's range has not the last one's text.
QMimeData* cellsOf(const QTextCursor& selected, const MarkdownText& text) {
  int row = 0, rows = 0, column = 0, columns = 0;
  selected.selectedTableCells(&row, &rows, &column, &columns);
  QStringList plain, markdown;
  for (int i = row; i < row + rows; ++i) {
    QStringList plainCells, markdownCells;
    for (int j = column; j < column + columns; ++j) {
      const QTextTableCell cell = selected.currentTable()->cellAt(i, j);
      plainCells += text.plainText(cell.firstPosition(), cell.lastPosition());
      markdownCells += text.markdown(cell.firstPosition(), cell.lastPosition());
    }
    plain += plainCells.join(u'\t');
    markdown += QStringLiteral("| ") + markdownCells.join(QStringLiteral(" | ")) + QStringLiteral(" |");
    if (i == row) markdown += u'|' + QStringLiteral("---|").repeated(columns);
  }
  auto* copied = new QMimeData;
  copied->setText(plain.join(u'\n'));
  copied->setData(QStringLiteral("text/markdown"), markdown.join(u'\n').toUtf8());
  return copied;
}

}  // namespace

AnswerText::AnswerText(QWidget* parent)
    : QTextBrowser(parent),
      m_text(std::make_unique<MarkdownText>(document())),
      m_formulas(&MathsObject::install(*document())),
      m_code(new CodeBoxes(*this, *m_text)),
      m_tables(new TableBoxes(*this, *m_text, *m_formulas)) {
  // Before anything tells a screen reader of this one.
  [[maybe_unused]] static const bool isRead = (QAccessible::installFactory(makeReading), true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setLineWrapMode(QTextEdit::WidgetWidth);
  setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  setOpenLinks(false);
  setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  viewport()->setAutoFillBackground(false);
  document()->setDocumentMargin(0);
  setAccessibleName(tr("The model wrote"));
  connect(document(), &QTextDocument::contentsChanged, this, [this] { m_written.reset(); });
  connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
    if (!goToNote(url.toString())) emit linkChosen(url.toString());
  });
  connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
          &AnswerText::fit);
  // The view never scrolls sideways as a whole, however wide the document is.
  connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this,
          [this] { horizontalScrollBar()->setRange(0, 0); });
  connect(m_tables, &TableBoxes::moved, m_code, &CodeBoxes::settleFrom);
  m_frames.setInterval(kAnswerFrameMs);
  connect(&m_frames, &QTimer::timeout, this, &AnswerText::advance);
  m_rest.setInterval(kRestMs);
  m_rest.setSingleShot(true);
  connect(&m_rest, &QTimer::timeout, this, [this] {
    if (const auto byte = byteAt(m_restsAt)) emit wordHovered(*byte);
  });
  applyTheme();
}

// While the viewport is there, which their parts are in.
AnswerText::~AnswerText() {
  delete m_tables;
  delete m_code;
}

void AnswerText::setSource(const QString& markdown, bool grows) {
  const std::string utf8 = markdown.toStdString();
  const std::string& shown = m_text->source();
  if (utf8 == shown && m_text->ended() == !grows) return;
  if (utf8.starts_with(shown)) {
    m_text->append(std::string_view(utf8).substr(shown.size()));
  } else {
    setExtraSelections({});
    m_text->clear();
    m_text->append(utf8);
  }
  m_text->setEnded(!grows);
  advance();
}

// One frame's work, and the next frame when there is more.
void AnswerText::advance() {
  if (m_text->update())
    m_frames.start();
  else
    m_frames.stop();
  if (!m_sought.isEmpty()) lightHits();
  // First: buttons come after the text in the order of Tab, which only parts that take the focus have.
  setFocusPolicy(m_text->source().empty() ? Qt::NoFocus : Qt::StrongFocus);
  settle();
  fit();
}

// Tables first: how high they are decides where code stands.
void AnswerText::settle() {
  m_code->settleFrom(m_tables->settle(false));
  orderStops();
}

void AnswerText::settleAll() {
  m_tables->settle(true);
  m_code->settleFrom(0);
  orderStops();
}

void AnswerText::orderStops() {
  std::vector<std::pair<int, QWidget*>> stops;
  m_code->addStops(stops);
  m_tables->addStops(stops);
  std::ranges::sort(stops);
  std::vector<QWidget*> order;
  for (const auto& [position, part] : stops) order.push_back(part);
  const auto common = std::mismatch(order.begin(), order.end(), m_stops.begin(), m_stops.end()).first;
  for (auto part = common; part != order.end(); ++part)
    QWidget::setTabOrder(part == order.begin() ? this : *std::prev(part), *part);
  m_stops.assign(order.begin(), order.end());
}

void AnswerText::reveal(int position) {
  m_code->reveal(position);
  m_tables->reveal(position);
}

void AnswerText::applyTheme() {
  MarkdownLook look = MarkdownLook::of(Theme::of(parentWidget() ? parentWidget() : this));
  look.codeHeadPx = fontMetrics().height() + 8;
  m_text->setLook(look);
  advance();
  settleAll();
}

void AnswerText::light(const SoughtText& sought, int present) {
  if (m_sought == sought && m_present == present) return;
  m_sought = sought;
  m_present = present;
  lightHits();
  if (present < 0) return;
  const std::vector<FoundRange> hits = this->hits();
  if (present < static_cast<int>(hits.size())) reveal(hits[static_cast<std::size_t>(present)].begin);
}

void AnswerText::lightHits() {
  const auto colours = ConversationColours::of(Theme::of(parentWidget() ? parentWidget() : this));
  const std::vector<FoundRange> hits = this->hits();
  const FoundRange shown = m_present >= 0 && m_present < static_cast<int>(hits.size())
                               ? hits[static_cast<std::size_t>(m_present)]
                               : FoundRange();
  QList<ExtraSelection> lit;
  for (int i = 0; i < static_cast<int>(hits.size()); ++i) {
    const FoundRange range = hits[static_cast<std::size_t>(i)];
    const bool present = i == m_present;
    const bool overlaps =
        range.begin < shown.begin + shown.length && shown.begin < range.begin + range.length;
    if (overlaps && !present) continue;  // another hit in the same formula
    ExtraSelection hit;
    hit.cursor = QTextCursor(document());
    hit.cursor.setPosition(range.begin);
    hit.cursor.setPosition(range.begin + range.length, QTextCursor::KeepAnchor);
    hit.format.setBackground(present ? colours.present : colours.hit);
    hit.format.setForeground(present ? colours.presentInk : colours.hitInk);
    if (present) hit.format.setFontUnderline(true);
    lit.push_back(hit);
  }
  setExtraSelections(lit);
}

const WrittenText& AnswerText::written() const {
  if (!m_written) m_written.emplace(*document());
  return *m_written;
}

std::vector<FoundRange> AnswerText::hits() const {
  std::vector<FoundRange> hits = occurrences(written().text(), m_sought);
  for (FoundRange& hit : hits) {
    const int begin = written().positionAt(hit.begin);
    hit = {begin, written().endPositionAt(hit.begin + hit.length) - begin};
  }
  return hits;
}

QRect AnswerText::hitRect(int hit) const {
  const std::vector<FoundRange> hits = this->hits();
  if (hit < 0 || hit >= static_cast<int>(hits.size())) return {};
  QRectF area;
  for (const QRectF& part : areasOf(*document(), hits[static_cast<std::size_t>(hit)])) area |= part;
  return area.toAlignedRect();
}

void AnswerText::fit() {
  // An empty document is as high as a line.
  const bool isEmpty = m_text->source().empty();
  const int height =
      isEmpty ? 0 : std::max(static_cast<int>(std::ceil(document()->size().height())), m_code->bottom());
  if (height != minimumHeight() || height != maximumHeight()) setFixedHeight(height);
}

void AnswerText::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  settleAll();
  fit();
}

// What scrolls is the conversation, since the answer is as high as its text.
void AnswerText::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown) return event->ignore();
  const int before = textCursor().position();
  QTextBrowser::keyPressEvent(event);
  if (textCursor().position() == before) return;
  reveal(textCursor().position());
  scrollTo(*this, cursorRect());
}

bool AnswerText::focusNextPrevChild(bool next) {
  if (m_code->hasFocus() || m_tables->hasFocus())
    return QWidget::focusNextPrevChild(next);  // the links come before
  const bool moved = QTextBrowser::focusNextPrevChild(next);
  if (moved && hasFocus()) {  // to the next link
    reveal(textCursor().selectionStart());
    scrollTo(*this, cursorRect());
  }
  return moved;
}

// From a footnote's reference to the note, and from there to the first reference. False: the anchor is none
// of these.
bool AnswerText::goToNote(const QString& anchor) {
  const bool toNote = anchor.startsWith(QLatin1String(kNoteAnchor));
  if (!toNote && !anchor.startsWith(QLatin1String(kNoteMarkAnchor))) return false;
  const QString number = anchor.mid(static_cast<qsizetype>(std::size(kNoteAnchor)) - 1);
  const auto place = m_text->footnote(number, toNote ? NoteMark::kNote : NoteMark::kReference);
  if (!place) return true;
  QTextCursor cursor = textCursor();
  cursor.setPosition(place->position);
  cursor.setPosition(place->position + static_cast<int>(number.size()), QTextCursor::KeepAnchor);
  setTextCursor(cursor);
  reveal(place->position);
  scrollTo(*this, cursorRect());
  return true;
}

// A footnote is read where it is referred to.
bool AnswerText::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QTextBrowser::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString anchor = anchorAt(help->pos());
  if (!anchor.startsWith(QLatin1String(kNoteAnchor))) return QTextBrowser::viewportEvent(event);
  const QString number = anchor.mid(static_cast<qsizetype>(std::size(kNoteAnchor)) - 1);
  if (const auto note = m_text->footnote(number, NoteMark::kNote))
    QToolTip::showText(help->globalPos(), plainTip(note->text), viewport());
  return true;
}

void AnswerText::wheelEvent(QWheelEvent* event) {
  event->setAccepted(m_code->scroll(*event) || m_tables->scroll(*event));
}

void AnswerText::mouseMoveEvent(QMouseEvent* event) {
  QTextBrowser::mouseMoveEvent(event);
  if ((event->buttons() & Qt::LeftButton) && textCursor().hasSelection()) reveal(textCursor().position());
  m_restsAt = event->pos();
  if (event->buttons() == Qt::NoButton)
    m_rest.start();
  else
    m_rest.stop();
}

// Not a link, which opens, and not the end of a selection.
void AnswerText::mouseReleaseEvent(QMouseEvent* event) {
  const bool selecting = textCursor().hasSelection();
  QTextBrowser::mouseReleaseEvent(event);
  if (event->button() != Qt::LeftButton || selecting || !anchorAt(event->pos()).isEmpty()) return;
  m_rest.stop();
  if (const auto byte = byteAt(event->pos())) emit wordClicked(*byte);
}

// Nothing beside the text.
std::optional<qint64> AnswerText::byteAt(const QPoint& mouse) const {
  const int position = document()->documentLayout()->hitTest(mouse, Qt::ExactHit);
  if (position < 0 || position >= document()->characterCount() - 1) return {};
  return static_cast<qint64>(m_text->sourceAt(position));
}

QRect AnswerText::placeOf(std::size_t begin, std::size_t end) const {
  QTextCursor cursor(document());
  cursor.setPosition(m_text->positionAt(begin));
  const QRect first = cursorRect(cursor);
  cursor.setPosition(m_text->endPositionAt(begin, end));
  const QRect last = cursorRect(cursor);
  const bool oneLine = first.top() == last.top() && last.left() > first.left();
  const int right = oneLine ? last.left() : std::min(first.left() + first.height(), width());
  return QRect(first.topLeft(), QPoint(right, first.bottom())).translated(viewport()->pos());
}

void AnswerText::mark(std::size_t begin, std::size_t end) {
  if (begin == end) return setExtraSelections({});
  const auto colours = ConversationColours::of(Theme::of(parentWidget() ? parentWidget() : this));
  ExtraSelection marked{QTextCursor(document()), {}};
  marked.cursor.setPosition(m_text->positionAt(begin));
  marked.cursor.setPosition(m_text->endPositionAt(begin, end), QTextCursor::KeepAnchor);
  marked.format.setBackground(colours.mark);
  marked.format.setForeground(colours.markInk);
  setExtraSelections({marked});
}

void AnswerText::setTints(std::vector<Tint> tints) {
  m_text->setTints(std::move(tints));
  advance();
}

void AnswerText::setGiven(std::size_t bytes) {
  m_text->setGiven(bytes);
  advance();
}

void AnswerText::leaveEvent(QEvent* event) {
  QTextBrowser::leaveEvent(event);
  m_rest.stop();
}

QMimeData* AnswerText::createMimeDataFromSelection() const {
  const QTextCursor selected = textCursor();
  if (selected.hasComplexSelection()) return cellsOf(selected, *m_text);
  auto* copied = new QMimeData;
  copied->setText(m_text->plainText(selected.selectionStart(), selected.selectionEnd()));
  copied->setData(QStringLiteral("text/markdown"),
                  m_text->markdown(selected.selectionStart(), selected.selectionEnd()).toUtf8());
  return copied;
}

// What Qt does not paint: a bar beside quoted lines for each quote they stand in, and formulas over a
// selection's ground.
void AnswerText::paintEvent(QPaintEvent* event) {
  {
    QPainter painter(viewport());
    const QRectF seen = event->rect();
    m_code->paintGrounds(painter, event->rect());
    const MarkdownLook& look = m_text->look();
    for (QTextBlock block = cursorForPosition(event->rect().topLeft()).block(); block.isValid();
         block = block.next()) {
      const QRectF area = document()->documentLayout()->blockBoundingRect(block);
      if (area.top() > seen.bottom()) break;
      const int depth = block.blockFormat().intProperty(kQuoteDepthProperty);
      for (int i = 0; i < depth; ++i)
        painter.fillRect(QRectF(i * look.indentPx + look.indentPx / 3, area.top(), 3, area.height()),
                         look.line);
    }
  }
  // Boxes that are scrolled are painted clipped, from above.
  QRect rest = event->rect();
  const auto paint = [this](const QRect& area) {
    if (area.isEmpty()) return;
    QPaintEvent part(area);
    QTextBrowser::paintEvent(&part);
  };
  std::vector<QRect> boxes;
  m_code->addClipped(event->rect(), boxes);
  m_tables->addClipped(event->rect(), boxes);
  std::ranges::sort(boxes, {}, &QRect::top);
  for (const QRect& box : boxes) {
    paint(QRect(rest.topLeft(), QPoint(rest.right(), box.top() - 1)));
    paint(box & rest);
    rest.setTop(std::max(rest.top(), box.bottom() + 1));
  }
  paint(rest);
  QPainter painter(viewport());
  m_formulas->drawSelected(painter, *document());
  m_tables->paintFocus(painter);
}

}  // namespace vitrine

#include "moc_answer_text.cpp"
