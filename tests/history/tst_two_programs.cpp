// Two programs with one file of chats, as two windows have it: an answer that streams in one is not stopped
// by the other that opens the file, both write, and what a dead one left is stopped by the next that is
// alone.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "history/history_files.h"

using namespace vitrine;

namespace {

constexpr int kLimitMs = 30000;

MessageState stateOf(const QString& file, int wantedMessages = 2) {
  OtherProgram other(file);
  const QStringList states = other.run("SELECT state FROM messages ORDER BY id").split('\n');
  return states.size() == wantedMessages ? static_cast<MessageState>(states.back().toInt())
                                         : MessageState::kFailed;
}

}  // namespace

class TestTwoPrograms : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;
  QString m_file;

  // A program whose answer streams, some of it in the file.
  std::unique_ptr<QProcess> streaming() {
    auto other = std::make_unique<QProcess>();
    other->start(HISTORY_VICTIM, {"stream", m_file});
    const bool streams = QTest::qWaitFor(
        [&] {
          return QFile::exists(m_file) &&
                 OtherProgram(m_file).run("SELECT count(*) > 0 FROM pieces") == QLatin1String("1");
        },
        kLimitMs);
    return streams ? std::move(other) : nullptr;
  }

 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>(testFolder());
    m_file = m_folder->filePath("chats.db");
  }

  void anAnswerOfAnotherProgramStreamsOn() {
    const auto other = streaming();
    QVERIFY(other);
    ChatHistory ours;
    QVERIFY(ours.open(m_file).ok());
    QCOMPARE(stateOf(m_file), MessageState::kStreaming);
    const ChatId chat = ours.chats().front().id;
    const qsizetype seen = ours.chat(chat)->messages.back().text.size();
    QTRY_VERIFY_WITH_TIMEOUT(ours.chat(chat)->messages.back().text.size() > seen, kLimitMs);
    // Ours streams beside it.
    const ChatId second = ours.createChat();
    const MessageId question = ours.addMessage(second, 0, MessageRole::kUser, "And mine?");
    const MessageId answer = ours.beginAnswer(second, question, someProvenance());
    ours.append(answer, {.text = "Mine."});
    QVERIFY(ours.finish(answer, {}));
    QVERIFY(ours.status().ok() && other->state() == QProcess::Running);
    other->kill();
    QVERIFY(other->waitForFinished(kLimitMs));
    QCOMPARE(soundness(m_file), "ok");
  }

  // No program that is not alone can know whose an answer is.
  void theNextThatIsAloneStopsWhatADeadOneLeft() {
    const auto other = streaming();
    QVERIFY(other);
    {
      ChatHistory ours;
      QVERIFY(ours.open(m_file).ok());
      other->kill();
      QVERIFY(other->waitForFinished(kLimitMs));
      ChatHistory third;
      QVERIFY(third.open(m_file).ok());
      QCOMPARE(stateOf(m_file), MessageState::kStreaming);  // it might be ours
    }
    ChatHistory alone;
    QVERIFY(alone.open(m_file).ok());
    QCOMPARE(stateOf(m_file), MessageState::kStopped);
    QVERIFY(!alone.chat(alone.chats().front().id)->messages.back().text.isEmpty());
  }

  // In one process as in two: the first goes, the second goes on, and a third sees the second.
  void theOneThatIsLeftIsSeen() {
    auto first = std::make_unique<ChatHistory>();
    QVERIFY(first->open(m_file).ok());
    ChatHistory second;
    QVERIFY(second.open(m_file).ok());
    first.reset();
    const ChatId chat = second.createChat();
    const MessageId question = second.addMessage(chat, 0, MessageRole::kUser, "Still there?");
    const MessageId answer = second.beginAnswer(chat, question, someProvenance());
    second.append(answer, {.text = "Yes"});
    second.flush();
    ChatHistory third;
    QVERIFY(third.open(m_file).ok());
    QCOMPARE(stateOf(m_file), MessageState::kStreaming);
    second.append(answer, {.text = ", and on."});
    QVERIFY(second.finish(answer, {}));
    QCOMPARE(third.chat(chat)->messages.back().text, "Yes, and on.");
  }

  // A chat is not read again before something has written.
  void aChatIsReadAgainWhenTheOtherWrites() {
    ChatHistory ours, theirs;
    QVERIFY(ours.open(m_file).ok());
    const ChatId chat = ours.createChat();
    const MessageId question = ours.addMessage(chat, 0, MessageRole::kUser, "Whose is this?");
    QVERIFY(theirs.open(m_file).ok());
    const auto first = ours.chat(chat), second = ours.chat(chat);
    QVERIFY(first->messages.front().text.isSharedWith(second->messages.front().text));
    QVERIFY(theirs.setDraft(chat, "Mine"));
    QCOMPARE(ours.chat(chat)->draft, "Mine");
    QVERIFY(theirs.addMessage(chat, question, MessageRole::kAssistant, "Theirs.") != 0);
    QCOMPARE(ours.chat(chat)->messages.size(), 2U);
    QVERIFY(ours.setDraft(chat, "Ours"));
    QCOMPARE(ours.chat(chat)->draft, "Ours");
    QVERIFY(theirs.purge(chat));
    QVERIFY(!ours.chat(chat));
  }

  void nothingIsLeftBesideTheFile() {
    {
      ChatHistory first, second;
      QVERIFY(first.open(m_file).ok() && second.open(m_file).ok());
    }
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{"chats.db"});
  }
};

QTEST_GUILESS_MAIN(TestTwoPrograms)
#include "tst_two_programs.moc"
