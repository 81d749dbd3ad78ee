// The conversation: answers are requests, and go back with the machine.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "support/word_machine.h"
#include "widgets/conversation/chat_model.h"

using namespace vitrine;
using test::WordMachine;

class TestChatModel : public QObject {
  Q_OBJECT
 private slots:
  void answerFollowsItsRequest();
  void readingSaysHowMuchAndHowFast();
  void writingSaysHowFast();
  void answerGoesBackWithTheMachine();
  void lookingBackIsNotAnsweringAgain();
  void aMessageThatCouldNotBeSentIsTakenBack();
  void stoppedAnswerKeepsItsText();
  void forgottenAnswerKeepsItsText();
  void newRunKeepsOldAnswers();
  void thinkingIsSeparated();
  void clearingLeavesNoMessages();
};

void TestChatModel::answerFollowsItsRequest() {
  WordMachine machine(16, 8, 8);
  Session session;
  ChatModel chat(&session);
  QAbstractItemModelTester tester(&chat, QAbstractItemModelTester::FailureReportingMode::Fatal);
  QSignalSpy answering(&chat, &ChatModel::answeringChanged);
  chat.addUser(QStringLiteral("hello"));
  chat.addAnswer(QStringLiteral("chat-1"));
  QVERIFY(chat.isAnswering());
  QCOMPARE(chat.answeringRequest(), 0);
  session.append(machine.take());
  machine.submit("other", 3, 2);
  machine.submit("chat-1", 20, 3);
  session.append(machine.take());
  QCOMPARE(chat.answeringRequest(), 2);
  QCOMPARE(chat.at(1).status, AnswerStatus::kWaiting);
  machine.step();
  session.append(machine.take());
  QCOMPARE(chat.at(1).status, AnswerStatus::kReading);
  while (session.state().sequences.at(2).text.empty()) {
    QVERIFY(machine.step());
    session.append(machine.take());
  }
  QCOMPARE(chat.at(1).status, AnswerStatus::kWriting);
  machine.run();
  session.append(machine.take());
  QCOMPARE(chat.at(1).status, AnswerStatus::kDone);
  QCOMPARE(chat.at(1).text, QString::fromStdString(session.state().sequences.at(2).text).trimmed());
  QVERIFY(chat.at(1).note.contains(QLatin1String("tok/s")));
  QVERIFY(!chat.isAnswering());
  QCOMPARE(answering.size(), 2);
}

// A prompt of 40 tokens in chunks of 16, of which another request has computed the first 16.
void TestChatModel::readingSaysHowMuchAndHowFast() {
  WordMachine machine(32, 8, 16);
  Session session;
  ChatModel chat(&session);
  machine.submit("other", 20, 2);
  machine.run();
  chat.addUser(QStringLiteral("hello"));
  chat.addAnswer(QStringLiteral("chat-1"));
  machine.submit("chat-1", 40, 3);
  machine.step();
  session.append(machine.take());
  const AnswerFigures first = chat.at(1).figures;
  QCOMPARE(first.promptTokens, 40);
  QCOMPARE(first.cachedTokens, 16);
  QCOMPARE(first.computedTokens, 32);
  QVERIFY(
      chat.at(1).note.startsWith(QStringLiteral("Reading the prompt: 32 of 40 tokens · 16 from the cache")));
  // 16 tokens in the time from the admission to the end of the step; what was cached took none.
  std::int64_t admittedNs = 0, endedNs = 0;
  for (const Event& event : machine.all()) {
    const auto* admitted = bodyOf<SequenceAdmitted>(event);
    if (admitted != nullptr && admitted->sequence == 2) admittedNs = event.timeNs;
    endedNs = event.timeNs;
  }
  QVERIFY(endedNs > admittedNs && admittedNs > 0);
  QCOMPARE(first.tokensPerSecond, 16e9 / static_cast<double>(endedNs - admittedNs));
  QVERIFY(chat.at(1).note.contains(QLatin1String("tok/s")));
  const int step = session.step();
  machine.run();
  session.append(machine.take());
  QCOMPARE(chat.at(1).status, AnswerStatus::kDone);
  session.goToStep(step);
  QCOMPARE(chat.at(1).figures, first);
}

