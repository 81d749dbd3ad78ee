// The chat that lies open, and answers that are written down while a machine computes them.
#include "desk/desk.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "desk/answer_turn.h"
#include "desk/answer_writer.h"
#include "desk/message_removal.h"
#include "desk/provenance.h"
#include "support/word_machine.h"
#include "widgets/conversation/chat_words.h"

using namespace vitrine;
using test::WordMachine;

namespace {

Request named(const std::string& name) {
  Request request;
  request.name = name;
  return request;
}

struct Room {
  Desk desk;
  Session session;
  AnswerWriter writer{desk, session};
  WordMachine machine{64, 8};

  void pump() { session.append(machine.take()); }
  // A question of `words` tokens in the chat that is shown, answered up to `steps` steps.
  RequestId ask(const std::string& name, MessageId parent, const QString& question, int maxTokens = 6) {
    writer.pending().add({desk.ensureChat(), {.parent = parent, .question = question}, named(name)});
    const RequestId request = machine.submit(name, 8, maxTokens);
    pump();
    return request;
  }
  void run() {
    machine.run();
    pump();
  }
  QString textOf(RequestId request) {
    const MachineState& live = session.state();
    const std::string& text = live.sequences.at(live.requests.at(request).sequences.front()).text;
    return answerWords(text, {}, true).answer;
  }
  // Two questions with their answers.
  std::vector<MessageId> askTwice() {
    ask("a", 0, "one");
    run();
    ask("b", desk.branch().back().message.id, "two");
    run();
    return chat().shownPath();
  }
  // What can be deleted at a message, in words, and how many messages go.
  QStringList offers(MessageId message) {
    QStringList found;
    for (const MessageRemoval& removal : removalsAt(chat(), message))
      found << QString(removal.words).remove('&') + u' ' + QString::number(removal.messages.size());
    return found;
  }
  std::vector<MessageId> shownIds() {
    std::vector<MessageId> ids;
    for (const ShownMessage& shown : desk.branch()) ids.push_back(shown.message.id);
    return ids;
  }
  ChatRecord chat() {
    return desk.history().chat(desk.shown(), ChatHistory::Tokens::kRead).value_or(ChatRecord());
  }
};

}  // namespace

class TestDesk : public QObject {
  Q_OBJECT

 private slots:
  void anAnswerKeepsTheArithmeticOfItsProducts() {
    EngineLoaded engine;
    QCOMPARE(provenanceOf(engine, engine.options, {}).computeMode, QString("f32"));
    engine.options.compute =
        Compute::kInt8;  // chosen by the engine, while the machine's options leave it open
    QCOMPARE(provenanceOf(engine, EngineOptions(), {}).computeMode, QString("int8"));
  }

  void aNewChatHasTheDefaultsUntilItIsGivenOthers() {
    Desk desk;
    const ChatSettings ofModel{{}, {}, "model"}, own{"Be brief.", {}, "exact"};
    QSignalSpy changed(&desk, &Desk::settingsChanged);
    desk.setDefaults(ofModel);
    QCOMPARE(changed.size(), 1);
    QVERIFY(desk.settings(0) == ofModel);
    const ChatId first = desk.ensureChat();
    desk.setDefaults({});
    QVERIFY(desk.settings(first) == ofModel);  // as it was begun
    desk.begin();
    QVERIFY(desk.settings(0) == ChatSettings());
    desk.setSettings(0, own);
    desk.setDefaults(ofModel);
    QVERIFY(desk.settings(0) == own);
    QVERIFY(desk.settings(desk.ensureChat()) == own);
    desk.begin();
    QVERIFY(desk.settings(0) == ofModel);
    desk.setSettings(0, ofModel);  // confirmed, not chosen
    desk.setDefaults({});
    QVERIFY(desk.settings(0) == ChatSettings());
  }

