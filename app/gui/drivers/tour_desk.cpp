// Tour: what is seen of the chat at some moments only: a prompt that is being read, files that wait to be
// sent, a context that is full. The comparison with other chats (app/desk/COMPARISON.md) shows them.
#include <QDateTime>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>
#include <algorithm>

#include "desk/chat_list_view.h"
#include "gui/answers/token_looker.h"
#include "gui/chat/chat_importing.h"
#include "gui/chat/chats.h"
#include "gui/chat/context_line.h"
#include "gui/drivers/tour.h"
#include "gui/drivers/tour_sizes.h"
#include "gui/parts/message_bar.h"
#include "vitrine/output_file.h"
#include "widgets/chat/chat_view.h"
#include "widgets/message/prompt_reuse_view.h"
#include "widgets/message/token_popup.h"

namespace vitrine {

namespace {

constexpr qint64 kDayMs = 24 * 3600 * 1000;
constexpr int kFirstShare = 3;  // a third of a prompt is read where the picture of its progress is taken

struct Exchange {
  const char *title, *question, *answer;
};

const Exchange kExchanges[] = {
    {"Why a batch pays", "Why is a batch of eight nearly as fast as one sequence?",
     "The weights are read once for each step, whatever the number of rows. Eight sequences share that "
     "reading; only their **KV blocks** are their own."},
    {"What preemption costs", "What is lost when a sequence is preempted?",
     "Its blocks go back to the pool. Without swap, their keys and values are computed again."},
    {"Prefix sharing", "When do two requests share a block?",
     "When everything up to the end of the block is equal, token by token. A block is named by a hash of "
     "itself and all blocks before it."},
    {"Beams", "Does a beam copy its past?",
     "No. Beams hold the same blocks, and a block is copied when one of them writes into it."},
};

// A day apart, the first one today.
std::vector<ChatRecord> otherChats() {
  std::vector<ChatRecord> chats;
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  for (const Exchange& exchange : kExchanges) {
    ChatRecord& chat = chats.emplace_back();
    chat.summary.title = QString::fromLatin1(exchange.title);
    chat.summary.titleGiven = true;
    chat.summary.createdMs = chat.summary.changedMs = now - kDayMs * static_cast<qint64>(chats.size() - 1);
    chat.messages.resize(2);
    chat.messages[0].id = 1;
    chat.messages[0].text = QString::fromLatin1(exchange.question);
    chat.messages[1].id = chat.shownLeaf = 2;
    chat.messages[1].parent = 1;
    chat.messages[1].role = MessageRole::kAssistant;
    chat.messages[1].text = QString::fromLatin1(exchange.answer);
    for (MessageRecord& message : chat.messages) message.createdMs = chat.summary.createdMs;
  }
  return chats;
}

// More than the built-in model's context holds.
ChatRecord longChat() {
  constexpr int kRounds = 9;
  ChatRecord chat;
  chat.summary.title = QStringLiteral("All about blocks");
  chat.summary.titleGiven = true;
  chat.summary.createdMs = chat.summary.changedMs = QDateTime::currentMSecsSinceEpoch();
  for (int i = 0; i < kRounds * static_cast<int>(std::size(kExchanges)); ++i) {
    const Exchange& exchange = kExchanges[static_cast<std::size_t>(i) % std::size(kExchanges)];
    for (const MessageRole role : {MessageRole::kUser, MessageRole::kAssistant}) {
      MessageRecord& message = chat.messages.emplace_back();
      message.id = static_cast<MessageId>(chat.messages.size());
      message.parent = message.id - 1;
      message.role = role;
      message.text = QString::fromLatin1(role == MessageRole::kUser ? exchange.question : exchange.answer);
    }
  }
  chat.shownLeaf = chat.messages.back().id;
  return chat;
}

// As ChatGPT exports it.
constexpr std::string_view kExport =
    R"([{"title": "Lighthouses", "create_time": 1760000000, "current_node": "b",
  "mapping": {
    "a": {"id": "a", "parent": null, "children": ["b"], "message": {"author": {"role": "user"},
      "create_time": 1760000000, "content": {"content_type": "text", "parts": ["How far is a light seen?"]}}},
    "b": {"id": "b", "parent": "a", "children": [], "message": {"author": {"role": "assistant"},
      "create_time": 1760000001, "content": {"content_type": "text",
      "parts": ["About as many **sea miles** as twice the root of its height in metres."]}}}}}])";

void write(const QString& path, std::string_view text) {
  OutputFile file(path.toStdString());
  file.write(text);
  file.finish();
}

}  // namespace

void Tour::takeDesk() {
  if (m_others.empty()) {
    m_others = m_window.chats().desk().history().insert(otherChats());
    emit m_window.chats().desk().listChanged();
  }
  takeTokenInPlace();
  takeReuse();
  takePrefill();
  takeFiles();
  takeEdit();
  takeSearch();
  takeFull();
  takeImport();
}

// The popup over the conversation that it belongs to.
void Tour::takeTokenInPlace() {
  makeWindow(kTourSizes[1]);
  auto* const looker = m_window.findChild<TokenLooker*>();
  looker->open(m_window.chats().desk().branch().back().message.id);
  wait([looker] { return looker->popup().isVisible(); }, "the tokens of the answer were not shown");
  settle();
  take(&m_window, nameOf(QStringLiteral("chat-token"), kTourSizes[1]));
  looker->popup().close();
}