// The rate on the way and the rate in the end are one figure.
void TestChatModel::writingSaysHowFast() {
  WordMachine machine(16, 8);
  Session session;
  ChatModel chat(&session);
  chat.addAnswer(QStringLiteral("chat-1"));
  machine.submit("chat-1", 5, 6);
  machine.step();
  session.append(machine.take());
  QCOMPARE(chat.at(0).figures.writtenTokens, 1);
  QCOMPARE(chat.at(0).figures.tokensPerSecond, 0.0);
  QCOMPARE(chat.at(0).note, QStringLiteral("Writing… · 1 token(s)"));
  machine.step();
  machine.step();
  session.append(machine.take());
  QCOMPARE(chat.at(0).figures.writtenTokens, 3);
  const std::int64_t first = session.state().requests.at(1).firstTokenNs;
  QCOMPARE(chat.at(0).figures.tokensPerSecond,
           2e9 / static_cast<double>(machine.all().back().timeNs - first));
  QVERIFY(chat.at(0).note.endsWith(QLatin1String("tok/s")));
}

void TestChatModel::answerGoesBackWithTheMachine() {
  WordMachine machine(16, 8);
  Session session;
  ChatModel chat(&session);
  session.append(machine.take());
  chat.addUser(QStringLiteral("hello"));
  chat.addAnswer(QStringLiteral("chat-1"));
  machine.submit("other", 3, 1);
  machine.step();
  machine.submit("chat-1", 5, 6);
  machine.run();
  session.append(machine.take());
  const QString whole = chat.at(1).text;
  session.goToStep(3);
  QVERIFY(!chat.at(1).text.isEmpty());
  QVERIFY(whole.startsWith(chat.at(1).text) && chat.at(1).text.size() < whole.size());
  session.goToStep(1);
  QCOMPARE(chat.at(1).text, QString());
  session.goLive();
  QCOMPARE(chat.at(1).text, whole);
}

void TestChatModel::lookingBackIsNotAnsweringAgain() {
  WordMachine machine(16, 8);
  Session session;
  ChatModel chat(&session);
  session.append(machine.take());
  chat.addAnswer(QStringLiteral("chat-1"));
  machine.submit("chat-1", 5, 6);
  machine.run();
  session.append(machine.take());
  session.goToStep(2);
  QCOMPARE(chat.at(0).status, AnswerStatus::kWriting);
  QVERIFY(!chat.isAnswering());
  QCOMPARE(chat.answeringRequest(), 0);
}

void TestChatModel::aMessageThatCouldNotBeSentIsTakenBack() {
  WordMachine machine(16, 8);
  Session session;
  ChatModel chat(&session);
  chat.addUser(QStringLiteral("first"));
  chat.addAnswer(QStringLiteral("chat-1"));
  machine.submit("chat-1", 5, 3);
  machine.run();
  session.append(machine.take());
  chat.addUser(QStringLiteral("second"));
  chat.addAnswer(QStringLiteral("chat-2"));
  QVERIFY(chat.isAnswering());
  QCOMPARE(chat.takeBack(QStringLiteral("chat-2")), QStringLiteral("second"));
  QCOMPARE(chat.rowCount(), 2);
  QVERIFY(!chat.isAnswering());
  QCOMPARE(chat.takeBack(QStringLiteral("chat-2")), QString());
  QCOMPARE(chat.takeBack(QStringLiteral("chat-1")), QString());  // it was sent
  QCOMPARE(chat.rowCount(), 2);
}

void TestChatModel::stoppedAnswerKeepsItsText() {
  WordMachine machine(16, 8);
  Session session;
  ChatModel chat(&session);
  chat.addAnswer(QStringLiteral("chat-1"));
  machine.submit("chat-1", 5, 60);
  for (int i = 0; i < 5; ++i) machine.step();
  machine.cancel(1);
  session.append(machine.take());
  QCOMPARE(chat.at(0).status, AnswerStatus::kStopped);
  QVERIFY(!chat.at(0).text.isEmpty());
  QVERIFY(chat.at(0).note.startsWith(QLatin1String("Stopped")));
}