  void anAnswerIsWrittenDown() {
    Room room;
    QSignalSpy begun(&room.writer, &AnswerWriter::begun);
    const RequestId request = room.ask("a", 0, "What is a KV cache?");
    QCOMPARE(begun.size(), 1);
    QVERIFY(room.writer.isAnswering(room.desk.shown()));
    QCOMPARE(room.chat().messages.back().state, MessageState::kStreaming);
    room.run();
    QVERIFY(!room.writer.isAnswering(room.desk.shown()));
    const ChatRecord chat = room.chat();
    QCOMPARE(chat.messages.size(), 2u);
    QCOMPARE(chat.summary.title, QString("What is a KV cache?"));
    const MessageRecord& answer = chat.messages.back();
    QCOMPARE(answer.state, MessageState::kComplete);
    QCOMPARE(answer.text, room.textOf(request));
    QVERIFY(!answer.text.isEmpty());
    QCOMPARE(int(answer.tokens.size()), 6);
    QCOMPARE(answer.timings.outputTokens, 6);
    // The state of a sequence has no probabilities: these are the events'.
    std::vector<float> drawn, kept;
    room.session.recording().forEach([&](const Event& event) {
      if (const auto* sampled = bodyOf<TokenSampled>(event))
        drawn.push_back(static_cast<float>(sampled->logprob));
    });
    for (const AnswerToken& token : answer.tokens) kept.push_back(token.logprob);
    QCOMPARE(kept, drawn);
    QCOMPARE(answer.timings.promptTokens, 8);
    QVERIFY(answer.provenance.engineOptions.startsWith(u'{'));
  }

  void howLongItThoughtIsKept() {
    Room room;
    room.ask("a", 0, "one", 4);
    const char* const kWords[] = {"<think>", "hm", "</think>", "Yes"};
    std::size_t word = 0;
    std::vector<std::int64_t> times;
    while (room.machine.step()) {
      auto events = room.machine.take();
      for (Event& event : events) {  // the words are ours; everything else is as the machine said it
        auto* sampled = std::get_if<TokenSampled>(&event.body);
        if (sampled == nullptr) continue;
        sampled->text = kWords[word++];
        times.push_back(event.timeNs);
      }
      room.session.append(std::move(events));
    }
    QCOMPARE(word, std::size(kWords));
    const MessageRecord answer = room.chat().messages.back();
    QCOMPARE(answer.thinking, QString("hm"));
    QCOMPARE(answer.timings.thinkingTokens, 3);
    QCOMPARE(answer.timings.thinkingNs, times[2] - times[0]);
  }

  // What is looked at changes nothing in what is kept.
  void thePastIsNotWritten() {
    Room room;
    const RequestId request = room.ask("a", 0, "one");
    for (int i = 0; i < 3; ++i) room.machine.step();
    room.pump();
    room.session.goToStep(1);
    for (int i = 0; i < 2; ++i) room.machine.step();
    room.pump();
    room.run();
    room.session.goLive();
    QCOMPARE(room.chat().messages.back().text, room.textOf(request));
    QCOMPARE(int(room.chat().messages.back().tokens.size()), 6);
  }

  void anotherChatGoesOn() {
    Room room;
    const RequestId first = room.ask("a", 0, "one", 12);
    const ChatId one = room.desk.shown();
    room.desk.begin();
    QCOMPARE(room.desk.shown(), ChatId{0});
    const RequestId second = room.ask("b", 0, "two", 4);
    const ChatId two = room.desk.shown();
    QVERIFY(one != two);
    QVERIFY(room.writer.isAnswering(one) && room.writer.isAnswering(two));
    const std::vector<AnswerWriter::Answering> both = {{one, first}, {two, second}};
    QVERIFY(room.writer.answering() == both);
    room.run();
    QVERIFY(room.writer.answering().empty());
    QCOMPARE(room.desk.history().chat(one)->messages.back().text, room.textOf(first));
    QCOMPARE(room.desk.history().chat(two)->messages.back().text, room.textOf(second));
  }

  void aTurnThatIsRefusedLeavesNothing() {
    Room room;
    const ChatId chat = room.desk.ensureChat();
    room.writer.pending().add({chat, {.question = "one"}, named("a")});
    QVERIFY(room.writer.pending().has(chat));
    QCOMPARE(room.writer.pending().take("a").value_or(PendingTurn()).turn.question, QString("one"));
    QVERIFY(!room.writer.pending().has(chat) && !room.writer.pending().take("a"));
    room.machine.submit("a", 8, 4);
    room.pump();
    room.run();
    QVERIFY(room.chat().messages.empty());
  }

