// Tables in an answer: no word of a cell is broken, and a table wider than the text scrolls in its box with
// wheel, keys, caret, search and links; cells that did not change are not measured again.
#include <QAbstractTextDocumentLayout>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextTable>

#include "support/shown_answer.h"
#include "widgets/markdown/markdown_text.h"
#include "widgets/message/column_widths.h"
#include "widgets/message/table_boxes.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

QString row(const QString& cell, int columns) {
  QString text = "|";
  for (int i = 0; i < columns; ++i) text += " " + cell + QString::number(i) + " |";
  return text + "\n";
}

QString table(int columns, int rows) {
  QString text = row("Heading", columns) + "|" + QString("---|").repeated(columns) + "\n";
  for (int i = 0; i < rows; ++i) text += row(QString("some prose of a cell in row%1col").arg(i), columns);
  return text;
}

const QString kAround = "Before it.\n\n%1\nAfter it, " + QString("words ").repeated(40);

struct Answer : ShownAnswer {
  using ShownAnswer::ShownAnswer;
  TableBoxes& boxes() const { return *shown->findChild<TableBoxes*>(); }
  QTextTable* table(int index = 0) const {
    return qobject_cast<QTextTable*>(shown->document()->rootFrame()->childFrames().value(index));
  }
  // Words that a line's end breaks.
  int brokenWords() const {
    int broken = 0;
    for (QTextBlock block = shown->document()->begin(); block.isValid(); block = block.next())
      for (int i = 0; i + 1 < block.layout()->lineCount(); ++i) {
        const QTextLine line = block.layout()->lineAt(i);
        const QChar last = block.text().at(line.textStart() + line.textLength() - 1);
        broken += !last.isSpace() && last != QChar::LineSeparator && last != u'-';
      }
    return broken;
  }
};

}  // namespace

class TestAnswerTables : public QObject {
  Q_OBJECT

 private slots:
  void columnsHaveTheirWords() {
    const ColumnRules rules{300, 10, 50, 90};
    QVERIFY(columnWidths({{20, 80}, {30, 60}}, 2, rules).columns.empty());  // all in one line
    const ColumnWidths shared = columnWidths({{20, 400}, {120, 130}}, 2, rules);
    QVERIFY(!shared.scrolls && shared.columns[1] >= 130);
    QVERIFY(shared.columns[0] + shared.columns[1] <= 300);
    const ColumnWidths wide = columnWidths({{20, 400}, {120, 130}, {70, 500}, {5, 5}, {60, 200}}, 5, rules);
    QVERIFY(wide.scrolls);
    QCOMPARE(wide.columns, (std::vector<double>{100, 130, 100, 15, 100}));
    QCOMPARE(columnWidths({{2000, 2000}}, 1, rules).columns, std::vector<double>{300});
    QVERIFY(columnWidths({}, 3, rules).columns.empty());
  }

  void aWideTableIsNeitherSqueezedNorCut() {
    Answer answer(kAround.arg(table(8, 3)));
    QCOMPARE(answer.bars().size(), 1);
    QCOMPARE(answer.brokenWords(), 0);
    QVERIFY(answer.isSeen("Heading0") && !answer.isSeen("Heading7"));
    QCOMPARE(answer.shown->horizontalScrollBar()->maximum(), 0);
    const QTextBlock after = answer.shown->document()->find("After").block();
    QVERIFY(after.layout()->lineCount() > 1);
    QVERIFY(after.layout()->lineAt(0).width() <= answer.shown->viewport()->width());
    // Under the table, and not over the text.
    const QRect bar = answer.bars()[0]->geometry();
    QVERIFY(bar.top() >= answer.placeOf("row2col0").bottom() && bar.bottom() < answer.placeOf("After").top());
  }

