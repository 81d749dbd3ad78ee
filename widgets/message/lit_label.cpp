#include "widgets/message/lit_label.h"

#include <QAbstractTextDocumentLayout>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>
#include <array>

#include "widgets/message/conversation_colours.h"
#include "widgets/support/scroll_to.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kLongText = 4000;  // characters: about what a large window shows at once

constexpr int kCaretWidth = 2;  // px

struct KeyMove {
  QKeySequence::StandardKey moves, selects;
  QTextCursor::MoveOperation move;
};

constexpr std::array<KeyMove, 10> kMoves{
    {{QKeySequence::MoveToNextChar, QKeySequence::SelectNextChar, QTextCursor::Right},
     {QKeySequence::MoveToPreviousChar, QKeySequence::SelectPreviousChar, QTextCursor::Left},
     {QKeySequence::MoveToNextWord, QKeySequence::SelectNextWord, QTextCursor::WordRight},
     {QKeySequence::MoveToPreviousWord, QKeySequence::SelectPreviousWord, QTextCursor::WordLeft},
     {QKeySequence::MoveToNextLine, QKeySequence::SelectNextLine, QTextCursor::Down},
     {QKeySequence::MoveToPreviousLine, QKeySequence::SelectPreviousLine, QTextCursor::Up},
     {QKeySequence::MoveToStartOfLine, QKeySequence::SelectStartOfLine, QTextCursor::StartOfLine},
     {QKeySequence::MoveToEndOfLine, QKeySequence::SelectEndOfLine, QTextCursor::EndOfLine},
     {QKeySequence::MoveToStartOfDocument, QKeySequence::SelectStartOfDocument, QTextCursor::Start},
     {QKeySequence::MoveToEndOfDocument, QKeySequence::SelectEndOfDocument, QTextCursor::End}}};

}  // namespace

std::vector<QRectF> areasOf(const QTextDocument& document, const FoundRange& range) {
  std::vector<QRectF> areas;
  for (QTextBlock block = document.findBlock(range.begin);
       block.isValid() && block.position() < range.begin + range.length; block = block.next()) {
    const QPointF origin = document.documentLayout()->blockBoundingRect(block).topLeft();
    const int begin = std::max(range.begin - block.position(), 0);
    const int end = std::min(range.begin + range.length - block.position(), block.length() - 1);
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
      const QTextLine line = block.layout()->lineAt(i);
      const int from = std::max(begin, line.textStart()),
                to = std::min(end, line.textStart() + line.textLength());
      if (from >= to) continue;
      const double left = line.cursorToX(from), right = line.cursorToX(to);
      areas.push_back(QRectF(origin + QPointF(std::min(left, right), line.y()),
                             QSizeF(std::abs(right - left), line.height())));
    }
  }
  return areas;
}

LitLabel::LitLabel(QWidget* parent) : QLabel(parent) {}
LitLabel::~LitLabel() = default;

LitLabel* LitLabel::plain(QWidget* parent, bool selectable) {
  auto* label = new LitLabel(parent);
  label->setTextFormat(Qt::PlainText);  // any output of a model stays text
  label->setWordWrap(true);
  // The minimum height of a wrapping label is that of its narrowest shape, which would leave a gap below long
  // texts.
  label->setMinimumHeight(1);
  label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  if (!selectable) return label;
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setFocusPolicy(Qt::StrongFocus);
  label->setCursor(Qt::IBeamCursor);
  return label;
}

QFont fixedFont(const QFont& like) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(like.pointSizeF());
  return font;
}

QTextDocument& LitLabel::laidOut() const {
  const LaidOut now{text(), font(), contentsRect().width(), layoutDirection()};
  if (m_document && m_laidOut == now) return *m_document;
  if (!m_document) m_document = std::make_unique<QTextDocument>();
  m_laidOut = now;
  m_document->setUndoRedoEnabled(false);
  m_document->setDocumentMargin(0);
  m_document->setDefaultFont(now.font);
  QTextOption option = m_document->defaultTextOption();
  option.setWrapMode(QTextOption::WordWrap);
  option.setAlignment(QStyle::visualAlignment(now.direction, alignment()));
  option.setTextDirection(now.direction);
  m_document->setDefaultTextOption(option);
  m_document->setPlainText(now.text);
  m_document->setTextWidth(now.width);
  return *m_document;
}

void LitLabel::light(const SoughtText& sought, int present) {
  if (m_sought == sought && m_present == present) return;
  m_sought = sought;
  m_present = present;
  update();
}

QRect LitLabel::hitRect(int hit) const {
  const std::vector<FoundRange> hits = occurrences(text(), m_sought);
  if (hit < 0 || hit >= static_cast<int>(hits.size())) return {};
  QRectF area;
  for (const QRectF& part : areasOf(laidOut(), hits[static_cast<std::size_t>(hit)])) area |= part;
  return area.translated(contentsRect().topLeft()).toAlignedRect();
}

void LitLabel::paintEvent(QPaintEvent* event) {
  const std::vector<FoundRange> hits = occurrences(text(), m_sought);
  if (hits.empty() && text().size() <= kLongText && !showsCaret()) return QLabel::paintEvent(event);
  QPainter painter(this);
  painter.translate(contentsRect().topLeft());
  paintText(painter, QRectF(event->rect().translated(-contentsRect().topLeft())), hits);
  framePresent(painter, hits);
}