  void aNewMachineEndsAnswers() {
    Room room;
    room.ask("a", 0, "one", 20);
    for (int i = 0; i < 4; ++i) room.machine.step();
    room.pump();
    const QString before = room.chat().messages.back().text;
    QVERIFY(!before.isEmpty());
    WordMachine other(64, 8);
    other.submit("x", 4, 2);
    room.session.append(other.take());
    QCOMPARE(room.chat().messages.back().state, MessageState::kStopped);
    QCOMPARE(room.chat().messages.back().text, before);
    QVERIFY(!room.writer.isAnswering(room.desk.shown()));
  }

  void branches() {
    Room room;
    room.ask("a", 0, "one");
    room.run();
    const std::vector<ShownMessage> first = room.desk.branch();
    QCOMPARE(first.size(), 2u);
    room.ask("b", first[0].message.id, {});  // another answer
    room.run();
    std::vector<ShownMessage> now = room.desk.branch();
    QCOMPARE(now.size(), 2u);
    QCOMPARE(now[1].variants, 2);
    QCOMPARE(now[1].variant, 1);
    QVERIFY(now[1].message.id != first[1].message.id);
    QSignalSpy opened(&room.desk, &Desk::opened);
    room.desk.showSibling(now[1].message.id, -1);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(room.desk.branch()[1].message.id, first[1].message.id);
    room.desk.showSibling(first[1].message.id, -1);  // there is none
    QCOMPARE(opened.size(), 1);
    room.ask("c", 0, "another question");
    room.run();
    now = room.desk.branch();
    QCOMPARE(now[0].variants, 2);
    QCOMPARE(now[0].message.text, QString("another question"));
  }

  // The file of a program that was killed: as it lies while an answer streams.
  void theChatThatACrashCutIsShown() {
    QTemporaryDir folder;
    const QString file = folder.filePath("chats.db"), left = folder.filePath("left.db");
    ChatId cut = 0;
    {
      ChatHistory history;
      QVERIFY(history.open(file).ok());
      cut = history.createChat();
      const MessageId question = history.addMessage(cut, 0, MessageRole::kUser, "one");
      const MessageId answer = history.beginAnswer(cut, question, {});
      QVERIFY(history.append(answer, {.text = "half of it", .tokens = {{7}}}));
      const ChatId newer = history.createChat();
      history.addMessage(newer, 0, MessageRole::kUser, "two");
      history.flush();
      for (const char* part : {"", "-wal"}) QVERIFY(QFile::copy(file + part, left + part));
    }
    Desk desk;
    QVERIFY(desk.keepIn(left).ok());
    QCOMPARE(desk.shown(), cut);
    QCOMPARE(desk.branch().back().message.text, QString("half of it"));
    QCOMPARE(desk.branch().back().message.state, MessageState::kStopped);
    QVERIFY(desk.keepIn(left).ok());  // once
    QCOMPARE(desk.shown(), ChatId{0});
  }

  void severalAreRemovedAndComeBackTogether() {
    Room room;
    std::vector<ChatId> chats;
    for (const char* name : {"a", "b", "c"}) {
      room.desk.begin();
      room.ask(name, 0, name);
      room.run();
      chats.push_back(room.desk.shown());
    }
    room.desk.remove({chats[0], chats[2], 999});
    QCOMPARE(room.desk.shown(), ChatId{0});
    QCOMPARE(room.desk.history().chats().size(), 1u);
    QVERIFY(room.desk.undoRemove());
    QCOMPARE(room.desk.history().chats().size(), 3u);
    QVERIFY(!room.desk.canUndoRemove());
    room.desk.setArchived(chats, true);
    QVERIFY(room.desk.history().chats().empty());
    room.desk.setArchived(chats, false);
    room.desk.setPinned({chats[1]}, true);
    QCOMPARE(room.desk.history().chats().front().id, chats[1]);
    room.desk.duplicate(chats);
    QCOMPARE(room.desk.history().chats().size(), 6u);
    QVERIFY(std::ranges::find(chats, room.desk.shown()) == chats.end());
  }

