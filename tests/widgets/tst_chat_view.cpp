// The chat: real keys, and text that stays text.
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "support/word_machine.h"
#include "widgets/chat/chat_view.h"
#include "widgets/chat/context_meter.h"
#include "widgets/message/answer_progress.h"
#include "widgets/message/answer_text.h"

using namespace vitrine;
using test::WordMachine;

namespace {

struct Chat {
  Session session;
  ChatModel model{&session};
  ChatView view{&model, &session};
  WordMachine machine{64, 8};
  int asked = 0;

  Chat() {
    QObject::connect(&view, &ChatView::sendRequested, &model, [this](const QString& text) {
      const QString name = QStringLiteral("chat-%1").arg(++asked);
      model.addUser(text);
      model.addAnswer(name);
      machine.submit(name.toStdString(), 6, 30);
    });
    view.resize(600, 500);
    view.show();
    pump();
  }
  void pump() { session.append(machine.take()); }
  QPushButton* button(const QString& text) {
    for (QPushButton* candidate : view.findChildren<QPushButton*>()) {
      if (candidate->text() == text) return candidate;
    }
    return nullptr;
  }
  bool shows(const QString& text) {
    const auto labels = view.findChildren<QLabel*>();
    const auto answers = view.findChildren<AnswerText*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* label) { return label->isVisible() && label->text() == text; }) ||
           std::any_of(answers.begin(), answers.end(), [&](const AnswerText* answer) {
             return answer->isVisible() && answer->toPlainText() == text;
           });
  }
};

}  // namespace

class TestChatView : public QObject {
  Q_OBJECT
 private slots:
  void enterSends();
  void shiftEnterStartsALine();
  void blankMessagesAreNotSent();
  void theHostHearsOfMessagesWhileAnAnswerRuns();
  void upShowsEarlierQuestions();
  void escapeStops();
  void streamingTextAppears();
  void theBarFillsWhileThePromptIsRead();
  void markupStaysText();
  void shortConversationsDoNotScroll();
  void suggestionsAsk();
  void notReadySaysWhy();
  void hiddenChatRests();
  void contextMeterCounts();
  void newChatEmpties();
};

void TestChatView::enterSends() {
  Chat chat;
  QSignalSpy sent(&chat.view, &ChatView::sendRequested);
  QTest::keyClicks(chat.view.input(), QStringLiteral("hello there"));
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  QCOMPARE(sent.size(), 1);
  QCOMPARE(sent.front().front().toString(), QStringLiteral("hello there"));
  QCOMPARE(chat.view.input()->toPlainText(), QString());
  QVERIFY(chat.shows(QStringLiteral("hello there")));
}

void TestChatView::shiftEnterStartsALine() {
  Chat chat;
  const int before = chat.view.input()->height();
  QSignalSpy sent(&chat.view, &ChatView::sendRequested);
  QTest::keyClicks(chat.view.input(), QStringLiteral("one"));
  QTest::keyClick(chat.view.input(), Qt::Key_Return, Qt::ShiftModifier);
  QTest::keyClicks(chat.view.input(), QStringLiteral("two"));
  QCOMPARE(sent.size(), 0);
  QCOMPARE(chat.view.input()->toPlainText(), QStringLiteral("one\ntwo"));
  QVERIFY(chat.view.input()->height() > before);
  QTest::keyClick(chat.view.input(), Qt::Key_Enter, Qt::KeypadModifier);
  QCOMPARE(sent.size(), 1);
  QCOMPARE(chat.view.input()->height(), before);
}

void TestChatView::blankMessagesAreNotSent() {
  Chat chat;
  QSignalSpy sent(&chat.view, &ChatView::sendRequested);
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  QTest::keyClicks(chat.view.input(), QStringLiteral("   "));
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  QCOMPARE(sent.size(), 0);
  QVERIFY(!chat.button(QStringLiteral("Send"))->isEnabled());
}

void TestChatView::theHostHearsOfMessagesWhileAnAnswerRuns() {
  Chat chat;
  QSignalSpy sent(&chat.view, &ChatView::sendRequested);
  QPushButton* const next = chat.button(QStringLiteral("Send next"));
  QTest::keyClicks(chat.view.input(), QStringLiteral("one"));
  QVERIFY(!next->isVisible());
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  chat.pump();
  QObject::disconnect(&chat.view, &ChatView::sendRequested, &chat.model, nullptr);
  QPushButton* const stop = chat.button(QStringLiteral("Stop"));
  QVERIFY(stop->isVisible());
  QVERIFY(!chat.button(QStringLiteral("Send"))->isVisible());
  QVERIFY(!next->isVisible());  // nothing is written
  const int place = stop->x();
  QTest::keyClicks(chat.view.input(), QStringLiteral("two"));
  QVERIFY(next->isVisible());
  QTest::qWait(0);
  QCOMPARE(stop->x(), place);  // the button under the mouse does not move
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  QTest::keyClicks(chat.view.input(), QStringLiteral("three"));
  QTest::mouseClick(next, Qt::LeftButton);
  QCOMPARE(sent.size(), 3);
  QCOMPARE(sent.back().front().toString(), QStringLiteral("three"));
  QCOMPARE(chat.view.input()->toPlainText(), QString());
  chat.machine.run();
  chat.pump();
  QVERIFY(chat.button(QStringLiteral("Send"))->isVisible());
  QVERIFY(!next->isVisible());
}

