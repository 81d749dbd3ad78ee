// LitLabel: a caret that keys move, and what they select.
#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>
#include <array>

#include "widgets/message/lit_label.h"
#include "widgets/support/scroll_to.h"

namespace vitrine {
namespace {

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
