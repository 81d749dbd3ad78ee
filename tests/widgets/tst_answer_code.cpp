// Code in an answer: its lines never wrap, a box scrolls them with wheel, keys, caret and search; its
// language stands at its head with a button that Tab reaches. And footnotes, which lead to their notes.
#include <QAbstractTextDocumentLayout>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTextBlock>
#include <QToolTip>

#include "support/shown_answer.h"
#include "widgets/markdown/markdown_text.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const QString kLong = "int first = 1; " + QString("call(argument); ").repeated(30) + "int last = 2;";

struct Answer : ShownAnswer {
  using ShownAnswer::ShownAnswer;
  QList<QToolButton*> buttons() const { return shown->viewport()->findChildren<QToolButton*>(); }
};

QString fence(const QString& code, const QString& language = "cpp") {
  return "Before.\n\n```" + language + "\n" + code + "\n```\n\nAfter it, " + QString("words ").repeated(40);
}

}  // namespace

class TestAnswerCode : public QObject {
  Q_OBJECT

 private slots:
  void codeIsNotWrappedAndTextIs() {
    Answer answer(fence(kLong));
    const QTextBlock code = answer.shown->document()->find("first").block();
    QCOMPARE(code.layout()->lineCount(), 1);
    QVERIFY(answer.shown->document()->find("After").block().layout()->lineCount() > 1);
    QVERIFY(answer.isSeen("first") && !answer.isSeen("last"));
    QCOMPARE(answer.bars().size(), 1);
    QCOMPARE(answer.shown->horizontalScrollBar()->maximum(), 0);
    QVERIFY(Answer(fence("short")).bars().isEmpty());
  }

  void theWheelScrollsItSideways() {
    Answer answer(fence(kLong));
    QVERIFY(!answer.wheel("first", {0, -120}));  // the conversation's
    QVERIFY(!answer.wheel("After", {0, -120}, Qt::ShiftModifier));
    QCOMPARE(answer.bars()[0]->value(), 0);
    const int before = answer.placeOf("first").left(), words = answer.placeOf("After").left();
    QVERIFY(answer.wheel("first", {0, -120}, Qt::ShiftModifier));
    QVERIFY(answer.placeOf("first").left() < before);
    QVERIFY(answer.wheel("argument", {-120, 0}));
    QCOMPARE(answer.placeOf("After").left(), words);
    for (int i = 0; i < 100; ++i) answer.wheel("argument", {-120, 0});
    QVERIFY(answer.isSeen("last"));
    // The mouse meets what is seen.
    const QRect last = answer.placeOf("last");
    QTest::mouseDClick(answer.shown->viewport(), Qt::LeftButton, {}, last.center() + QPoint(4, 0));
    QCOMPARE(answer.shown->textCursor().selectedText(), QString("last"));
    for (int i = 0; i < 100; ++i) answer.wheel("argument", {120, 0});
    QCOMPARE(answer.placeOf("first").left(), before);
  }