  void removedChatsComeBack() {
    Room room;
    room.ask("a", 0, "one");
    room.run();
    const ChatId chat = room.desk.shown();
    room.desk.remove({chat});
    QCOMPARE(room.desk.shown(), ChatId{0});
    QVERIFY(room.desk.canUndoRemove());
    QVERIFY(room.desk.history().chats().empty());
    QVERIFY(room.desk.undoRemove());
    QCOMPARE(room.desk.shown(), chat);
    QVERIFY(!room.desk.canUndoRemove());
    QCOMPARE(room.desk.branch().size(), 2u);
  }

  // One after another, the last one first; one that came back otherwise is passed over.
  void undoGoesBackThroughAllRemovals() {
    Room room;
    std::vector<ChatId> chats;
    for (const char* name : {"a", "b", "c", "d"}) {
      room.desk.begin();
      room.ask(name, 0, name);
      room.run();
      chats.push_back(room.desk.shown());
    }
    QSignalSpy removed(&room.desk, &Desk::removed);
    for (const ChatId chat : chats) room.desk.remove({chat});
    QCOMPARE(removed.size(), 4);
    QVERIFY(!room.desk.bringBack(999));
    QVERIFY(room.desk.bringBack(chats[1]));
    QCOMPARE(room.desk.shown(), chats[1]);
    QVERIFY(!room.desk.bringBack(chats[1]));
    room.desk.history().undoRemove(chats[2]);  // by another program
    for (const int i : {3, 0}) {
      QVERIFY(room.desk.canUndoRemove());
      QVERIFY(room.desk.undoRemove());
      QCOMPARE(room.desk.shown(), chats[static_cast<std::size_t>(i)]);
    }
    QVERIFY(!room.desk.canUndoRemove() && !room.desk.undoRemove());
    QCOMPARE(room.desk.history().chats().size(), 4u);
    QVERIFY(room.desk.history().chats(ChatShelf::kRemoved).empty());
  }

  void whatCanBeDeletedOfAConversation() {
    Room room;
    const std::vector<MessageId> ids = room.askTwice();
    const QStringList middle = {"Delete only this message 1"};
    QCOMPARE(room.offers(ids[0]), middle + QStringList("Delete from here on: 4 message(s) 4"));
    QCOMPARE(room.offers(ids[2]), middle + QStringList("Delete from here on: 2 message(s) 2"));
    QCOMPARE(room.offers(ids[3]), QStringList("Delete this message 1"));
    room.ask("c", ids[0], {});  // another answer to the first question
    room.run();
    QCOMPARE(room.offers(ids[1]), QStringList("Delete this version and what follows: 3 message(s) 3"));
    const MessageId version = room.chat().shownLeaf;
    QCOMPARE(room.offers(version), QStringList("Delete this version 1"));
    QVERIFY(room.offers(99).isEmpty());
    // Of a branch in the map, which names its last message.
    QVERIFY(removalOfBranch(room.chat(), ids[0]).empty());
    QCOMPARE(removalOfBranch(room.chat(), ids[3]).front().messages,
             (std::vector<MessageId>{ids[1], ids[2], ids[3]}));
    QCOMPARE(removalOfBranch(room.chat(), version).front().messages, std::vector<MessageId>{version});
    // A result of a tool goes with its answer, and what calls it not without.
    ChatHistory& history = room.desk.history();
    const MessageId result = history.addMessage(room.desk.shown(), version, MessageRole::kTool, "{}");
    history.addMessage(room.desk.shown(), result, MessageRole::kUser, "three");
    QCOMPARE(room.offers(result), QStringList("Delete from here on: 2 message(s) 2"));
    history.removeMessages(room.desk.shown(), {ids[1], ids[2], ids[3]});
    QCOMPARE(room.offers(version), QStringList("Delete from here on: 3 message(s) 3"));
  }