void TestChatView::upShowsEarlierQuestions() {
  Chat chat;
  QPlainTextEdit* const input = chat.view.input();
  const auto press = [input](int key) { QTest::keyClick(input, static_cast<Qt::Key>(key)); };
  press(Qt::Key_Up);
  QCOMPARE(input->toPlainText(), QString());  // there is none
  for (const char* question : {"one", "two\nlines", "two\nlines", "three"}) {
    input->setPlainText(QString::fromLatin1(question));
    press(Qt::Key_Return);
    chat.machine.run();
    chat.pump();
  }
  press(Qt::Key_Up);
  QCOMPARE(input->toPlainText(), QStringLiteral("three"));
  press(Qt::Key_Up);
  QCOMPARE(input->toPlainText(), QStringLiteral("two\nlines"));
  press(Qt::Key_Up);  // within the text, to its first line
  QCOMPARE(input->toPlainText(), QStringLiteral("two\nlines"));
  press(Qt::Key_Up);
  QCOMPARE(input->toPlainText(), QStringLiteral("one"));
  press(Qt::Key_Up);  // there is no earlier one
  QCOMPARE(input->toPlainText(), QStringLiteral("one"));
  press(Qt::Key_Down);
  QCOMPARE(input->toPlainText(), QStringLiteral("two\nlines"));
  press(Qt::Key_Down);
  press(Qt::Key_Down);
  QCOMPARE(input->toPlainText(), QString());  // behind the newest
  press(Qt::Key_Up);
  press(Qt::Key_Escape);
  QCOMPARE(input->toPlainText(), QString());
  press(Qt::Key_Up);
  QTest::keyClicks(input, QStringLiteral("!"));
  press(Qt::Key_Up);  // it is a draft now
  press(Qt::Key_Escape);
  QCOMPARE(input->toPlainText(), QStringLiteral("three!"));
  QSignalSpy sent(&chat.view, &ChatView::sendRequested);
  press(Qt::Key_Return);
  QCOMPARE(sent.back().front().toString(), QStringLiteral("three!"));
}

void TestChatView::escapeStops() {
  Chat chat;
  QSignalSpy stops(&chat.view, &ChatView::stopRequested);
  QTest::keyClick(chat.view.input(), Qt::Key_Escape);
  QCOMPARE(stops.size(), 0);  // nothing to stop
  QTest::keyClicks(chat.view.input(), QStringLiteral("one"));
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  chat.pump();
  QTest::keyClick(chat.view.input(), Qt::Key_Escape);
  QCOMPARE(stops.size(), 1);
  QTest::mouseClick(chat.button(QStringLiteral("Stop")), Qt::LeftButton);
  QCOMPARE(stops.size(), 2);
}

void TestChatView::streamingTextAppears() {
  Chat chat;
  QTest::keyClicks(chat.view.input(), QStringLiteral("one"));
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  for (int i = 0; i < 5; ++i) {
    chat.machine.step();
    chat.pump();
    QVERIFY(chat.shows(QString::fromStdString(chat.session.state().sequences.at(1).text).trimmed()));
  }
  const QString note = chat.model.at(1).note;
  QVERIFY2(note.startsWith(QStringLiteral("Writing… · ")), qPrintable(note));
  QVERIFY(chat.shows(note));
}

void TestChatView::theBarFillsWhileThePromptIsRead() {
  Chat chat;
  chat.machine = WordMachine(64, 8, 16);
  chat.machine.submit("other", 20, 2);
  chat.machine.run();
  chat.model.addUser(QStringLiteral("hello"));
  chat.model.addAnswer(QStringLiteral("chat-1"));
  chat.machine.submit("chat-1", 60, 4);
  chat.pump();
  const auto seen = [&]() -> AnswerProgress* {
    for (AnswerProgress* candidate : chat.view.findChildren<AnswerProgress*>())
      if (candidate->isVisible()) return candidate;
    return nullptr;
  };
  QVERIFY(seen() == nullptr);  // it waits
  int last = 0;
  while (chat.machine.step()) {
    chat.pump();
    if (chat.model.at(1).status != AnswerStatus::kReading) break;
    QVERIFY(seen() != nullptr);
    QCOMPARE(seen()->maximum(), 60);
    QCOMPARE(seen()->cachedTokens(), 16);
    QVERIFY(seen()->value() > last);
    last = seen()->value();
    const QImage picture = seen()->grab().toImage().convertToFormat(QImage::Format_RGB32);
    const int middle = picture.height() / 2, read = picture.width() * last / 60;
    QVERIFY(picture.pixel(read - 4, middle) !=
            picture.pixel(std::min(read + 4, picture.width() - 4), middle));
  }
  QVERIFY(last >= 32 && last < 60);
  QVERIFY(seen() == nullptr);  // it writes
}