  void tabReachesCopyAndGoesOn() {
    Answer answer("[a link](https://e.org)\n\n" + fence(kLong) + "\n\n```\nb\n```\n");
    QCOMPARE(answer.buttons().size(), 2);
    answer.shown->setFocus(Qt::TabFocusReason);
    int tabs = 0;
    while (!answer.buttons()[0]->hasFocus() && ++tabs < 5)
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(answer.buttons()[0]->hasFocus());
    QAccessibleInterface* const face = QAccessible::queryAccessibleInterface(answer.buttons()[0]);
    QCOMPARE(face->text(QAccessible::Name), QString("Copy code: cpp"));
    QTest::keyClick(answer.buttons()[0], Qt::Key_Space);
    QCOMPARE(QApplication::clipboard()->text(), kLong);
    QTest::keyClick(answer.buttons()[0], Qt::Key_End);
    QVERIFY(answer.isSeen("last"));
    QTest::keyClick(answer.buttons()[0], Qt::Key_Home);
    QVERIFY(answer.isSeen("first"));
    QTest::keyClick(answer.buttons()[0], Qt::Key_Right);
    QVERIFY(answer.bars()[0]->value() > 0);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(answer.buttons()[1]->hasFocus());
    QTest::mouseClick(answer.buttons()[1], Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), QString("b"));
    QTest::keyClick(answer.buttons()[1], Qt::Key_Tab);
    QVERIFY(answer.after->hasFocus());
  }

  void theCaretAndAHitAreSeen() {
    Answer answer(fence(kLong));
    answer.shown->setFocus();
    QTextCursor cursor = answer.shown->document()->find("first");
    answer.shown->setTextCursor(cursor);
    QTest::keyClick(answer.shown, Qt::Key_End);
    QVERIFY(answer.isSeen("last"));
    QTest::keyClick(answer.shown, Qt::Key_Home);
    QVERIFY(answer.isSeen("first"));
    answer.shown->light(phrase("last", false), 0);
    QVERIFY(answer.isSeen("last"));
    QVERIFY(answer.shown->viewport()->rect().contains(answer.shown->hitRect(0).center()));
  }

  // What is scrolled away is not painted over the margin of a list.
  void aScrolledBoxIsClipped() {
    Answer answer("- item\n\n  ```\n  " + kLong + "\n  ```\n");
    const QRect line = answer.placeOf("int first");
    const auto margin = [&] {
      return answer.shown->viewport()->grab(QRect(0, line.top(), line.left() - 12, line.height())).toImage();
    };
    const QImage before = margin();
    QTest::keyClick(answer.buttons()[0], Qt::Key_End);
    QVERIFY(answer.isSeen("last"));
    QCOMPARE(margin(), before);
  }

  // As it streams, in another width, and with the lines that a layout puts back.
  void aBoxFollowsItsAnswer() {
    Answer answer("```py\nx");
    QCOMPARE(answer.buttons().size(), 1);
    QVERIFY(answer.bars().isEmpty());
    answer.shown->setSource("```py\nx" + kLong);
    QTRY_COMPARE(answer.bars().size(), 1);
    QTest::keyClick(answer.buttons()[0], Qt::Key_End);
    answer.shown->setSource("```py\nx" + kLong + "\ny = 1\n```\n\nSo.");
    QTRY_VERIFY(answer.isSeen("So."));
    QVERIFY(answer.isSeen("last"));
    answer.window.resize(5000, 300);
    QTRY_VERIFY(answer.bars().isEmpty());
    QVERIFY(answer.isSeen("xint") && answer.isSeen("last"));
    answer.shown->setSource("No code");
    QTRY_VERIFY(answer.buttons().isEmpty());
  }

  void manyBlocksHaveSomeButtons() {
    Answer answer(QString("```\nx\n```\n").repeated(2000));
    QTRY_VERIFY(!answer.shown->text().pending());
    QVERIFY(answer.buttons().size() > 100 && answer.buttons().size() < 1000);
  }

  void aFootnoteLeadsToItsNoteAndBack() {
    const QString text = "A claim[^why].\n\n[^why]: The *source*.\n\nMore[^Why].";
    Answer answer(text.left(30));
    answer.shown->setSource(text, true);
    QTRY_VERIFY(!answer.shown->text().pending());
    QVERIFY(answer.shown->toPlainText().startsWith("A claim[^why].\n[^why]: The source.\nMore"));
    answer.shown->setSource(text);
    QTRY_VERIFY(!answer.shown->text().pending());
    QCOMPARE(answer.shown->toPlainText(), QString("A claim1.\nMore1.\n\n1 The source."));
    QSignalSpy chosen(answer.shown, &AnswerText::linkChosen);
    QTextCursor mark = answer.shown->document()->find("claim");
    mark.setPosition(mark.selectionEnd());
    const QPoint place = answer.shown->cursorRect(mark).center() + QPoint(2, 0);
    QHelpEvent help(QEvent::ToolTip, place, answer.shown->viewport()->mapToGlobal(place));
    QApplication::sendEvent(answer.shown->viewport(), &help);
    QVERIFY2(QToolTip::text().contains("The source."), qPrintable(QToolTip::text()));
    QTest::mouseClick(answer.shown->viewport(), Qt::LeftButton, {}, place);
    const int note = answer.shown->document()->find("The source").selectionStart();
    QCOMPARE(answer.shown->textCursor().selectionStart(), note - 2);
    // The second reference leads there, too, and the note to the first one.
    QTextCursor second = answer.shown->document()->find("More");
    second.setPosition(second.selectionEnd());
    answer.shown->setTextCursor(QTextCursor(answer.shown->document()));
    QTest::mouseClick(answer.shown->viewport(), Qt::LeftButton, {},
                      answer.shown->cursorRect(second).center() + QPoint(2, 0));
    QCOMPARE(answer.shown->textCursor().selectionStart(), note - 2);
    QTextCursor back(answer.shown->document());
    back.setPosition(note - 2);
    QTest::mouseClick(answer.shown->viewport(), Qt::LeftButton, {},
                      answer.shown->cursorRect(back).center() + QPoint(2, 0));
    QCOMPARE(answer.shown->textCursor().selectionStart(), mark.position());
    QVERIFY(chosen.isEmpty());
    // By keys: Tab to the mark, Return to the note, Return back.
    answer.shown->setTextCursor(QTextCursor(answer.shown->document()));
    answer.shown->setFocus(Qt::TabFocusReason);
    QTest::keyClick(answer.shown, Qt::Key_Tab);
    QTest::keyClick(answer.shown, Qt::Key_Return);
    QCOMPARE(answer.shown->textCursor().selectionStart(), note - 2);
    QTest::keyClick(answer.shown, Qt::Key_Return);
    QCOMPARE(answer.shown->textCursor().selectionStart(), mark.position());
  }
};

QTEST_MAIN(TestAnswerCode)
#include "tst_answer_code.moc"