  void aNarrowTableIsAsItWas() {
    Answer answer(kAround.arg(table(2, 2)), 900);
    QVERIFY(answer.bars().isEmpty());
    QVERIFY(answer.table()->format().columnWidthConstraints().isEmpty());
    // Where lines wrap, words are whole.
    Answer wrapped("| a | b |\n|---|---|\n| Donaudampfschifffahrtsgesellschaft | " +
                   QString("prose ").repeated(60) + "|\n");
    QVERIFY(wrapped.bars().isEmpty());
    QCOMPARE(wrapped.brokenWords(), 0);
  }

  void theWheelScrollsItSideways() {
    Answer answer(kAround.arg(table(8, 3)));
    QVERIFY(!answer.wheel("Heading0", {0, -120}));  // the conversation's
    const int before = answer.placeOf("Heading0").left(), words = answer.placeOf("After").left();
    const int height = answer.shown->height();
    QVERIFY(answer.wheel("row1col0", {0, -120}, Qt::ShiftModifier));
    QVERIFY(answer.placeOf("Heading0").left() < before);
    QVERIFY(answer.wheel("row1col0", {-120, 0}));
    for (int i = 0; i < 100; ++i) answer.wheel("row2col7", {-120, 0});
    QVERIFY(answer.isSeen("Heading7") && !answer.isSeen("Heading0"));
    QCOMPARE(answer.placeOf("After").left(), words);
    QCOMPARE(answer.shown->height(), height);
    for (int i = 0; i < 100; ++i) answer.wheel("row2col7", {120, 0});
    QCOMPARE(answer.placeOf("Heading0").left(), before);
  }

  // The mouse meets what is seen: words, a selection over cells and what is copied of it, links.
  void theMouseMeetsWhatIsSeen() {
    QString text = table(8, 3);
    text += "| a | b | c | d | e | f | g | [there](https://e.org/x) |\n";
    Answer answer(kAround.arg(text));
    QVERIFY(!answer.bars().isEmpty());
    answer.bars()[0]->setValue(answer.bars()[0]->maximum());
    QWidget* const view = answer.shown->viewport();
    QTest::mouseDClick(view, Qt::LeftButton, {}, answer.placeOf("row1col7").center() + QPoint(4, 0));
    QCOMPARE(answer.shown->textCursor().selectedText(), QString("row1col7"));
    answer.shown->copy();
    QCOMPARE(QApplication::clipboard()->text(), QString("row1col7"));
    QSignalSpy clicked(answer.shown, &AnswerText::wordClicked);
    QTest::qWait(QApplication::doubleClickInterval() + 10);
    QTest::mouseClick(view, Qt::LeftButton, {}, answer.placeOf("row2col7").center() + QPoint(4, 0));
    QCOMPARE(clicked.size(), 1);
    const auto byte = static_cast<std::size_t>(clicked[0][0].toLongLong());
    QVERIFY(answer.shown->text().source().substr(byte).starts_with("ow2col7") ||
            answer.shown->text().source().substr(byte).starts_with("row2col7"));
    QSignalSpy chosen(answer.shown, &AnswerText::linkChosen);
    QTest::qWait(QApplication::doubleClickInterval() + 10);
    QTest::mouseClick(view, Qt::LeftButton, {}, answer.placeOf("there").center() + QPoint(4, 0));
    QCOMPARE(chosen.size(), 1);
    // Across cells.
    QTest::qWait(QApplication::doubleClickInterval() + 10);
    const QPoint from = answer.placeOf("row0col6").center(), to = answer.placeOf("row0col7").center();
    QVERIFY(view->rect().contains(from) && view->rect().contains(to));
    QTest::mousePress(view, Qt::LeftButton, {}, from);
    QTest::mouseMove(view, to);
    QTest::mouseRelease(view, Qt::LeftButton, {}, to);
    answer.shown->copy();
    const QString copied = QApplication::clipboard()->text();
    QVERIFY2(copied.contains("row0col6\t") && copied.contains("row0col7"), qPrintable(copied));
  }

