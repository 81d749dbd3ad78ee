// A selection by keys in a message: its caret is seen, and the conversation scrolls to it, in short and long
// texts, with and without what is sought.
#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QStyleHints>
#include <QTest>

#include "widgets/chat/chat_view.h"
#include "widgets/chat/find_bar.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/message/answer_text.h"
#include "widgets/message/lit_label.h"
#include "widgets/session/session.h"
#include "widgets/support/theme.h"

using namespace vitrine;

namespace {

struct Chat {
  Session session;
  ChatModel model{&session};
  ChatView view{&model, &session};

  Chat(ChatRole role, const QString& text) {
    ChatEntry one;
    one.role = role;
    one.text = text;
    if (role == ChatRole::kAssistant) one.status = AnswerStatus::kDone;
    model.show({one});
    view.resize(600, 500);
    view.show();
    view.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&view);
  }
  QWidget* part() {
    if (model.at(0).role == ChatRole::kAssistant) return view.findChild<AnswerText*>();
    for (auto* label : view.findChildren<LitLabel*>())
      if (label->text() == model.at(0).text) return label;
    return nullptr;
  }
  QWidget* viewport() { return view.findChild<TranscriptView*>()->viewport(); }
  QRect caret() {
    const QRect own = part()->inputMethodQuery(Qt::ImCursorRectangle).toRect();
    return own.translated(part()->mapTo(viewport(), QPoint()));
  }
  bool isInSight() { return viewport()->rect().contains(caret()); }
  // The pixels of the caret that stand out from what is there without the focus.
  int seen() {
    const QRect area = caret().adjusted(-2, 0, 2, 0);
    const QImage with = viewport()->grab(area).toImage();
    part()->clearFocus();
    const QImage without = viewport()->grab(area).toImage();
    part()->setFocus(Qt::OtherFocusReason);
    int count = 0;
    for (int y = 0; y < with.height(); ++y)
      for (int x = 0; x < with.width(); ++x)
        count += contrastRatio(with.pixelColor(x, y), without.pixelColor(x, y)) >= 3 ? 1 : 0;
    return count;
  }
  QString selected() {
    if (auto* answer = qobject_cast<AnswerText*>(part()))
      return answer->textCursor().selectedText().replace(QChar::ParagraphSeparator, u'\n');
    return qobject_cast<LitLabel*>(part())->selectedText().replace(QChar::ParagraphSeparator, u'\n');
  }
};

QString lines(int count) {
  QStringList all;
  for (int i = 0; i < count; ++i) all << QStringLiteral("Line %1 of the fox and the winter").arg(i);
  return all.join(QStringLiteral("\n\n"));
}

}  // namespace

class TestKeySelection : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QApplication::setCursorFlashTime(0); }

  void theCaretIsSeenAndFollowed_data() {
    QTest::addColumn<bool>("isAnswer");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isSought");
    for (const bool isAnswer : {false, true})
      for (const int count : {1, 20, 200})
        for (const bool isSought : {false, true})
          QTest::addRow("%s, %d lines%s", isAnswer ? "answer" : "question", count, isSought ? ", sought" : "")
              << isAnswer << lines(count) << isSought;
  }
  void theCaretIsSeenAndFollowed() {
    QFETCH(bool, isAnswer);
    QFETCH(QString, text);
    QFETCH(bool, isSought);
    Chat chat(isAnswer ? ChatRole::kAssistant : ChatRole::kUser, text);
    QTRY_VERIFY(chat.part() != nullptr && chat.part()->isVisible());
    if (isSought) chat.view.findAt("fox", {"fox"}, 0);
    QCoreApplication::processEvents();
    chat.part()->setFocus(Qt::TabFocusReason);
    for (const QKeyCombination end : {Qt::CTRL | Qt::Key_Home, Qt::CTRL | Qt::Key_End}) {
      QTest::keyClick(chat.part(), end.key(), end.keyboardModifiers());
      QVERIFY2(chat.isInSight(), qPrintable(QString::number(chat.caret().top())));
      QVERIFY2(chat.seen() >= chat.caret().height() / 2, qPrintable(QString::number(chat.seen())));
    }
    for (int i = 0; i < 60; ++i) {
      QTest::keyClick(chat.part(), Qt::Key_Up);
      QVERIFY(chat.isInSight());
    }
    QTest::keyClick(chat.part(), Qt::Key_End, Qt::ControlModifier);
    QTest::keyClick(chat.part(), Qt::Key_Home, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(chat.isInSight());
    QCOMPARE(chat.selected().remove(u'\n'), QString(text).remove(u'\n'));
    QTest::keyClick(chat.part(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().startsWith("Line 0 of the fox"));
  }

  // By words and letters, and on from where the mouse has clicked.
  void aQuestionIsSelectedInPieces() {
    Chat chat(ChatRole::kUser, "one two three");
    QTRY_VERIFY(chat.part() != nullptr && chat.part()->isVisible());
    chat.part()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(chat.part(), Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(chat.part(), Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(chat.selected(), QString("two "));
    QTest::keyClick(chat.part(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(chat.selected(), QString("two"));
    QTest::keyClick(chat.part(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(chat.selected(), QString("one two three"));
    QTest::mouseClick(chat.part(), Qt::LeftButton, {}, {chat.part()->width() - 2, chat.part()->height() / 2});
    QCOMPARE(chat.selected(), QString());
    QTest::keyClick(chat.part(), Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(chat.selected(), QString("three"));
  }
};

QTEST_MAIN(TestKeySelection)
#include "tst_key_selection.moc"
