// A formula in an answer is one character of a document, and a person meets it as what it says: a screen
// reader reads its source, a selection over it looks selected, a copy has the source.
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <memory>

#include "widgets/markdown/markdown_text.h"
#include "widgets/message/answer_text.h"
#include "widgets/support/theme.h"

using namespace vitrine;

namespace {

const QString kText = QStringLiteral("Let $\\alpha^2$ be, and $x$.\n\n$$\\frac{a}{b}$$\n\n- last");
const QString kRead = QStringLiteral("Let $\\alpha^2$ be, and $x$.\n$$\\frac{a}{b}$$\n•\tlast");

struct Answer {
  AnswerText shown;

  explicit Answer(const QString& text) {
    shown.resize(500, 300);
    shown.setSource(text);
    shown.show();
    [[maybe_unused]] const bool seen = QTest::qWaitForWindowExposed(&shown);
  }
  QAccessibleInterface& face() { return *QAccessible::queryAccessibleInterface(&shown); }
  QAccessibleTextInterface& read() { return *face().textInterface(); }
};

QPalette paletteOf(bool dark) {
  QPalette palette = QApplication::palette();
  palette.setColor(QPalette::Base, dark ? QColor(30, 30, 30) : QColor(Qt::white));
  palette.setColor(QPalette::Window, palette.color(QPalette::Base));
  palette.setColor(QPalette::Text, dark ? QColor(Qt::white) : QColor(Qt::black));
  palette.setColor(QPalette::WindowText, palette.color(QPalette::Text));
  palette.setColor(QPalette::Highlight, QColor(0, 0, 200));
  palette.setColor(QPalette::HighlightedText, QColor(255, 255, 0));
  return palette;
}

}  // namespace

class TestAnswerFormulas : public QObject {
  Q_OBJECT

 private slots:
  void aScreenReaderReadsTheSource() {
    Answer answer(kText);
    QVERIFY(answer.face().textInterface() != nullptr);
    QCOMPARE(answer.face().role(), QAccessible::StaticText);
    QVERIFY(answer.face().state().readOnly && answer.face().state().selectableText);
    QCOMPARE(answer.face().text(QAccessible::Name), QString("The model wrote"));
    QCOMPARE(answer.face().text(QAccessible::Value), kRead);
    QCOMPARE(answer.read().characterCount(), int(kRead.size()));
    QCOMPARE(answer.read().text(0, answer.read().characterCount()), kRead);
    QCOMPARE(answer.read().text(4, 14), QString("$\\alpha^2$"));
    int begin = 0, end = 0;
    QCOMPARE(answer.read().textAtOffset(7, QAccessible::WordBoundary, &begin, &end), QString("alpha"));
    QCOMPARE(kRead.mid(begin, end - begin), QString("alpha"));
    QCOMPARE(answer.read().textAtOffset(16, QAccessible::LineBoundary, &begin, &end),
             QString("Let $\\alpha^2$ be, and $x$."));
    QCOMPARE(begin, 0);
    QCOMPARE(answer.read().textAfterOffset(16, QAccessible::LineBoundary, &begin, &end),
             QString("$$\\frac{a}{b}$$"));
    QCOMPARE(kRead.mid(begin, end - begin), QString("$$\\frac{a}{b}$$"));
    QCOMPARE(answer.read().textBeforeOffset(begin + 3, QAccessible::LineBoundary, &begin, &end),
             QString("Let $\\alpha^2$ be, and $x$."));
  }

  void theCaretFitsWhatIsRead() {
    Answer answer(kText);
    const int be = static_cast<int>(kRead.indexOf("be,"));
    QTextCursor cursor = answer.shown.textCursor();
    cursor.setPosition(static_cast<int>(answer.shown.document()->toRawText().indexOf("be,")));
    answer.shown.setTextCursor(cursor);
    QCOMPARE(answer.read().cursorPosition(), be);
    answer.read().setCursorPosition(be + 2);
    QCOMPARE(answer.read().cursorPosition(), be + 2);
    answer.read().setCursorPosition(8);  // within the formula
    QCOMPARE(answer.read().cursorPosition(), 4);
    answer.read().setSelection(0, 2, 9);
    int begin = 0, end = 0;
    answer.read().selection(0, &begin, &end);
    QCOMPARE(std::pair(begin, end), std::pair(2, 14));
    QCOMPARE(answer.read().selectionCount(), 1);
    answer.read().removeSelection(0);
    QCOMPARE(answer.read().selectionCount(), 0);
    answer.read().setCursorPosition(9999);
    QCOMPARE(answer.read().cursorPosition(), answer.read().characterCount());
  }

