// Where two conversations part: by the messages of one chat, by the words of two.
#include <QTest>

#include "widgets/conversation/chat_fork.h"
#include "widgets/session/session.h"

using namespace vitrine;

namespace {

// Each letter of `words` is a message; capital letters are answers. `ids` has the place of each in its chat.
std::vector<ChatEntry> conversation(const QString& words, const std::vector<qint64>& ids) {
  std::vector<ChatEntry> entries;
  for (qsizetype i = 0; i < words.size(); ++i) {
    ChatEntry entry;
    entry.role = words[i].isUpper() ? ChatRole::kAssistant : ChatRole::kUser;
    entry.status = words[i].isUpper() ? AnswerStatus::kDone : AnswerStatus::kNone;
    entry.text = words[i];
    entry.message = ids.at(static_cast<std::size_t>(i));
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

class TestChatFork : public QObject {
  Q_OBJECT

  Session m_session;
  ChatModel m_first{&m_session}, m_second{&m_session};

 private slots:
  void theFork_data() {
    using Ids = std::vector<qint64>;
    QTest::addColumn<QString>("first");
    QTest::addColumn<Ids>("firstIds");
    QTest::addColumn<QString>("second");
    QTest::addColumn<Ids>("secondIds");
    QTest::addColumn<bool>("byWords");
    QTest::addColumn<int>("shared");
    QTest::addColumn<bool>("firstEnds");
    QTest::addColumn<bool>("secondEnds");
    const auto row = [](const char* name, const char* first, Ids firstIds, const char* second, Ids secondIds,
                        bool byWords, ChatFork fork) {
      QTest::newRow(name) << QString(first) << firstIds << QString(second) << secondIds << byWords
                          << fork.shared << fork.firstEnds << fork.secondEnds;
    };
    row("two answers", "aBc", {1, 2, 3}, "aD", {1, 4}, false, {1});
    row("two answers in the same words", "aB", {1, 2}, "aB", {1, 4}, false, {1});
    row("one branch", "aB", {1, 2}, "aB", {1, 2}, false, {2, true, true});
    row("one goes on", "aB", {1, 2}, "aBcD", {1, 2, 3, 4}, false, {2, true, false});
    row("the other goes on", "aBcD", {1, 2, 3, 4}, "aB", {1, 2}, false, {2, false, true});
    row("a question on its way", "aBc", {1, 2, 0}, "aBc", {1, 2, 0}, false, {2});
    row("no message in common", "aB", {1, 2}, "aB", {3, 4}, false, {0});
    row("a copied chat", "aBcD", {1, 2, 3, 4}, "aBcE", {5, 6, 7, 8}, true, {3});
    row("words of another author", "ab", {1, 2}, "aB", {3, 4}, true, {1});
    row("other chats", "aB", {1, 2}, "cD", {3, 4}, true, {0});
    row("an empty one", "", {}, "aB", {1, 2}, true, {0, true, false});
  }
  void theFork() {
    QFETCH(QString, first);
    QFETCH(std::vector<qint64>, firstIds);
    QFETCH(QString, second);
    QFETCH(std::vector<qint64>, secondIds);
    QFETCH(bool, byWords);
    m_first.show(conversation(first, firstIds));
    m_second.show(conversation(second, secondIds));
    const ChatFork fork = forkOf(m_first, m_second, byWords ? ForkBy::kWords : ForkBy::kMessages);
    QTEST(fork.shared, "shared");
    QTEST(fork.firstEnds, "firstEnds");
    QTEST(fork.secondEnds, "secondEnds");
  }

  // Of an answer that is being computed nobody knows whether it is going to be the same; and what a model
  // thought is a part of what it said.
  void whatIsNotYetTheSame() {
    m_first.show(conversation("aB", {1, 2}));
    std::vector<ChatEntry> other = conversation("aB", {3, 4});
    other[1].status = AnswerStatus::kWriting;
    m_second.show(other);
    QCOMPARE(forkOf(m_first, m_second, ForkBy::kWords).shared, 1);
    other[1].status = AnswerStatus::kStopped;
    m_second.show(other);
    QCOMPARE(forkOf(m_first, m_second, ForkBy::kWords).shared, 2);
    other[1].thinking = "Otherwise.";
    m_second.show(other);
    QCOMPARE(forkOf(m_first, m_second, ForkBy::kWords).shared, 1);
  }
};

QTEST_MAIN(TestChatFork)
#include "tst_chat_fork.moc"