// QLabel knows of no hits and would paint every line: 18 ms for 100,000 characters.
void LitLabel::paintText(QPainter& painter, const QRectF& sight, const std::vector<FoundRange>& hits) const {
  const QTextDocument& document = laidOut();
  QAbstractTextDocumentLayout* const layout = document.documentLayout();
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette = palette();
  context.palette.setColor(QPalette::Text, palette().color(foregroundRole()));
  context.clip = sight;
  if (showsCaret()) context.cursorPosition = std::min(m_caret, document.characterCount() - 1);
  const auto dye = [&](int begin, int length, const QBrush& ground, const QBrush& ink) {
    QTextCursor cursor(document.firstBlock());
    cursor.setPosition(begin);
    cursor.setPosition(begin + length, QTextCursor::KeepAnchor);
    QTextCharFormat format;
    format.setBackground(ground);
    format.setForeground(ink);
    context.selections.append({cursor, format});
  };
  const ConversationColours colours = ConversationColours::of(Theme::of(this));
  const auto [first, last] = std::minmax({layout->hitTest(sight.topLeft(), Qt::FuzzyHit),
                                          layout->hitTest(sight.topRight(), Qt::FuzzyHit),
                                          layout->hitTest(sight.bottomLeft(), Qt::FuzzyHit),
                                          layout->hitTest(sight.bottomRight(), Qt::FuzzyHit)});
  for (const FoundRange& hit : hits)
    if (hit.begin + hit.length >= first && hit.begin <= last)
      dye(hit.begin, hit.length, colours.hit, colours.hitInk);
  if (hasSelectedText())
    dye(selectionStart(), static_cast<int>(selectedText().size()), palette().brush(QPalette::Highlight),
        palette().brush(QPalette::HighlightedText));
  layout->draw(&painter, context);
}

void LitLabel::framePresent(QPainter& painter, const std::vector<FoundRange>& hits) const {
  if (m_present < 0 || m_present >= static_cast<int>(hits.size())) return;
  painter.setPen(QPen(ConversationColours::of(Theme::of(this)).present, 2));
  for (const QRectF& area : areasOf(laidOut(), hits[static_cast<std::size_t>(m_present)]))
    painter.drawRect(area.adjusted(1, 1, -1, -1));
}

// A caret that keys move, and what they select.

QRect LitLabel::caretRect() const {
  const QTextDocument& document = laidOut();
  const QTextBlock block = document.findBlock(std::min(m_caret, document.characterCount() - 1));
  const QPointF origin = document.documentLayout()->blockBoundingRect(block).topLeft();
  const QTextLine line = block.layout()->lineForTextPosition(m_caret - block.position());
  if (!line.isValid()) return {};
  const QPointF place = origin + QPointF(line.cursorToX(m_caret - block.position()), line.y());
  return QRectF(place, QSizeF(kCaretWidth, line.height()))
      .toAlignedRect()
      .translated(contentsRect().topLeft());
}

void LitLabel::moveCaret(QTextCursor::MoveOperation move, bool selects) {
  QTextDocument& document = laidOut();
  const int last = document.characterCount() - 1;
  QTextCursor cursor(&document);
  cursor.setPosition(std::min(m_anchor, last));
  cursor.setPosition(std::min(m_caret, last), QTextCursor::KeepAnchor);
  const bool isVertical = move == QTextCursor::Up || move == QTextCursor::Down;
  if (isVertical) cursor.setVerticalMovementX(m_caretX);
  cursor.movePosition(move, selects ? QTextCursor::KeepAnchor : QTextCursor::MoveAnchor);
  m_caretX = isVertical ? cursor.verticalMovementX() : -1;
  m_caret = cursor.position();
  m_anchor = cursor.anchor();
  setSelection(cursor.selectionStart(), cursor.selectionEnd() - cursor.selectionStart());
  update();
  scrollTo(*this, caretRect());
}

void LitLabel::keyPressEvent(QKeyEvent* event) {
  if (!showsCaret()) return QLabel::keyPressEvent(event);
  if (event->matches(QKeySequence::SelectAll)) {
    m_anchor = 0;
    return moveCaret(QTextCursor::End, true);
  }
  for (const KeyMove& key : kMoves) {
    const bool selects = event->matches(key.selects);
    if (selects || event->matches(key.moves)) return moveCaret(key.move, selects);
  }
  QLabel::keyPressEvent(event);  // which copies
}

// A selection by keys goes on where the mouse has left off.
void LitLabel::mouseReleaseEvent(QMouseEvent* event) {
  QLabel::mouseReleaseEvent(event);
  if (!(textInteractionFlags() & Qt::TextSelectableByKeyboard)) return;
  const QPointF place = event->position() - contentsRect().topLeft();
  m_caret = m_anchor = std::max(0, laidOut().documentLayout()->hitTest(place, Qt::FuzzyHit));
  m_caretX = -1;
  if (hasSelectedText()) {
    const int begin = selectionStart(), end = begin + static_cast<int>(selectedText().size());
    m_anchor = m_caret <= begin ? end : begin;
  }
  update();
  if (hasSelectedText() || event->button() != Qt::LeftButton) return;
  const int letter = laidOut().documentLayout()->hitTest(place, Qt::ExactHit);
  if (letter >= 0 && letter < laidOut().characterCount() - 1) emit letterClicked(letter);
}

// What a scroll area shows when Tab comes here, and an input method asks for.
QVariant LitLabel::inputMethodQuery(Qt::InputMethodQuery query) const {
  if (query == Qt::ImCursorRectangle && (textInteractionFlags() & Qt::TextSelectableByKeyboard))
    return caretRect();
  return QLabel::inputMethodQuery(query);
}

}  // namespace vitrine

#include "moc_lit_label.cpp"
