// Each operation of a history, and that it is there again when the file is opened anew.
#include <sys/stat.h>

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "history/history_database.h"
#include "history/history_files.h"
#include "history/token_bytes.h"

using namespace vitrine;

namespace {

using Ids = std::vector<MessageId>;
constexpr auto kRead = ChatHistory::Tokens::kRead;

std::vector<ChatId> ids(ChatHistory& history, ChatShelf shelf = ChatShelf::kCurrent) {
  std::vector<ChatId> found;
  for (const ChatSummary& chat : history.chats(shelf)) found.push_back(chat.id);
  return found;
}

}  // namespace

class TestChatHistory : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder{testFolder()};
  QString m_file;
  std::unique_ptr<ChatHistory> m_history;

  ChatHistory& history() { return *m_history; }
  void openAgain() {
    m_history = std::make_unique<ChatHistory>();
    QVERIFY2(m_history->open(m_file).ok(), qPrintable(m_history->status().message));
  }

  // A question, an answer and a second question with its answer.
  struct FourMessages {
    ChatId chat = 0;
    MessageId q1 = 0, a1 = 0, q2 = 0, a2 = 0;
  };
  MessageId answer(ChatId chat, MessageId question, const QString& text) {
    const MessageId id = history().beginAnswer(chat, question, someProvenance());
    history().append(id, {.text = text});
    history().finish(id, {});
    return id;
  }
  FourMessages fourMessages() {
    FourMessages four{.chat = history().createChat()};
    four.q1 = history().addMessage(four.chat, 0, MessageRole::kUser, "Where is Ulm?");
    four.a1 = answer(four.chat, four.q1, "At the Danube.");
    four.q2 = history().addMessage(four.chat, four.a1, MessageRole::kUser, "And Bonn?");
    four.a2 = answer(four.chat, four.q2, "At the Rhine.");
    return four;
  }

 private slots:
  void init() {
    static int count = 0;
    m_file = m_folder.filePath(QString("%1/below/chats.sqlite").arg(++count));
    openAgain();
  }
  void cleanup() { m_history.reset(); }

  void aChatHasItsSettingsAndItsDraft() {
    const ChatSettings settings{"Answer briefly.", {"\n\n", "</end>", "\"quoted\""}, "precise",
                                {"thinking"},      "[\n {\"type\": \"function\"}]",  {"regex", "[a-z]+\n"}};
    const ChatId chat = history().createChat(settings);
    QVERIFY(chat > 0);
    QVERIFY(history().setDraft(chat, "What I was going to"));
    openAgain();
    QCOMPARE(history().settings(chat), settings);
    QCOMPARE(history().draft(chat), "What I was going to");
    QVERIFY(history().waiting(chat).isEmpty());
    const QStringList waiting = {"One, \"quoted\"", "two\nlines", QString()};
    QVERIFY(history().setWaiting(chat, waiting));
    QCOMPARE(history().waiting(chat), waiting);
    const ChatId copy = history().duplicate(chat);
    QCOMPARE(history().waiting(copy), waiting);
    QCOMPARE(history().settings(copy), settings);
    QVERIFY(history().setWaiting(chat, {}) && history().waiting(chat).isEmpty());
    const ChatSettings others{"", {}, ""};
    QVERIFY(history().setSettings(chat, others));
    QCOMPARE(history().chat(chat)->settings, others);
    QVERIFY(history().summary(chat)->title.isEmpty());
  }

  // The file and what lies beside it: of a new file, and of one that a program before has left to all.
  void onlyItsOwnerReadsTheFile() {
    const auto rights = [this] {
      QStringList found;
      const QFileInfo file(m_file);
      for (const QString& name : QDir(file.path()).entryList({file.fileName() + "*"}, QDir::Files)) {
        const QFile::Permissions group = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup;
        const QFile::Permissions others = QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
        if (QFileInfo(file.path() + '/' + name).permissions() & (group | others)) found << name;
      }
      return found;
    };
    const mode_t before = ::umask(0);
    const auto back = qScopeGuard([before] { ::umask(before); });
    // A new file is private from its first byte on, before the history takes the rights of others away.
    HistoryDatabase::openFile(m_file + ".bare", HistoryDatabase::Access::kReadWrite);
    QCOMPARE(QFileInfo(m_file + ".bare").permissions() & QFile::Permissions(0x0077), QFile::Permissions());
    m_file += ".new";
    openAgain();
    smallChat(history(), "Is this for all to read?", "No.");
    QVERIFY(QFile::exists(m_file + "-wal"));
    QCOMPARE(rights(), QStringList());
    // As they lie beside one another when the program was killed.
    const QString left = m_file + ".left";
    for (const char* ending : {"", "-wal", "-shm"}) {
      QVERIFY(QFile::copy(m_file + ending, left + ending));
      QVERIFY(QFile::setPermissions(left + ending, QFile::Permissions(0x6644)));
    }
    m_file = left;
    QCOMPARE(rights().size(), 3);
    openAgain();
    QCOMPARE(ids(history()).size(), 1U);
    QVERIFY(QFile::exists(m_file + "-wal"));
    QCOMPARE(rights(), QStringList());
  }

  void aFirstQuestionGivesTheTitle() {
    const ChatId chat = history().createChat();
    const MessageId first =
        history().addMessage(chat, 0, MessageRole::kUser, "\n  What is   a KV cache?\nTell me.");
    QCOMPARE(history().summary(chat)->title, "What is a KV cache?");
    QVERIFY(!history().summary(chat)->titleGiven);
    history().addMessage(chat, first, MessageRole::kUser, "Another");
    QCOMPARE(history().summary(chat)->title, "What is a KV cache?");
    QVERIFY(history().rename(chat, "Mine"));
    openAgain();
    QCOMPARE(history().summary(chat)->title, "Mine");
    QVERIFY(history().summary(chat)->titleGiven);
    const QString cut = titleFrom(QString("word ").repeated(40));
    QVERIFY(cut.size() <= 60 && cut.startsWith("word word") && cut.endsWith(QChar(0x2026)));
    QCOMPARE(titleFrom(" \n \n"), "");
  }

  void pinnedChatsComeFirstThenTheNewest() {
    std::vector<ChatId> made;
    for (int i = 0; i < 4; ++i) {
      made.push_back(smallChat(history(), QString("q%1").arg(i), "a"));
      nextMoment();
    }
    QCOMPARE(ids(history()), (std::vector<ChatId>{made[3], made[2], made[1], made[0]}));
    QVERIFY(history().setPinned(made[0], true));
    QVERIFY(history().setArchived(made[3], true));
    history().addMessage(made[1], 0, MessageRole::kUser, "once more");
    openAgain();
    QCOMPARE(ids(history()), (std::vector<ChatId>{made[0], made[1], made[2]}));
    QCOMPARE(ids(history(), ChatShelf::kArchived), std::vector<ChatId>{made[3]});
    QVERIFY(history().setPinned(made[0], false));
    QVERIFY(history().setArchived(made[3], false));
    QCOMPARE(ids(history()), (std::vector<ChatId>{made[1], made[3], made[2], made[0]}));
  }

  void aRemovedChatComesBackOrGoesForGood() {
    const ChatId chat = smallChat(history(), "Where is Ulm?", "At the Danube."),
                 other = smallChat(history(), "x", "y");
    const ChatRecord before = *history().chat(chat, kRead);
    QVERIFY(history().remove(chat));
    QCOMPARE(ids(history()), std::vector<ChatId>{other});
    QCOMPARE(ids(history(), ChatShelf::kRemoved), std::vector<ChatId>{chat});
    QVERIFY(history().search("Danube").empty());
    openAgain();
    QVERIFY(history().undoRemove(chat));
    QCOMPARE(*history().chat(chat, kRead), before);
    QCOMPARE(history().search("Danube").size(), 1U);
    QVERIFY(history().purge(chat));
    QVERIFY(!history().chat(chat) && !history().purge(chat) && !history().undoRemove(chat));
    m_history.reset();
    QCOMPARE(soundness(m_file), "ok");
    QCOMPARE(
        OtherProgram(m_file).run("SELECT count(*) FROM messages WHERE chat != " + QString::number(other)),
        "0");
  }

  void aChatThatWasRemovedLongAgoGoesByItself() {
    const ChatId old = smallChat(history(), "old", "a"), fresh = smallChat(history(), "fresh", "a");
    history().remove(old);
    history().remove(fresh);
    m_history.reset();
    const qint64 then =
        QDateTime::currentMSecsSinceEpoch() - (ChatHistory::kRemovedDays * 24LL + 1) * 3600 * 1000;
    QCOMPARE(
        OtherProgram(m_file).run(QString("UPDATE chats SET removed = %1 WHERE id = %2").arg(then).arg(old)),
        "");
    openAgain();
    QCOMPARE(ids(history(), ChatShelf::kRemoved), std::vector<ChatId>{fresh});
  }

  // What follows it follows what was before it; it is in no list, no copy and no search.
  void aMessageIsRemovedAndComesBack() {
    const auto [chat, q1, a1, q2, a2] = fourMessages();
    const ChatRecord before = *history().chat(chat, kRead);
    QVERIFY(history().removeMessages(chat, {a1}));
    QVERIFY(!history().removeMessages(chat, {a1}) && !history().removeMessages(chat, {q2, a1}));
    openAgain();
    const ChatRecord now = *history().chat(chat);
    QCOMPARE(now.shownPath(), (Ids{q1, q2, a2}));
    QCOMPARE(now.messages.size(), 3U);
    QVERIFY(history().search("Danube").empty() && history().search("Rhine").size() == 1);
    QVERIFY(history().tokens(a1).empty() && history().show(a1) == 0 && history().edit(a1, "?") == 0);
    QCOMPARE(history().addMessage(chat, a1, MessageRole::kUser, "?"), 0);
    QCOMPARE(history().chat(history().duplicate(chat))->messages.size(), 3U);
    const std::vector<RemovedMessages> removed = history().removedMessages(chat);
    QCOMPARE(removed.size(), 1U);
    QCOMPARE(removed[0].messages.size(), 1U);
    QCOMPARE(removed[0].messages[0].id, a1);
    QCOMPARE(removed[0].messages[0].text, before.find(a1)->text);
    QVERIFY(history().hasRemovedMessages(chat) && !history().hasRemovedMessages(chat + 1));
    // The second answer has read what is not there: its prompt cannot be made again.
    QCOMPARE(now.find(a2)->provenance.leftOut, promptOfAnotherPath());
    QVERIFY(history().undoRemoveMessages(chat, {a1}));
    QVERIFY(!history().undoRemoveMessages(chat, {a1}) && !history().hasRemovedMessages(chat));
    openAgain();
    QCOMPARE(*history().chat(chat, kRead), before);
    QCOMPARE(history().search("Danube").size(), 1U);
  }

  void theShownLeafIsOneThatIsThere() {
    const auto [chat, q1, a1, q2, a2] = fourMessages();
    const auto shown = [&, chat = chat] { return history().chat(chat)->shownPath(); };
    const MessageId second = answer(chat, q1, "In Swabia."), third = answer(chat, q1, "South.");
    QCOMPARE(shown(), (Ids{q1, third}));
    QVERIFY(history().removeMessages(chat, {third}));
    QCOMPARE(shown(), (Ids{q1, second}));  // the older one beside it
    QVERIFY(history().undoRemoveMessages(chat, {third}));
    QCOMPARE(shown(), (Ids{q1, third}));
    QCOMPARE(history().show(a1), a2);
    QVERIFY(history().removeMessages(chat, {a1, q2, a2}));
    QCOMPARE(shown(), (Ids{q1, second}));  // none is older
    QVERIFY(history().removeMessages(chat, {second}) && history().removeMessages(chat, {third}));
    QCOMPARE(shown(), Ids{q1});
    QVERIFY(history().removeMessages(chat, {q1}));
    QCOMPARE(history().chat(chat)->shownLeaf, 0);
    QCOMPARE(history().summary(chat)->title, "Where is Ulm?");  // the chat stays
    QVERIFY(history().firstQuestion(chat).isEmpty());
    QVERIFY(history().undoRemoveMessages(chat, {q1}));
    QCOMPARE(shown(), Ids{q1});
    QVERIFY(history().undoRemoveMessages(chat, {a1, q2, a2}));
    QCOMPARE(shown(), (Ids{q1, a1, q2, a2}));
  }

  // A question that was asked in an answer's place is not one of its versions.
  void whatWasWrittenMeanwhileFollowsWhatComesBack() {
    const auto [chat, q1, a1, q2, a2] = fourMessages();
    QVERIFY(history().removeMessages(chat, {a1, q2, a2}));
    nextMoment();
    const MessageId asked = history().addMessage(chat, q1, MessageRole::kUser, "And Rome?");
    const MessageId answered = answer(chat, asked, "At the Tiber.");
    QVERIFY(history().undoRemoveMessages(chat, {a1, q2, a2}));
    ChatRecord now = *history().chat(chat);
    QCOMPARE(now.shownPath(), (Ids{q1, a1, asked, answered}));
    QCOMPARE(now.siblings(asked), (Ids{q2, asked}));
    QCOMPARE(now.find(answered)->provenance.leftOut, promptOfAnotherPath());  // it has not read that answer
    QVERIFY(now.find(a2)->provenance.leftOut.isEmpty());
    QVERIFY(history().removeMessages(chat, {q2, a2}));
    const MessageId other = history().addMessage(chat, a1, MessageRole::kUser, "And Bonn, please?");
    QVERIFY(history().undoRemoveMessages(chat, {q2, a2}));
    now = *history().chat(chat);
    QCOMPARE(now.siblings(q2), (Ids{q2, asked, other}));
  }

  void anAnswerThatStreamsIsNotRemoved() {
    const ChatId chat = history().createChat();
    const MessageId question = history().addMessage(chat, 0, MessageRole::kUser, "q");
    const MessageId streaming = history().beginAnswer(chat, question, {});
    QVERIFY(!history().removeMessages(chat, {question, streaming}));
    QVERIFY(!history().removeMessages(chat, {}) && !history().undoRemoveMessages(chat, {}));
    QCOMPARE(history().chat(chat)->messages.size(), 2U);
    QVERIFY(history().finish(streaming, {}));
    QVERIFY(history().removeMessages(chat, {question, streaming}));
    const ChatId other = smallChat(history(), "x", "y");
    QVERIFY(!history().removeMessages(chat, {history().chat(other)->shownLeaf}));
    QVERIFY(!history().undoRemoveMessages(other, {question}));
  }

  // With what followed it on what was before it.
  void aMessageThatWasRemovedLongAgoGoesForGood() {
    const auto [chat, q1, a1, q2, a2] = fourMessages();
    const MessageId fresh = answer(chat, q2, "I do not know.");
    QVERIFY(history().removeMessages(chat, {a1}) && history().removeMessages(chat, {q2}));
    QVERIFY(history().removeMessages(chat, {fresh}));
    m_history.reset();
    const qint64 then =
        QDateTime::currentMSecsSinceEpoch() - (ChatHistory::kRemovedDays * 24LL + 1) * 3600 * 1000;
    QCOMPARE(OtherProgram(m_file).run(
                 QString("UPDATE messages SET removed = %1 WHERE id IN (%2, %3)").arg(then).arg(a1).arg(q2)),
             "");
    openAgain();
    QCOMPARE(history().chat(chat)->shownPath(), (Ids{q1, a2}));
    QCOMPARE(history().chat(chat)->find(a2)->provenance.leftOut, promptOfAnotherPath());
    QVERIFY(!history().undoRemoveMessages(chat, {a1}) && !history().undoRemoveMessages(chat, {q2}));
    QVERIFY(history().undoRemoveMessages(chat, {fresh}));
    QCOMPARE(history().chat(chat)->siblings(a2), (Ids{a2, fresh}));
    m_history.reset();
    QCOMPARE(soundness(m_file), "ok");
    QCOMPARE(OtherProgram(m_file).run("SELECT count(*) FROM messages"), "3");
  }

  void aConversationIsATree() {
    const ChatId chat = history().createChat();
    const MessageId q1 = history().addMessage(chat, 0, MessageRole::kUser, "one");
    const MessageId a1 = history().beginAnswer(chat, q1, someProvenance());
    history().append(a1, {.text = "first"});
    history().finish(a1, {});
    const MessageId q2 = history().addMessage(chat, a1, MessageRole::kUser, "two");
    const MessageId again = history().beginAnswer(chat, q1, {});
    history().finish(again, {});
    QCOMPARE(history().chat(chat)->shownLeaf, again);
    const MessageId edited = history().edit(q2, "two, better");
    const MessageId root = history().edit(q1, "another beginning");
    const MessageId wrong = history().edit(a1, "what it should have said");
    openAgain();
    const ChatRecord tree = *history().chat(chat);
    QCOMPARE(tree.children(0), (Ids{q1, root}));
    QCOMPARE(tree.siblings(a1), (Ids{a1, again, wrong}));
    QCOMPARE(tree.siblings(edited), (Ids{q2, edited}));
    QCOMPARE(tree.shownPath(), (Ids{q1, wrong}));
    QCOMPARE(tree.pathTo(edited), (Ids{q1, a1, edited}));
    QCOMPARE(tree.find(wrong)->role, MessageRole::kAssistant);
    QVERIFY(tree.find(wrong)->provenance == Provenance());
    QCOMPARE(tree.find(edited)->text, "two, better");
    QCOMPARE(tree.find(q2)->text, "two");
    QVERIFY(tree.pathTo(12345).empty() && tree.siblings(12345).empty() && tree.leafBelow(12345) == 0);
    // Choosing a sibling shows what is newest below it.
    QCOMPARE(tree.leafBelow(a1), edited);
    QCOMPARE(history().show(a1), edited);
    QCOMPARE(history().chat(chat)->shownPath(), (Ids{q1, a1, edited}));
    QCOMPARE(history().show(q2), q2);
    QCOMPARE(history().chat(chat)->shownLeaf, q2);
  }

  void anAnswerIsKeptWithAllThatItWasMadeWith() {
    const ChatId chat = history().createChat();
    const MessageId question = history().addMessage(chat, 0, MessageRole::kUser, "Why?");
    const MessageId answer = history().beginAnswer(chat, question, someProvenance());
    QCOMPARE(history().chat(chat)->messages.back().state, MessageState::kStreaming);
    const std::vector<AnswerToken> tokens = {{0, -0.25F}, {151643, -17.5F}, {127}, {128, 0}};
    QVERIFY(history().append(answer, {.text = "Be", .thinking = "Hm", .tokens = {tokens[0], tokens[1]}}));
    QCOMPARE(history().chat(chat)->messages.back().text, "Be");  // as it streams
    QVERIFY(history().append(answer, {.text = "cause", .thinking = "m.", .tokens = {tokens[2], tokens[3]}}));
    QCOMPARE(history().tokens(answer), tokens);
    const AnswerTimings timings{1, 2'000'000'000'000, 3, 4, 5, 6, 7, 8, 9};
    QVERIFY(history().finish(answer,
                             {.state = MessageState::kFailed, .failure = "no memory", .timings = timings}));
    QVERIFY(!history().append(answer, {.text = "more"}) && !history().finish(answer, {}));
    openAgain();
    const MessageRecord kept = history().chat(chat, kRead)->messages.back();
    QCOMPARE(kept.text, "Because");
    QCOMPARE(kept.thinking, "Hmm.");
    QCOMPARE(kept.state, MessageState::kFailed);
    QCOMPARE(kept.failure, "no memory");
    QCOMPARE(kept.tokens, tokens);
    QVERIFY(kept.timings == timings && kept.provenance == someProvenance());
    QVERIFY(history().chat(chat)->messages.back().tokens.empty());
  }

  void whatStreamsIsInTheFileByItself() {
    const ChatId chat = history().createChat();
    const MessageId answer = history().beginAnswer(chat, 0, {});
    OtherProgram reader(m_file);
    const QString sql = "SELECT group_concat(text, '') FROM (SELECT text FROM pieces ORDER BY number)";
    history().append(answer, {.text = "By the event loop"});
    QTRY_COMPARE_WITH_TIMEOUT(reader.run(sql), "By the event loop", 30000);
    // Without one, the next piece brings it.
    history().append(answer, {.text = ", then"});
    const qint64 begin = QDateTime::currentMSecsSinceEpoch();
    while (reader.run(sql) == "By the event loop") {
      QVERIFY(QDateTime::currentMSecsSinceEpoch() - begin < 30000);
      history().append(answer, {.text = "."});
    }
    QVERIFY(reader.run(sql).startsWith("By the event loop, then."));
  }

  // The two halves of a character may come in two pieces.
  void textIsKeptAsItIs() {
    const ChatId chat = history().createChat();
    const QString text = QString::fromUtf8("\U0001f600 \t\x01 e\u0301 \u202e ﷐ ") + QChar(0x1f) +
                         QChar(0x1d) + "%1 '; DROP--";
    const MessageId question = history().addMessage(chat, 0, MessageRole::kUser, text);
    const MessageId answer = history().beginAnswer(chat, question, {});
    history().append(answer, {.text = text.left(1)});
    history().flush();
    history().append(answer, {.text = text.mid(1)});
    QCOMPARE(history().chat(chat)->messages.back().text, text);
    history().finish(answer, {});
    const MessageId odd = history().addMessage(chat, answer, MessageRole::kUser,
                                               QString(QLatin1String("a\0b", 3)) + QChar(0xd800) + "c");
    openAgain();
    const ChatRecord kept = *history().chat(chat);
    QCOMPARE(kept.messages[0].text, text);
    QCOMPARE(kept.messages[1].text, text);
    QCOMPARE(kept.find(odd)->text, QString("a\ufffd"
                                           "b\ufffd"
                                           "c"));
  }

  void aDuplicateHasAllBranches() {
    const ChatId chat = history().createChat({"Be kind.", {"stop"}, "warm"});
    const MessageId question = history().addMessage(chat, 0, MessageRole::kUser, "Hello");
    const MessageId answer = history().beginAnswer(chat, question, someProvenance());
    history().append(answer, {.text = "Hi", .tokens = {{5, -1.5F}}});
    history().finish(answer, {});
    history().edit(question, "Good morning");
    history().show(answer);
    const ChatId copy = history().duplicate(chat);
    const ChatRecord a = *history().chat(chat, kRead), b = *history().chat(copy, kRead);
    QCOMPARE(b.summary.title, "Hello (copy)");
    QCOMPARE(b.settings, a.settings);
    QCOMPARE(b.messages.size(), 3U);
    QCOMPARE(b.children(0).size(), 2U);
    QCOMPARE(b.find(b.shownLeaf)->text, "Hi");
    QCOMPARE(b.find(b.shownLeaf)->tokens, a.find(answer)->tokens);
    QVERIFY(b.find(b.shownLeaf)->provenance == someProvenance());
    QVERIFY(history().purge(chat));
    QCOMPARE(history().chat(copy)->messages.size(), 3U);
    QCOMPARE(history().duplicate(chat), 0);
  }

  void whatDoesNotExistChangesNothing() {
    const ChatId chat = smallChat(history(), "q", "a"), other = smallChat(history(), "p", "b");
    const MessageId stranger = history().chat(other)->shownLeaf;
    QCOMPARE(history().addMessage(99, 0, MessageRole::kUser, "?"), 0);
    QCOMPARE(history().addMessage(chat, stranger, MessageRole::kUser, "?"), 0);
    QCOMPARE(history().beginAnswer(chat, 99, {}), 0);
    QCOMPARE(history().edit(99, "?"), 0);
    QCOMPARE(history().show(99), 0);
    QVERIFY(!history().rename(99, "?") && !history().setDraft(99, "?") && !history().remove(99));
    QVERIFY(!history().chat(99) && !history().summary(99) && history().tokens(99).empty());
    QVERIFY(!history().append(stranger, {.text = "?"}));
    QCOMPARE(history().chat(chat)->messages.size(), 2U);
    QVERIFY(history().status().ok());
  }

  // A chat may be longer than SQLite's limit for triggers within triggers.
  void aLongChatGoesAtOnce() {
    ChatRecord record;
    for (int i = 1; i <= 3000; ++i) {
      record.messages.emplace_back();
      record.messages.back().id = i;
      record.messages.back().parent = i - 1;
      record.messages.back().createdMs = i;
    }
    record.shownLeaf = 3000;
    const ChatId chat = history().insert({record}).at(0);
    QCOMPARE(history().chat(chat)->shownPath().size(), 3000U);
    const Ids path = history().chat(chat)->shownPath(), half(path.begin() + 1500, path.end());
    QVERIFY(history().removeMessages(chat, half));
    QCOMPARE(history().chat(chat)->shownPath().size(), 1500U);
    QVERIFY(history().undoRemoveMessages(chat, half));
    QCOMPARE(history().chat(chat)->shownPath().size(), 3000U);
    QVERIFY(history().purge(chat));
    QVERIFY(history().status().ok());
  }

  void withoutAFileItWorksInMemory() {
    ChatHistory memory;
    QVERIFY(memory.status().ok() && memory.status().inMemory);
    const ChatId chat = smallChat(memory, "Kept nowhere", "Yes.");
    QCOMPARE(memory.chat(chat)->messages.size(), 2U);
    QVERIFY(!memory.retry());
  }

  void tokensAsBytes() {
    std::vector<AnswerToken> tokens;
    for (const std::int32_t id : {0, 1, 127, 128, 16383, 16384, 151935, 2147483647, -1})
      tokens.push_back({id, -0.5F});
    const QByteArray bytes = packTokens(tokens);
    QCOMPARE(unpackTokens(bytes), tokens);
    QVERIFY(packTokens({{151935, -1.0F}}).size() == 7);
    for (int cut = 0; cut < bytes.size(); ++cut)
      QVERIFY(unpackTokens(bytes.left(cut)).size() < tokens.size());
    QVERIFY(unpackTokens(QByteArray(40, '\xff')).empty());
  }
};

QTEST_GUILESS_MAIN(TestChatHistory)
#include "tst_chat_history.moc"
