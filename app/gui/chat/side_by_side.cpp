#include "gui/chat/side_by_side.h"

#include <QApplication>
#include <QMenu>
#include <algorithm>
#include <utility>

#include "gui/chat/chat_beside.h"
#include "gui/chat/chat_page.h"
#include "widgets/chat/branch_map.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/support/formats.h"

namespace vitrine {

SideBySide::SideBySide(Sides sides, QObject* parent) : QObject(parent), m_sides(sides) {
  for (QTimer* timer : {&m_reading, &m_comparing}) {
    timer->setSingleShot(true);
    timer->setInterval(0);
  }
  connect(&m_reading, &QTimer::timeout, this, &SideBySide::read);
  connect(&m_comparing, &QTimer::timeout, this, &SideBySide::compare);
}

// All connections end with the pane.
void SideBySide::makePane() {
  m_pane = new ChatBeside(m_sides.session, &m_sides.page);
  connect(m_pane, &ChatBeside::closeRequested, this, &SideBySide::close);
  connect(m_pane, &ChatBeside::swapRequested, this, &SideBySide::swap);
  const auto readSoon = [this] { m_reading.start(); };
  const AnswerWriter& writer = m_sides.controller.answers();
  connect(&m_sides.desk, &Desk::listChanged, m_pane, readSoon);
  connect(&m_sides.desk, &Desk::opened, m_pane, readSoon);
  connect(&m_sides.desk, &Desk::settingsChanged, m_pane, readSoon);
  connect(&writer, &AnswerWriter::begun, m_pane, readSoon);
  connect(&writer, &AnswerWriter::ended, m_pane, [this](MessageId answer, const RequestFinished& finished) {
    if (m_pane == nullptr) return;
    m_pane->model().setReuse(answer, std::make_shared<PromptReuse>(promptReuseOf(m_sides.session, finished)));
    m_reading.start();
  });
  const auto compareSoon = [this] { m_comparing.start(); };
  for (ChatModel* const model : {&m_sides.shown, &m_pane->model()}) {
    connect(model, &QAbstractItemModel::modelReset, m_pane, compareSoon);
    connect(model, &QAbstractItemModel::dataChanged, m_pane, compareSoon);
    connect(model, &QAbstractItemModel::rowsInserted, m_pane, compareSoon);
    connect(model, &QAbstractItemModel::rowsRemoved, m_pane, compareSoon);
  }
  m_sides.page.setBeside(m_pane);
  m_pane->show();
  m_sides.page.arrange();
}

void SideBySide::open(ChatId chat, MessageId message) {
  const auto record = chat == 0 ? std::nullopt : m_sides.desk.history().chat(chat);
  if (!record || record->summary.removedMs != 0) return;
  const MessageId leaf = record->leafBelow(message != 0 ? message : record->shownLeaf);
  if (leaf == 0) return;
  m_chat = chat;
  m_leaf = leaf;
  m_branch.clear();
  if (m_pane == nullptr) makePane();
  read();
  if (m_pane == nullptr) return;
  reveal(fork());
  m_pane->transcript().setFocus(Qt::OtherFocusReason);
}

void SideBySide::close() {
  if (m_pane == nullptr) return;
  const bool hadFocus = m_pane->isAncestorOf(QApplication::focusWidget());
  m_chat = m_leaf = 0;
  m_branch.clear();
  m_reading.stop();
  m_comparing.stop();
  m_sides.view.transcript()->setMark(-1, {});
  m_pane->hide();
  std::exchange(m_pane, nullptr)->deleteLater();  // one of its buttons may be what asked for it
  m_sides.page.arrange();
  if (hadFocus) m_sides.view.focusInput();
}

void SideBySide::swap() {
  const std::vector<ShownMessage> here = m_sides.desk.branch();
  if (m_pane == nullptr || here.empty()) return;
  const ChatId chat = m_sides.desk.shown();
  m_sides.desk.openAt(m_chat, m_leaf);
  open(chat, here.back().message.id);
  m_sides.view.focusInput();
}

// Kept messages are read again; an answer under way comes from the session meanwhile.
void SideBySide::read() {
  if (m_pane == nullptr) return;
  const auto record = m_sides.desk.history().chat(m_chat);
  if (!record || record->summary.removedMs != 0 || record->find(m_leaf) == nullptr) return close();
  m_leaf = record->leafBelow(m_leaf);
  std::vector<ShownMessage> branch = m_sides.desk.branchTo(m_chat, m_leaf);
  const bool grown = !m_branch.empty() && branch.size() > m_branch.size();
  const bool isShown = std::ranges::equal(branch, m_branch, [](const ShownMessage& a, const ShownMessage& b) {
    return a.message.id == b.message.id && a.message.leftOut == b.message.leftOut;
  });
  m_branch = std::move(branch);
  if (!isShown) {
    std::vector<ChatEntry> entries = m_sides.controller.entries(m_chat, m_branch);
    for (ChatEntry& entry : entries) entry.readOnly = true;
    m_pane->model().show(std::move(entries));
    if (grown) m_pane->transcript().followEnd();
  }
  m_told.reset();
  compare();
}

ChatFork SideBySide::fork() const {
  return forkOf(m_sides.shown, m_pane->model(),
                m_chat == m_sides.desk.shown() ? ForkBy::kMessages : ForkBy::kWords);
}

void SideBySide::compare() {
  if (m_pane == nullptr) return;
  m_comparing.stop();
  const ChatFork parted = fork();
  if (m_told != parted) tell(parted);  // most changes are words of an answer, behind the fork
}

void SideBySide::tell(const ChatFork& fork) {
  m_told = fork;
  const auto summary = m_sides.desk.history().summary(m_chat);
  const QString title = summary ? summary->title.simplified() : QString();
  m_pane->setWords({title.isEmpty() ? tr("New chat") : title, about(fork), parting(fork)});
  m_pane->setCanSwap(m_sides.shown.rowCount() > 0);
  // Two chats that have nothing in common part nowhere.
  const bool sameChat = m_chat == m_sides.desk.shown(), marked = fork.shared > 0 || sameChat;
  const QString words = sameChat ? tr("The branches part here") : tr("The chats part here");
  m_sides.view.transcript()->setMark(marked && !fork.firstEnds ? fork.shared : -1, words);
  m_pane->transcript().setMark(marked && !fork.secondEnds ? fork.shared : -1, words);
}

// An answer that is being computed is watched at its end.
void SideBySide::reveal(const ChatFork& fork) {
  const auto bring = [](TranscriptView& view, const ChatModel& model, int row) {
    if (row >= model.rowCount() || model.isAnswering())
      view.followEnd();
    else
      view.reveal(row);
  };
  bring(*m_sides.view.transcript(), m_sides.shown, fork.shared);
  bring(m_pane->transcript(), m_pane->model(), fork.shared);
}

const MessageRecord* SideBySide::recordOf(int row) const {
  const ChatModel& model = m_pane->model();
  if (row < 0 || row >= model.rowCount()) return nullptr;
  const auto found =
      std::ranges::find(m_branch, model.at(row).message, [](const ShownMessage& m) { return m.message.id; });
  return found == m_branch.end() ? nullptr : &found->message;
}

QString SideBySide::about(const ChatFork& fork) const {
  QStringList parts;
  const ChatModel& beside = m_pane->model();
  if (m_chat == m_sides.desk.shown() && fork.shared < beside.rowCount()) {
    const auto forked = std::ranges::find(m_branch, beside.at(fork.shared).message,
                                          [](const ShownMessage& m) { return m.message.id; });
    if (forked != m_branch.end() && forked->variants > 1)
      parts << tr("Version %1 of %2").arg(forked->variant + 1).arg(forked->variants);
  }
  parts << BranchMapModel::tr("%n message(s)", nullptr, beside.rowCount()) << tr("read only");
  return parts.join(QStringLiteral(" · "));
}

QString SideBySide::parting(const ChatFork& fork) const {
  const bool sameChat = m_chat == m_sides.desk.shown();
  if (m_sides.shown.rowCount() == 0) return tr("The other chat is still empty.");
  if (fork.firstEnds && fork.secondEnds) return tr("Both are the same.");
  if (fork.shared == 0)
    return sameChat ? tr("The branches differ from the first message on.") : tr("They share no beginning.");
  QString words = sameChat ? tr("The branches part after message %1.").arg(fork.shared)
                           : tr("The chats part after message %1.").arg(fork.shared);
  if (fork.firstEnds || fork.secondEnds)
    words = fork.firstEnds
                ? tr("The same as far as message %1; only this one goes on.").arg(fork.shared)
                : tr("The same as far as message %1; only the other one goes on.").arg(fork.shared);
  if (const int tokens = sharedTokens(fork); tokens > 0)
    words += u' ' + tr("The shared beginning has %1.").arg(ChatModel::tr("%n token(s)", nullptr, tokens));
  return words;
}

// As the model read it: up to the last answer's end, or up to the last question for the answer to it. Not
// known where a prompt had not all of it, or had more: other instructions.
int SideBySide::sharedTokens(const ChatFork& fork) const {
  const MessageRecord* const last = recordOf(fork.shared - 1);
  if (last == nullptr) return 0;
  const MessageRecord* const answer = last->role == MessageRole::kAssistant ? last : recordOf(fork.shared);
  if (answer == nullptr || answer->role != MessageRole::kAssistant) return 0;
  const bool cut = std::ranges::any_of(m_branch, [](const ShownMessage& m) { return m.message.leftOut; });
  if (cut || !answer->provenance.leftOut.isEmpty()) return 0;
  Desk& desk = m_sides.desk;
  const ChatSettings beside = desk.settings(m_chat), shown = desk.settings(desk.shown());
  if (beside.instructions != shown.instructions || beside.tools != shown.tools) return 0;
  const int prompt = answer->timings.promptTokens;
  if (prompt == 0) return 0;
  if (answer == last) return prompt + answer->timings.outputTokens;
  const auto other =
      fork.firstEnds ? nullptr : m_sides.shown.at(fork.shared).reuse;  // null: it is being computed
  return other && other->promptTokens != prompt ? 0 : prompt;
}

bool SideBySide::isBeside(ChatId chat, MessageId message) {
  if (m_pane == nullptr || chat != m_chat) return false;
  return message == 0 ||
         std::ranges::any_of(m_branch, [message](const ShownMessage& m) { return m.message.id == message; });
}

void SideBySide::addChoice(QMenu& menu, const QString& text, ChatId chat, MessageId message) {
  QAction* const choice = menu.addAction(text);
  choice->setCheckable(true);
  choice->setChecked(isBeside(chat, message));
  connect(choice, &QAction::triggered, this, [this, chat, message](bool wanted) {
    if (wanted)
      open(chat, message);
    else
      close();
  });
}

void SideBySide::addVersionsTo(QMenu& menu, MessageId message) {
  const ChatId chat = m_sides.desk.shown();
  const auto record = chat == 0 ? std::nullopt : m_sides.desk.history().chat(chat);
  const std::vector<MessageId> versions = record ? record->siblings(message) : std::vector<MessageId>();
  if (versions.empty()) return;
  const bool isAnswer = record->find(message)->role == MessageRole::kAssistant;
  menu.addSeparator();
  if (versions.size() < 2 && isAnswer) {
    QAction* const none = menu.addAction(tr("Show another version &beside"));
    none->setEnabled(false);
    none->setToolTip(tr("This answer has one version; the map of branches shows any branch beside"));
  } else if (versions.size() == 2) {
    addChoice(menu, tr("Show the other version &beside"), chat,
              versions[0] == message ? versions[1] : versions[0]);
  } else if (versions.size() > 2) {
    QMenu* const several = menu.addMenu(tr("Show &beside"));
    for (std::size_t i = 0; i < versions.size(); ++i)
      if (versions[i] != message) addChoice(*several, tr("Version %1").arg(i + 1), chat, versions[i]);
  }
}

void SideBySide::addChatTo(QMenu& menu, ChatId chat, MessageId message) {
  addChoice(menu, tr("Show &beside"), chat, message);
}

void SideBySide::showBranchMenu(MessageId message, const QPoint& global) {
  auto* menu = new QMenu(&m_sides.page);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addChoice(*menu, tr("Show &beside"), m_sides.desk.shown(), message);
  emit branchMenuMade(*menu, message);
  menu->popup(global);
}

}  // namespace vitrine

#include "moc_side_by_side.cpp"
