// Random operations against a model of a few lines: in a file that is closed and opened again, in memory, and
// in a file whose disk is full now and then.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>

#include "history/history_files.h"

using namespace vitrine;

namespace {

struct Model {
  struct Message {
    MessageId id, parent;  // parent: as it was written, removed or not
    MessageRole role;
    QString text;
    bool streams = false, stopped = false, removed = false;
    int number = 0;                   // of its operation
    std::set<MessageId> otherwise{};  // messages above it that went or came back since it was made
  };
  struct Group {  // messages that were removed together
    int number = 0;
    std::vector<MessageId> messages;
  };
  struct Chat {
    QString title, draft;
    bool pinned = false, archived = false, removed = false;
    std::int64_t changedMs = 0;
    MessageId shown = 0;
    std::vector<Message> messages;
    std::vector<Group> groups;

    Message* find(MessageId id) {
      const auto found = std::ranges::find(messages, id, &Message::id);
      return found == messages.end() ? nullptr : &*found;
    }
    const Message* find(MessageId id) const { return const_cast<Chat*>(this)->find(id); }
    MessageId keptAbove(const Message& message) const {
      const Message* above = find(message.parent);
      while (above != nullptr && above->removed) above = find(above->parent);
      return above == nullptr ? 0 : above->id;
    }
    std::vector<MessageId> keptBelow(MessageId id) const {
      std::vector<MessageId> below;
      for (const Message& message : messages)
        if (!message.removed && keptAbove(message) == id) below.push_back(message.id);
      return below;
    }
    bool isAbove(MessageId above, const Message& message) const {
      for (const Message* one = find(message.parent); one != nullptr; one = find(one->parent))
        if (one->id == above) return true;
      return false;
    }
    void turn(const std::vector<MessageId>& group, bool away) {
      for (const MessageId id : group) find(id)->removed = away;
      for (Message& message : messages)
        for (const MessageId id : group)
          if (isAbove(id, message) && !message.otherwise.erase(id)) message.otherwise.insert(id);
    }
  };
  std::map<ChatId, Chat> chats;
};

class Players {
 public:
  Players(const QString& file, bool fullDisk, unsigned seed)
      : m_file(file), m_full(fullDisk), m_random(seed) {
    open();
  }

  void play(int turns) {
    for (int turn = 0; turn < turns && !QTest::currentTestFailed(); ++turn) {
      if (m_full && below(12) == 0) m_disk ? m_disk.reset() : void(m_disk.emplace());
      step();
      if (turn % 10 == 0) compare();
    }
    m_disk.reset();
    open();
    compare();
  }
  int fullTurns() const { return m_fullTurns; }

 private:
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  QString words() { return QStringLiteral("w%1 v%2").arg(below(30)).arg(below(30)); }

  // What streams when a history ends is found as stopped.
  void open() {
    if (m_history && m_file.isEmpty()) return;
    m_history.reset();
    m_history = std::make_unique<ChatHistory>();
    if (m_file.isEmpty()) return;
    QVERIFY2(m_history->open(m_file).ok(), qPrintable(m_history->status().message));
    for (auto& [id, chat] : m_model.chats)
      for (Model::Message& message : chat.messages)
        if (std::exchange(message.streams, false)) message.stopped = true;
  }

  void step() {
    if (m_model.chats.empty() || below(15) == 0) {
      const ChatId id = m_history->createChat();
      QVERIFY(id > 0);
      m_model.chats[id].changedMs = m_history->summary(id)->changedMs;
      return;
    }
    const auto chat = std::next(m_model.chats.begin(), below(static_cast<int>(m_model.chats.size())));
    if (below(3) == 0)
      changeChat(chat->first, chat->second);
    else
      changeMessages(chat->first, chat->second);
    if (m_history->status().inMemory) ++m_fullTurns;
  }

  void changeChat(ChatId id, Model::Chat& chat) {
    switch (below(8)) {
      case 0:
        QVERIFY(m_history->rename(id, chat.title = words()));
        break;
      case 1:
        QVERIFY(m_history->setPinned(id, chat.pinned = below(2) == 0));
        break;
      case 2:
        QVERIFY(m_history->setArchived(id, chat.archived = below(2) == 0));
        break;
      case 3:
        QVERIFY(m_history->setDraft(id, chat.draft = words()));
        break;
      case 4:
        chat.removed = !chat.removed;
        QVERIFY(chat.removed ? m_history->remove(id) : m_history->undoRemove(id));
        break;
      case 5:
        if (below(3) != 0) break;
        QVERIFY(m_history->purge(id));
        m_model.chats.erase(id);
        break;
      case 6:
        if (m_disk || below(2) == 0) break;
        m_history->retry();
        open();
        break;
      default:
        m_history->retry();
        break;
    }
  }