  void tabReachesItAndGoesOn() {
    Answer answer(kAround.arg("```\na\n```\n\n" + table(8, 2) + "\n```\nb\n```\n"));
    const QList<QToolButton*> buttons = answer.shown->viewport()->findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 2);
    QVERIFY(!answer.bars().isEmpty());
    QScrollBar* const bar = answer.bars()[0];
    QAccessibleInterface* const face = QAccessible::queryAccessibleInterface(bar);
    QCOMPARE(face->text(QAccessible::Name), QString("Table, 8 columns"));
    answer.shown->setFocus(Qt::TabFocusReason);
    QTest::keyClick(answer.shown, Qt::Key_Tab);
    QVERIFY(buttons[0]->hasFocus());
    QTest::keyClick(buttons[0], Qt::Key_Tab);
    QVERIFY(bar->hasFocus());
    const QRect edge(0, answer.placeOf("Heading0").top(), 2, 10);
    const QImage focused = answer.shown->viewport()->grab(edge).toImage();
    QTest::keyClick(bar, Qt::Key_Right);
    QVERIFY(bar->value() > 0);
    QTest::keyClick(bar, Qt::Key_End);
    QVERIFY(answer.isSeen("Heading7"));
    const int end = bar->value();
    QTest::keyClick(bar, Qt::Key_Up);
    QTest::keyClick(bar, Qt::Key_PageUp);
    QCOMPARE(bar->value(), end);
    QTest::keyClick(bar, Qt::Key_Home);
    QVERIFY(answer.isSeen("Heading0"));
    QTest::keyClick(bar, Qt::Key_Tab);
    QVERIFY(buttons[1]->hasFocus());
    QVERIFY(answer.shown->viewport()->grab(edge).toImage() != focused);  // the keys' place is seen
    QTest::keyClick(buttons[1], Qt::Key_Backtab);
    QVERIFY(bar->hasFocus());
  }

  void theCaretAHitAndALinkAreSeen() {
    Answer answer(kAround.arg(table(8, 2) + "| | | | | | | | [there](https://e.org/x) |\n"));
    answer.shown->setFocus();
    QTextCursor cursor = answer.shown->document()->find("Heading6");
    cursor.setPosition(cursor.selectionEnd());
    answer.shown->setTextCursor(cursor);
    QTest::keyClick(answer.shown, Qt::Key_Right);
    QTest::keyClick(answer.shown, Qt::Key_Right);
    QVERIFY(answer.isSeen("Heading7"));
    answer.shown->light(phrase("Heading0", false), 0);
    QVERIFY(answer.isSeen("Heading0"));
    QVERIFY(answer.shown->viewport()->rect().contains(answer.shown->hitRect(0).center()));
    answer.shown->setTextCursor(QTextCursor(answer.shown->document()));
    QTest::keyClick(answer.shown, Qt::Key_Tab);
    QVERIFY(answer.isSeen("there"));
  }

  // What is scrolled away is not painted over the margin of a list.
  void aScrolledTableIsClipped() {
    QString inItem = table(8, 2);
    inItem.replace("\n", "\n  ");
    Answer answer("- item\n\n  " + inItem);
    QCOMPARE(answer.bars().size(), 1);
    const QRect line = answer.placeOf("Heading0");
    const auto margin = [&] {
      return answer.shown->viewport()->grab(QRect(0, line.top(), line.left() - 12, line.height())).toImage();
    };
    const QImage before = margin();
    answer.bars()[0]->setValue(answer.bars()[0]->maximum() / 2);
    QVERIFY(answer.placeOf("Heading0").left() < 0);
    QCOMPARE(margin(), before);
  }

  // As it streams, in another width, beside code that is scrolled, and when it is gone.
  void aTableFollowsItsAnswer() {
    const QString code = "\n```\nfirst " + QString("argument ").repeated(60) + "last\n```\n";
    const QString text = table(8, 3) + code;
    Answer answer("");
    for (int length = 0; length <= text.size(); length += 7) {
      answer.shown->setSource(text.left(length));
      while (answer.shown->text().pending()) QTest::qWait(1);
      if (length > 600 && !answer.bars().isEmpty()) answer.bars()[0]->setValue(60);
    }
    answer.shown->setSource(text);
    QTRY_COMPARE(answer.bars().size(), 2);
    QCOMPARE(answer.bars()[0]->value(), 60);
    Answer once(text);
    once.bars()[0]->setValue(60);
    QCOMPARE(answer.table()->format(), once.table()->format());
    QCOMPARE(answer.shown->height(), once.shown->height());
    QCOMPARE(answer.placeOf("row2col3"), once.placeOf("row2col3"));
    // Code stays scrolled when the table is.
    answer.bars()[1]->setValue(answer.bars()[1]->maximum());
    QVERIFY(answer.isSeen("last"));
    answer.bars()[0]->setValue(answer.bars()[0]->maximum());
    QVERIFY(answer.isSeen("last") && answer.isSeen("Heading7"));
    answer.window.resize(5000, 300);
    QTRY_VERIFY(answer.bars().isEmpty());
    QVERIFY(answer.isSeen("Heading0") && answer.isSeen("Heading7"));
    QVERIFY(answer.table()->format().columnWidthConstraints().isEmpty());
    answer.window.resize(400, 300);
    QTRY_COMPARE(answer.bars().size(), 2);
    answer.shown->setSource("No table");
    QTRY_VERIFY(answer.bars().isEmpty());
  }

  void aNewLookKeepsAScrolledTable() {
    Answer answer(kAround.arg(table(8, 3)));
    QVERIFY(!answer.bars().isEmpty());
    answer.bars()[0]->setValue(80);
    const QRect place = answer.placeOf("row1col1");
    QPalette dark;
    dark.setColor(QPalette::Base, QColor(20, 20, 20));
    dark.setColor(QPalette::Text, QColor(230, 230, 230));
    answer.window.setPalette(dark);
    answer.shown->applyTheme();
    QTRY_VERIFY(!answer.shown->text().pending());
    QCOMPARE(answer.placeOf("row1col1"), place);
    QCOMPARE(answer.bars()[0]->value(), 80);
  }

  // Counted, not timed: of a table that grows, what is new; of one that has ended, nothing.
  void aCellIsMeasuredAsItComes() {
    const QString before = table(8, 20) + "\nText.\n\n", text = before + table(8, 25);
    Answer answer(before);
    QCOMPARE(answer.boxes().measuredCells(), std::size_t{8 * 21});
    std::size_t updates = 0;
    for (qsizetype length = before.size(); length <= text.size(); length += 40, ++updates) {
      answer.shown->setSource(text.left(length));
      while (answer.shown->text().pending()) QTest::qWait(1);
    }
    const std::size_t measured = answer.boxes().measuredCells() - 8 * 21;
    QVERIFY2(measured < 8 * 26 + 24 * updates, qPrintable(QString::number(measured)));
    const std::size_t soFar = answer.boxes().measuredCells();
    answer.window.resize(500, 300);
    QVERIFY(!answer.bars().isEmpty());
    answer.bars()[0]->setValue(50);
    QCOMPARE(answer.boxes().measuredCells(), soFar);
  }

  void formulasHaveTheirWidth() {
    Answer answer("| a | b | c | d | e | f |\n|---|---|---|---|---|---|\n|" +
                  QString(" $\\sum_{i=0}^{n} x_i = y_1 + y_2 + y_3$ |").repeated(6) + "\n");
    QCOMPARE(answer.bars().size(), 1);
    const QList<QTextLength> widths = answer.table()->format().columnWidthConstraints();
    QCOMPARE(widths.size(), 6);
    QVERIFY(widths[0].rawValue() > 100);
    QCOMPARE(answer.table()->cellAt(1, 0).firstCursorPosition().block().layout()->lineCount(), 1);
  }

  void manyTablesAreBounded() {
    Answer answer((table(8, 0) + "\ntext\n\n").repeated(300));
    QTRY_VERIFY(!answer.shown->text().pending());
    QVERIFY(answer.bars().size() > 100 && answer.bars().size() < 300);
  }
};

QTEST_MAIN(TestAnswerTables)
#include "tst_answer_tables.moc"