  // Chats and messages, the last one first.
  void undoGoesBackThroughMessagesAndChats() {
    Room room;
    const std::vector<MessageId> ids = room.askTwice();
    const ChatId chat = room.desk.shown();
    QSignalSpy opened(&room.desk, &Desk::opened), changed(&room.desk, &Desk::messagesChanged);
    QCOMPARE(room.desk.undoWords(), QString("Undo delete"));
    QVERIFY(answerTurn(room.desk, ids[3]).has_value());
    QVERIFY(room.desk.removeMessages(chat, {ids[1]}));
    QCOMPARE(opened.size(), 1);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(room.shownIds(), (std::vector<MessageId>{ids[0], ids[2], ids[3]}));
    QVERIFY(!answerTurn(room.desk, ids[3]).has_value());  // its prompt had that message
    QVERIFY(room.desk.removeMessages(chat, {ids[2], ids[3]}));
    QCOMPARE(room.shownIds(), std::vector<MessageId>{ids[0]});
    QVERIFY(!room.desk.removeMessages(chat, {ids[2]}) && !room.desk.removeMessages(99, {ids[0]}));
    QCOMPARE(room.desk.undoWords(), QString("Undo delete: 2 message(s)"));
    room.desk.remove({chat});
    QCOMPARE(room.desk.undoWords(), QString("Undo delete: 1 chat(s)"));
    QVERIFY(room.desk.undoRemove());
    QCOMPARE(room.desk.shown(), chat);
    QCOMPARE(room.shownIds(), std::vector<MessageId>{ids[0]});
    room.desk.begin();
    QVERIFY(room.desk.undoRemove());  // in its chat, which is opened
    QCOMPARE(room.desk.shown(), chat);
    QCOMPARE(room.shownIds(), (std::vector<MessageId>{ids[0], ids[2], ids[3]}));
    room.desk.history().undoRemoveMessages(chat, {ids[1]});  // by another program
    QVERIFY(!room.desk.undoRemove() && !room.desk.canUndoRemove());
    QCOMPARE(room.shownIds(), ids);
    QVERIFY(room.chat().find(ids[3])->provenance.leftOut.isEmpty());
  }

  // A version goes, its neighbour is shown, and undo shows the branch that was shown before.
  void undoShowsTheBranchOfBefore() {
    Room room;
    const std::vector<MessageId> ids = room.askTwice();
    room.ask("c", ids[2], {});  // a newer answer to the second question
    room.run();
    room.ask("d", ids[0], {});
    room.run();
    const MessageId other = room.chat().shownLeaf;
    room.desk.openAt(room.desk.shown(), ids[3]);
    QCOMPARE(room.shownIds(), ids);
    QVERIFY(room.desk.removeMessages(room.desk.shown(), removalsAt(room.chat(), ids[1]).front().messages));
    QCOMPARE(room.shownIds(), (std::vector<MessageId>{ids[0], other}));
    QCOMPARE(room.desk.branch().back().variants, 1);
    QVERIFY(room.desk.undoRemove());
    QCOMPARE(room.shownIds(), ids);
    // A branch that is not in sight.
    QVERIFY(room.desk.removeMessages(room.desk.shown(), {other}));
    QCOMPARE(room.shownIds(), ids);
    QVERIFY(room.desk.undoRemove());
    QCOMPARE(room.shownIds(), (std::vector<MessageId>{ids[0], other}));
  }

  void chatsStayInTheirFile() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("chats.db");
    QString text;
    {
      Room room;
      QVERIFY(room.desk.keepIn(file).ok());
      room.ask("a", 0, "one");
      room.run();
      text = room.chat().messages.back().text;
    }
    Desk again;
    QVERIFY(again.keepIn(file).ok());
    QCOMPARE(again.shown(), ChatId{0});
    QCOMPARE(again.history().chats().size(), 1u);
    QVERIFY(again.open(again.history().chats().front().id));
    QCOMPARE(again.branch().back().message.text, text);
    QVERIFY(!again.open(4711));
  }
};

QTEST_GUILESS_MAIN(TestDesk)
#include "tst_desk.moc"