void TestChatModel::forgottenAnswerKeepsItsText() {
  WordMachine machine(16, 8);
  Session session;
  ChatModel chat(&session);
  session.append(machine.take());
  chat.addAnswer(QStringLiteral("chat-1"));
  machine.submit("other", 3, 1);
  machine.step();
  machine.submit("chat-1", 5, 6);
  machine.run();
  const QString text = QString::fromStdString(machine.state().sequences.at(2).text).trimmed();
  machine.forget(2);
  machine.submit("other", 3, 2);
  machine.run();
  session.append(machine.take());
  QCOMPARE(chat.at(0).text, text);
  QCOMPARE(chat.at(0).status, AnswerStatus::kDone);
  QVERIFY(!chat.isAnswering());
  session.goToStep(1);
  QCOMPARE(chat.at(0).text, QString());
  session.goToStep(session.lastStep());
  QCOMPARE(chat.at(0).text, text);
}

void TestChatModel::newRunKeepsOldAnswers() {
  WordMachine first(16, 8), second(16, 8);
  Session session;
  ChatModel chat(&session);
  chat.addAnswer(QStringLiteral("chat-1"));
  first.submit("chat-1", 5, 60);
  for (int i = 0; i < 5; ++i) first.step();
  session.append(first.take());
  const QString before = chat.at(0).text;
  QVERIFY(!before.isEmpty());
  second.submit("someone else", 4, 4);  // also request 1, of another run: the chat must not take its answer
  second.run();
  session.append(second.take());
  QCOMPARE(chat.at(0).text, before);
  QCOMPARE(chat.at(0).status, AnswerStatus::kStopped);
  QVERIFY(!chat.isAnswering());
}

void TestChatModel::thinkingIsSeparated() {
  Session session;
  ChatModel chat(&session);
  chat.addAnswer(QStringLiteral("chat-1"));
  WordMachine machine(16, 8);
  machine.submit("chat-1", 5, 4);
  const char* const kWords[] = {"<think>", "hm, a < b", "</think>", "\n\nYes <b>"};
  int word = 0;
  std::vector<std::int64_t> times;
  while (machine.step()) {
    auto events = machine.take();
    for (Event& event : events) {  // the words are ours; everything else is as the machine said it
      auto* sampled = std::get_if<TokenSampled>(&event.body);
      if (sampled == nullptr) continue;
      sampled->text = kWords[word++];
      times.push_back(event.timeNs);
    }
    session.append(std::move(events));
    if (word != 2) continue;
    QCOMPARE(chat.at(0).status, AnswerStatus::kThinking);
    QCOMPARE(chat.at(0).thought.tokens, 2);  // so far
    QVERIFY(chat.at(0).thought.ns >= times[1] - times[0]);
    QCOMPARE(chat.at(0).text, QString());
  }
  QCOMPARE(word, 4);
  QCOMPARE(chat.at(0).thinking, QStringLiteral("hm, a < b"));
  QCOMPARE(chat.at(0).text, QStringLiteral("Yes <b>"));
  QVERIFY(chat.at(0).thought == (ThoughtFigures{3, times[2] - times[0]}));
  // Going back shows what it was then.
  session.goToStep(session.recording().firstStep() + 2);
  QCOMPARE(chat.at(0).status, AnswerStatus::kThinking);
  QCOMPARE(chat.at(0).thought.tokens, 2);
}

void TestChatModel::clearingLeavesNoMessages() {
  Session session;
  ChatModel chat(&session);
  chat.addUser(QStringLiteral("one"));
  chat.addAnswer(QStringLiteral("chat-1"));
  chat.addUser(QStringLiteral("two"));
  QCOMPARE(chat.rowCount(), 3);
  chat.clear();
  QCOMPARE(chat.rowCount(), 0);
}

QTEST_GUILESS_MAIN(TestChatModel)
#include "tst_chat_model.moc"