  void aPlaceIsThatOfItsFormula() {
    Answer answer(kText);
    const QRect formula = answer.read().characterRect(4);
    QVERIFY(formula.isValid());
    QCOMPARE(answer.read().characterRect(13), formula);
    QVERIFY(answer.read().characterRect(15).left() >= formula.right());
    QCOMPARE(answer.read().offsetAtPoint(QPoint(formula.left() + 2, formula.center().y())), 4);
    int begin = 0, end = 0;
    QVERIFY(answer.read().attributes(6, &begin, &end).contains("font-size"));
    QCOMPARE(std::pair(begin, end), std::pair(4, 14));
  }

  // The document changes, and what is read with it.
  void whatStreamsIsRead() {
    Answer answer(QStringLiteral("so $x"));
    QCOMPARE(answer.read().text(0, 99), QString("so $x"));
    answer.shown.setSource(QStringLiteral("so $x$ $x$ and"));
    QTRY_COMPARE(answer.read().text(0, 99), QString("so $x$ $x$ and"));
    QCOMPARE(answer.shown.document()->toRawText(), QString("so \uFFFC \uFFFC and"));
  }

  // Its ground is that of the selection and its ink that of selected text, not veiled by the ground.
  void aSelectionOverAFormulaLooksSelected_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QString>("text");
    for (const bool dark : {false, true}) {
      QTest::addRow("in a line, %s", dark ? "dark" : "light") << dark << QString("so $\\mathbf{HHH}$ is");
      QTest::addRow("display, %s", dark ? "dark" : "light")
          << dark << QString("$$\\frac{\\mathbf{HHH}}{b}$$");
    }
  }
  void aSelectionOverAFormulaLooksSelected() {
    QFETCH(const bool, dark);
    QFETCH(const QString, text);
    QWidget window;
    window.setPalette(paletteOf(dark));
    AnswerText shown(&window);
    shown.resize(400, 200);
    QFont large = shown.font();
    large.setPixelSize(30);
    shown.setFont(large);
    shown.setPalette(paletteOf(dark));
    shown.applyTheme();
    shown.setSource(text);
    window.resize(400, 200);
    window.show();
    const int at = static_cast<int>(shown.document()->toRawText().indexOf(QChar::ObjectReplacementCharacter));
    QTextCursor cursor = shown.textCursor();
    cursor.setPosition(at);
    cursor.setPosition(at + 1, QTextCursor::KeepAnchor);
    shown.setTextCursor(cursor);
    const QImage image = shown.viewport()->grab().toImage();
    const QColor ground = shown.palette().color(QPalette::Highlight);
    const QColor ink = shown.palette().color(QPalette::HighlightedText);
    int grounds = 0, inks = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        grounds += image.pixelColor(x, y) == ground;
        inks += image.pixelColor(x, y) == ink;
      }
    QVERIFY2(grounds > 200, qPrintable(QString::number(grounds)));
    QVERIFY2(inks > 20, qPrintable(QString::number(inks)));
  }

  void whatIsCopiedHasTheSource() {
    Answer answer(kText);
    const QPoint formula = answer.shown.viewport()->mapFromGlobal(answer.read().characterRect(4).center());
    // Dragged over it, from the middle of a word to the middle of another one.
    const auto place = [&](int offset) {
      return answer.shown.viewport()->mapFromGlobal(answer.read().characterRect(offset).topLeft() +
                                                    QPoint(0, 3));
    };
    QTest::mousePress(answer.shown.viewport(), Qt::LeftButton, {}, place(1));
    QTest::mouseMove(answer.shown.viewport(), place(8));
    QTest::mouseMove(answer.shown.viewport(), place(16));
    QTest::mouseRelease(answer.shown.viewport(), Qt::LeftButton, {}, place(16));
    answer.shown.copy();
    QCOMPARE(QApplication::clipboard()->text(), QString("et $\\alpha^2$ b"));
    QCOMPARE(QApplication::clipboard()->mimeData()->data("text/markdown"), QByteArray("et $\\alpha^2$ b"));
    answer.shown.selectAll();
    answer.shown.copy();
    QCOMPARE(QApplication::clipboard()->mimeData()->data("text/markdown"), kText.toUtf8());
    answer.shown.moveCursor(QTextCursor::Start);
    QTest::mouseDClick(answer.shown.viewport(), Qt::LeftButton, {}, formula);
    answer.shown.copy();
    QVERIFY2(QApplication::clipboard()->text().contains("$\\alpha^2$"),
             qPrintable(QApplication::clipboard()->text()));
    const std::unique_ptr<QMenu> menu(answer.shown.createStandardContextMenu(formula));
    QVERIFY(menu && !menu->actions().isEmpty());
  }
};

QTEST_MAIN(TestAnswerFormulas)
#include "tst_answer_formulas.moc"