  void changeMessages(ChatId id, Model::Chat& chat) {
    const int count = static_cast<int>(chat.messages.size());
    const std::size_t any = count == 0 ? 0 : static_cast<std::size_t>(below(count));
    const MessageId parent = count == 0 || below(10) == 0 ? 0 : chat.messages[any].id;
    if (parent != 0 && chat.find(parent)->removed && below(2) == 0) {  // as if it were not there
      QCOMPARE(m_history->addMessage(id, parent, MessageRole::kUser, "none"), 0);
      QCOMPARE(m_history->show(parent), 0);
      return;
    }
    switch (below(8)) {
      case 6:
        if (count > 0) removeSome(id, chat, chat.messages[any]);
        break;
      case 7:
        if (!chat.groups.empty()) bringBackSome(id, chat);
        break;
      case 0: {
        if (parent != 0 && chat.find(parent)->removed) break;
        const QString text = words();
        added(chat, m_history->addMessage(id, parent, MessageRole::kUser, text), parent, MessageRole::kUser,
              text);
        if (chat.title.isEmpty()) chat.title = text;
        chat.changedMs = m_history->summary(id)->changedMs;
        break;
      }
      case 1:
        if (parent != 0 && chat.find(parent)->removed) break;
        added(chat, m_history->beginAnswer(id, parent, someProvenance()), parent, MessageRole::kAssistant,
              "");
        chat.messages.back().streams = true;
        chat.changedMs = m_history->summary(id)->changedMs;
        break;
      case 2:
        if (count == 0 || chat.messages[any].removed) break;
        chat.shown = m_history->show(chat.messages[any].id);
        QCOMPARE(chat.shown, newestBelow(chat, chat.messages[any].id));
        break;
      default:
        stream(id, chat, any);
        break;
    }
  }

  // A message alone, or with all below it; times tell what was written before and what after.
  void removeSome(ChatId id, Model::Chat& chat, const Model::Message& top) {
    std::vector<MessageId> group;
    const bool alone = below(2) == 0;
    bool can = !top.removed;
    for (const Model::Message& message : chat.messages) {
      if (message.id != top.id && (alone || message.removed || !chat.isAbove(top.id, message))) continue;
      group.push_back(message.id);
      can = can && !message.streams;
    }
    nextMoment();
    QCOMPARE(m_history->removeMessages(id, group), can);
    nextMoment();
    if (!can) return;
    chat.turn(group, true);
    chat.groups.push_back({++m_number, group});
    const Model::Message* gone = chat.find(chat.shown);
    if (gone == nullptr || !gone->removed) return;
    const MessageId above = chat.keptAbove(*gone);
    while (gone->parent != above) gone = chat.find(gone->parent);
    const std::vector<MessageId> versions = chat.keptBelow(above);
    chat.shown = above;
    if (versions.empty()) return;
    const auto newer = std::ranges::find_if(versions, [&](MessageId version) { return version > gone->id; });
    chat.shown = newestBelow(chat, newer == versions.begin() ? *newer : *std::prev(newer));
  }

  // What was written in the place of the first one by another author follows it.
  void bringBackSome(ChatId id, Model::Chat& chat) {
    const auto chosen = chat.groups.begin() + below(static_cast<int>(chat.groups.size()));
    const Model::Group group = *chosen;
    chat.groups.erase(chosen);
    const MessageId first = std::ranges::min(group.messages), above = chat.keptAbove(*chat.find(first));
    for (Model::Message& message : chat.messages)
      if (message.parent == above && message.number > group.number && message.role != chat.find(first)->role)
        message.parent = first;
    chat.turn(group.messages, false);
    QVERIFY(m_history->undoRemoveMessages(id, group.messages));
    QVERIFY(!m_history->undoRemoveMessages(id, group.messages));
    MessageId shown = chat.shown;
    while (shown != 0 && shown != first) shown = chat.keptAbove(*chat.find(shown));
    if (shown == 0) chat.shown = newestBelow(chat, first);
  }

  void stream(ChatId id, Model::Chat& chat, std::size_t any) {
    if (chat.messages.empty()) return;
    Model::Message& message = chat.messages[any];
    const QString piece = words() + ' ';
    QCOMPARE(m_history->append(message.id, {.text = piece, .tokens = {{below(1000), -1.0F}}}),
             message.streams);
    if (!message.streams) return;
    message.text += piece;
    if (below(4) == 0) m_history->flush();
    if (below(3) != 0) return;
    QVERIFY(m_history->finish(message.id, {}));
    message.streams = false;
    chat.changedMs = m_history->summary(id)->changedMs;
  }

  void added(Model::Chat& chat, MessageId id, MessageId parent, MessageRole role, const QString& text) {
    QVERIFY(id > parent);
    chat.messages.push_back({.id = id, .parent = parent, .role = role, .text = text, .number = ++m_number});
    chat.shown = id;
  }