// The question is edited in its middle, so that the cache has its beginning only.
void Tour::takeReuse() {
  ChatView* const view = m_window.panels().chat;
  const ShownMessage question = m_window.chats().desk().branch().front();
  view->edit(question.message.id, QStringLiteral("Answer in two sentences and with an example: what does a "
                                                 "KV cache keep?"));
  send();
  waitForAnswer();
  view->edit(m_window.chats().desk().branch().front().message.id,
             QStringLiteral("Answer in two sentences and with an example: what do blocks keep?"));
  send();
  waitForAnswer();
  PromptReuseLine* line = nullptr;
  const auto isThere = [&] {
    for (auto* each : view->findChildren<PromptReuseLine*>())
      if (each->isVisible()) line = each;
    return line != nullptr;
  };
  wait(isThere, "nothing was told of the prompt's reuse");
  if (!line->button()->isChecked()) line->button()->click();
  takeSizes(QStringLiteral("chat-reuse"));
}

void Tour::takePrefill() {
  Chats& chats = m_window.chats();
  chats.controller().startAnew();
  QString question;
  for (const Exchange& exchange : kExchanges)
    question += QString::fromLatin1(exchange.question) + u' ' + QString::fromLatin1(exchange.answer) + u'\n';
  m_window.panels().chat->input()->setPlainText(question + QStringLiteral("What is common to all of these?"));
  send();
  m_window.host().pause();
  ChatModel& model = *m_window.panels().chatModel;
  const auto isPaused = [this] { return m_window.host().mode() == MachineMode::kPaused; };
  const auto read = [&model] {
    const AnswerFigures& figures = model.at(model.rowCount() - 1).figures;
    return figures.promptTokens > 0 && figures.computedTokens * kFirstShare >= figures.promptTokens;
  };
  wait([&] { return isPaused() && model.rowCount() > 0 && model.isAnswering(); }, "no prompt was read");
  while (!read()) {
    const int before = m_window.session().recording().lastFinishedStep();
    m_window.host().step();
    wait([&] { return isPaused() && m_window.session().recording().lastFinishedStep() > before; },
         "the prompt was not read");
  }
  takeSizes(QStringLiteral("chat-prefill"));
  m_window.host().run();
  waitForAnswer();
}

void Tour::takeFiles() {
  const QString notes = m_models.filePath(QStringLiteral("lighthouse.md"));
  const QString code = m_models.filePath(QStringLiteral("slots.py"));
  write(notes, "# The lighthouse\n\nIts keeper has a fox, nine lamps and a book of all ships.\n");
  write(code,
        "def slot(table, position, size):\n    return table[position // size] * size + position % size\n");
  Chats& chats = m_window.chats();
  chats.attach({notes, code});
  wait(
      [&] {
        const std::vector<FileChip> held = chats.controller().files().of(chats.desk().shown());
        return held.size() == 2 && std::ranges::all_of(held, [](const FileChip& f) { return f.tokens >= 0; });
      },
      "the files were not read");
  m_window.panels().chat->input()->setPlainText(QStringLiteral("Who lives in the lighthouse?"));
  takeSizes(QStringLiteral("chat-files"));
  send();
  waitForAnswer();
}

// The model's words, in the hands of the person.
void Tour::takeEdit() {
  Desk& desk = m_window.chats().desk();
  desk.open(m_others.front());
  const ShownMessage answer = desk.branch().back();
  m_window.panels().chat->edit(answer.message.id, answer.message.text);
  takeSizes(QStringLiteral("chat-edit"));
  m_window.panels().chat->input()->clear();
  m_window.chats().controller().startAnew();
}

void Tour::takeSearch() {
  ChatListView& list = m_window.chats().list();
  m_window.chats().desk().open(m_others.front());
  list.searchLine()->setText(QStringLiteral("block"));
  takeSizes(QStringLiteral("chat-search"));
  list.searchLine()->clear();
}

// A question that does not fit, and what is offered.
void Tour::takeFull() {
  Desk& desk = m_window.chats().desk();
  const ChatId chat = desk.history().insert({longChat()}).at(0);
  desk.open(chat);
  m_window.panels().chat->input()->setPlainText(QStringLiteral("And what is the sum of it all?"));
  send();
  auto* const line = m_window.findChild<ContextLine*>();
  wait([line] { return line->isVisible(); }, "the context was not full");
  takeSizes(QStringLiteral("chat-full"));
  m_window.panels().chat->input()->clear();
  desk.remove({chat});
  emit desk.listChanged();
}

void Tour::takeImport() {
  const QString file = m_models.filePath(QStringLiteral("conversations.json"));
  write(file, kExport);
  ChatImporting& importing = m_window.chats().importing();
  bool imported = false;
  const auto heard =
      QObject::connect(&importing, &ChatImporting::imported, &m_window, [&] { imported = true; });
  importing.import({file});
  wait([&imported] { return imported; }, "the chats were not imported");
  QObject::disconnect(heard);
  takeSizes(QStringLiteral("chat-import"));
  m_window.messages().closeAll();
}

}  // namespace vitrine
