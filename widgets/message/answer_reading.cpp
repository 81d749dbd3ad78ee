#include "widgets/message/answer_reading.h"

#include <QAbstractTextDocumentLayout>
#include <QAccessibleWidget>
#include <QFontInfo>
#include <QTextBlock>
#include <QTextDocument>

#include "widgets/markdown/written_text.h"
#include "widgets/message/answer_text.h"
#include "widgets/message/lit_label.h"
#include "widgets/support/scroll_to.h"

namespace vitrine {
namespace {

// As Qt gives the text of its own views.
QString withLineEnds(QString text) {
  for (QChar& c : text)
    if (c == QChar::ParagraphSeparator || c == QChar::LineSeparator || c == QChar(0xFDD0) ||
        c == QChar(0xFDD1))
      c = u'\n';
  return text;
}

// Offsets are those of the written text, the cursor's positions those of the document.
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

}  // namespace

void readAnswersWithFormulas() {
  [[maybe_unused]] static const bool done = (QAccessible::installFactory(makeReading), true);
}

}  // namespace vitrine