  static MessageId newestBelow(const Model::Chat& chat, MessageId id) {
    const std::vector<MessageId> below = chat.keptBelow(id);
    return below.empty() ? id : newestBelow(chat, below.back());
  }

  void compare() {
    for (const ChatShelf shelf : {ChatShelf::kCurrent, ChatShelf::kArchived, ChatShelf::kRemoved}) {
      std::vector<std::tuple<bool, std::int64_t, ChatId>> wanted, found;
      for (const auto& [id, chat] : m_model.chats)
        if (shelf == (chat.removed    ? ChatShelf::kRemoved
                      : chat.archived ? ChatShelf::kArchived
                                      : ChatShelf::kCurrent))
          wanted.emplace_back(chat.pinned, chat.changedMs, id);
      std::ranges::sort(wanted, std::greater<>());
      for (const ChatSummary& chat : m_history->chats(shelf))
        found.emplace_back(chat.pinned, chat.changedMs, chat.id);
      QVERIFY(found == wanted);
    }
    for (const auto& [id, chat] : m_model.chats) compareChat(*m_history->chat(id), chat);
    for (const QString& word : {QString("w%1").arg(below(30)), QString("v%1 w").arg(below(30))})
      compareSearch(word);
  }

  static void compareChat(const ChatRecord& found, const Model::Chat& chat) {
    QCOMPARE(found.summary.title, chat.title);
    QCOMPARE(found.draft, chat.draft);
    QCOMPARE(found.shownLeaf, chat.shown);
    QCOMPARE(std::ssize(found.messages), std::ranges::count(chat.messages, false, &Model::Message::removed));
    for (const Model::Message& wanted : chat.messages) {
      const MessageRecord* const message = found.find(wanted.id);
      QCOMPARE(message == nullptr, wanted.removed);
      if (wanted.removed) continue;
      QCOMPARE(message->parent, chat.keptAbove(wanted));
      const bool otherwise = wanted.role == MessageRole::kAssistant && !wanted.otherwise.empty();
      QCOMPARE(message->provenance.leftOut, otherwise ? promptOfAnotherPath() : QString());
      QCOMPARE(message->role, wanted.role);
      QCOMPARE(message->text, wanted.text);
      QCOMPARE(message->state, wanted.streams   ? MessageState::kStreaming
                               : wanted.stopped ? MessageState::kStopped
                                                : MessageState::kComplete);
    }
  }

  // All words, the last one as the beginning of one.
  void compareSearch(const QString& query) {
    const QStringList asked = query.split(' ');
    const auto matches = [&](const QString& text) {
      const QStringList has = text.split(' ', Qt::SkipEmptyParts);
      for (qsizetype i = 0; i + 1 < asked.size(); ++i)
        if (!has.contains(asked[i])) return false;
      return std::ranges::any_of(has, [&](const QString& word) { return word.startsWith(asked.back()); });
    };
    std::set<std::pair<ChatId, MessageId>> wanted, found;
    for (const auto& [id, chat] : m_model.chats) {
      if (chat.removed) continue;
      if (matches(chat.title)) wanted.emplace(id, 0);
      for (const Model::Message& message : chat.messages)
        if (!message.streams && !message.removed && matches(message.text)) wanted.emplace(id, message.id);
    }
    for (const SearchHit& hit : m_history->search(query, 100000)) found.emplace(hit.chat, hit.message);
    QVERIFY2(found == wanted,
             qPrintable(QString("%1: %2, not %3").arg(query).arg(found.size()).arg(wanted.size())));
  }

  const QString m_file;
  const bool m_full;
  std::mt19937 m_random;
  Model m_model;
  std::unique_ptr<ChatHistory> m_history;
  std::optional<FullDisk> m_disk;
  int m_fullTurns = 0, m_number = 0;
};

}  // namespace

class TestHistoryLaw : public QObject {
  Q_OBJECT

 private slots:
  void aHistoryIsWhatTheModelSays_data() {
    QTest::addColumn<bool>("inFile");
    QTest::addColumn<bool>("fullDisk");
    QTest::newRow("a file") << true << false;
    QTest::newRow("memory") << false << false;
    QTest::newRow("a disk that fills up") << true << true;
  }
  void aHistoryIsWhatTheModelSays() {
    QFETCH(bool, inFile);
    QFETCH(bool, fullDisk);
    QTemporaryDir folder(testFolder());
    int fullTurns = 0;
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const QString file = inFile ? folder.filePath(QString::number(seed)) : QString();
      {
        Players players(file, fullDisk, seed);
        players.play(300);
        if (QTest::currentTestFailed()) return;
        fullTurns += fullDisk ? players.fullTurns() : 0;
      }
      if (inFile) QCOMPARE(soundness(file), "ok");
    }
    QCOMPARE(fullTurns > 100, fullDisk);
  }
};

QTEST_GUILESS_MAIN(TestHistoryLaw)
#include "tst_history_law.moc"