void TestChatView::markupStaysText() {
  Chat chat;
  const QString evil = QStringLiteral("<b>bold</b> <img src='x'> &amp; <script>");
  chat.view.input()->setPlainText(evil);
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  QVERIFY(chat.shows(evil));
  int labels = 0;
  for (const QLabel* label : chat.view.findChildren<QLabel*>()) {
    if (label->text() != evil) continue;
    QCOMPARE(label->textFormat(), Qt::PlainText);
    ++labels;
  }
  QCOMPARE(labels, 1);
}

void TestChatView::shortConversationsDoNotScroll() {
  Chat chat;
  for (const auto* question :
       {"What lives in the garden?", "And where does it fly?\nPlease answer in one line."}) {
    chat.view.input()->setPlainText(QString::fromUtf8(question));
    QTest::keyClick(chat.view.input(), Qt::Key_Return);
    for (int i = 0; i < 12; ++i) chat.machine.step();
    chat.pump();
    chat.machine.run();
    chat.pump();
  }
  QTest::qWait(60);
  QCOMPARE(chat.view.findChild<QScrollArea*>()->verticalScrollBar()->maximum(), 0);
}

void TestChatView::suggestionsAsk() {
  Chat chat;
  chat.view.setSuggestions({QStringLiteral("Tell me a story"), QStringLiteral("Count to ten")});
  QSignalSpy sent(&chat.view, &ChatView::sendRequested);
  QTest::mouseClick(chat.button(QStringLiteral("Count to ten")), Qt::LeftButton);
  QCOMPARE(sent.front().front().toString(), QStringLiteral("Count to ten"));
  QVERIFY(!chat.button(QStringLiteral("Tell me a story"))->isVisible());
}

void TestChatView::notReadySaysWhy() {
  Chat chat;
  QSignalSpy sent(&chat.view, &ChatView::sendRequested);
  chat.view.setReady(false, QStringLiteral("The model is loading"));
  QCOMPARE(chat.view.input()->placeholderText(), QStringLiteral("The model is loading"));
  QTest::keyClicks(chat.view.input(), QStringLiteral("early"));
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  QCOMPARE(sent.size(), 0);
  QCOMPARE(chat.view.input()->toPlainText(), QStringLiteral("early"));
  chat.view.setReady(true);
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  QCOMPARE(sent.size(), 1);
}

void TestChatView::hiddenChatRests() {
  Chat chat;
  chat.view.hide();
  chat.model.addUser(QStringLiteral("unseen"));
  const auto labels = chat.view.findChildren<QLabel*>();
  QVERIFY(std::none_of(labels.begin(), labels.end(),
                       [](const QLabel* l) { return l->text() == QLatin1String("unseen"); }));
  chat.model.clear();
  chat.model.addAnswer(QStringLiteral("x"));
  chat.view.show();
  QVERIFY(!chat.shows(QStringLiteral("unseen")));
  QVERIFY(chat.shows(QStringLiteral("Sent to the engine")));
}

void TestChatView::contextMeterCounts() {
  Chat chat;
  QTest::keyClicks(chat.view.input(), QStringLiteral("one"));
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  chat.machine.step();
  chat.machine.step();
  chat.pump();
  QCOMPARE(chat.view.contextMeter()->tokens(), 8);
  QCOMPARE(chat.view.contextMeter()->limit(), 512);
  QVERIFY(chat.view.contextMeter()->text().contains(QLatin1String("1 block")));
}

void TestChatView::newChatEmpties() {
  Chat chat;
  QSignalSpy fresh(&chat.view, &ChatView::newChatRequested);
  QTest::keyClicks(chat.view.input(), QStringLiteral("one"));
  QTest::keyClick(chat.view.input(), Qt::Key_Return);
  QTest::mouseClick(chat.button(QStringLiteral("New chat")), Qt::LeftButton);
  QCOMPARE(fresh.size(), 1);
  chat.model.clear();
  QVERIFY(!chat.shows(QStringLiteral("one")));
  QVERIFY(chat.shows(QStringLiteral("Ask something, and watch the engine answer.")));
}

QTEST_MAIN(TestChatView)
#include "tst_chat_view.moc"
