// Tour: the pages of the chat, and the windows that are opened from it.
#include <QCoreApplication>
#include <QDateTime>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include "gui/answers/token_looker.h"
#include "gui/chat/chat_settings_dialog.h"
#include "gui/chat/chats.h"
#include "gui/chat/side_by_side.h"
#include "gui/commands/command_palette.h"
#include "gui/commands/shortcuts_dialog.h"
#include "gui/drivers/tour.h"
#include "gui/help/about_dialog.h"
#include "gui/help/welcome_dialog.h"
#include "gui/library/models_window.h"
#include "gui/settings/settings_dialog.h"
#include "gui/window/palette_opening.h"
#include "gui/window/settings_opening.h"
#include "vitrine/engine.h"
#include "widgets/chat/chat_view.h"
#include "widgets/chat/find_bar.h"
#include "widgets/message/token_popup.h"

namespace vitrine {

namespace {

constexpr qint64 kMemory = 8'000'000'000;  // bytes, so that estimates are the same on every machine

const QString kQuestion = QStringLiteral("Show me how an engine finds the slot of a token.");
const QString kAnswer = QStringLiteral(R"(A sequence keeps a **block table**. The block of a token is
`position / blockSize`, and its place in there `position % blockSize`:

```cpp
int slotOf(const BlockTable& table, int position) {
  const int block = table.blocks[position / kBlockSize];
  return block * kBlockSize + position % kBlockSize;  // in the pool
}
```

| position | block of the sequence | block of the pool |
|---:|---:|---:|
| 0 to 15 | 0 | 7 |
| 16 to 31 | 1 | 3 |

> Blocks need not lie beside each other.)");

// A question with two answers, of which the second one is shown.
ChatRecord writtenChat() {
  ChatRecord chat;
  chat.summary.title = QStringLiteral("Where a token lies");
  chat.summary.titleGiven = true;
  chat.summary.createdMs = chat.summary.changedMs = QDateTime::currentMSecsSinceEpoch();
  chat.messages.resize(3);
  chat.messages[0].id = 1;
  chat.messages[0].text = kQuestion;
  for (std::size_t i : {1, 2}) {
    chat.messages[i].id = static_cast<MessageId>(i + 1);
    chat.messages[i].parent = 1;
    chat.messages[i].role = MessageRole::kAssistant;
    chat.messages[i].text = i == 1 ? QStringLiteral("By its block table.") : kAnswer;
  }
  chat.shownLeaf = 3;
  return chat;
}

}  // namespace

void Tour::takeChat() {
  m_window.showPerspective(Perspective::kChat);
  m_window.openModel({});
  wait([this] { return m_window.host().mode() == MachineMode::kPaused; }, "the model was not loaded");
  m_window.chats().controller().startAnew();
  m_window.panels().chat->input()->setPlainText(QStringLiteral("What is a KV cache?"));
  send();
  waitForAnswer();
  takeWindows(Perspective::kChat);
  takeToken();
  takeBeside();
  takeDesk();
  takeReading();
  takeChatDialogs();
}

// Sends the text in the input, as Enter does.
void Tour::send() {
  QKeyEvent enter(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
  QCoreApplication::sendEvent(m_window.panels().chat->input(), &enter);
}

// To the last message, when the machine has nothing else to do.
void Tour::waitForAnswer() {
  const ChatModel& chat = *m_window.panels().chatModel;
  const auto answered = [&] {
    const MachineState& machine = m_window.session().recording().live();
    return chat.rowCount() > 0 && chat.at(chat.rowCount() - 1).status == AnswerStatus::kDone &&
           chat.at(chat.rowCount() - 1).message != 0 && machine.running.empty() && machine.waiting.empty();
  };
  wait(answered, "the question was not answered");
}

// The tokens of the answer, as a click on its first word shows them.
void Tour::takeToken() {
  auto* const looker = m_window.findChild<TokenLooker*>();
  wait([this] { return !m_window.chats().desk().branch().empty(); }, "the answer was not kept");
  looker->open(m_window.chats().desk().branch().back().message.id);
  wait([looker] { return looker->popup().isVisible(); }, "the tokens of the answer were not shown");
  settle();
  take(&looker->popup(), QStringLiteral("token"));
  looker->popup().close();
}

// Two ways to go on after the answer.
void Tour::takeBeside() {
  Desk& desk = m_window.chats().desk();
  ChatView* const chat = m_window.panels().chat;
  MessageId first = 0;
  const auto answered = [&] {
    const std::vector<ShownMessage> branch = desk.branch();
    return branch.size() == 4 && branch.back().message.id != first &&
           branch.back().message.state == MessageState::kComplete;
  };
  emit chat->sendRequested(QStringLiteral("Who are you?"));
  wait(answered, "the second question was not answered");
  const std::vector<ShownMessage> branch = desk.branch();
  first = branch.back().message.id;
  emit chat->editSent(branch[2].message.id, QStringLiteral("Tell me a short story about a fox."));
  wait(answered, "the second question was not answered in other words");
  m_window.chats().beside().open(desk.shown(), first);
  takeSizes(QStringLiteral("chat-beside"));
  m_window.chats().beside().close();
}

// Markdown, the tree of the chat, and what is sought.
void Tour::takeReading() {
  Desk& desk = m_window.chats().desk();
  if (m_written == 0) m_written = desk.history().insert({writtenChat()}).at(0);
  desk.open(m_written);
  ChatView* const chat = m_window.panels().chat;
  const bool wasChecked = chat->branchesButton()->isChecked();
  chat->branchesButton()->setChecked(true);
  takeSizes(QStringLiteral("chat-reading"));
  chat->branchesButton()->setChecked(wasChecked);
  chat->findAt(QStringLiteral("block"), {QStringLiteral("block")}, desk.branch().back().message.id);
  takeSizes(QStringLiteral("chat-find"));
  chat->findBar()->close();
}

void Tour::takeChatDialogs() {
  ChatSettingsDialog settings(
      {QStringLiteral("Answer as a lighthouse keeper."), {QStringLiteral("THE END")}, {}}, m_window.host(),
      &m_window);
  AboutDialog about(QStringLiteral("Vitrine, as this computer runs it"), &m_window);
  QDialog* const all = m_window.settings().open();
  WelcomeDialog welcome(&m_window);
  for (auto& [dialog, name] : std::initializer_list<std::pair<QDialog*, const char*>>{
           {&settings, "chat-settings"}, {&about, "about"}, {all, "settings"}, {&welcome, "welcome"}}) {
    dialog->show();
    settle();
    take(dialog, QLatin1String(name));
    dialog->close();
  }
  ShortcutsDialog::open(m_window);
  auto* const keys = m_window.findChild<ShortcutsDialog*>();
  settle();
  take(keys, QStringLiteral("keys"));
  delete keys;
  PaletteOpening opening(m_window.chats(), &m_window);
  opening.open();
  auto* const palette = m_window.findChild<CommandPalette*>();
  palette->line()->setText(QStringLiteral("chat"));
  settle();
  take(palette, QStringLiteral("palette"));
  palette->close();
}

// The folder has the built-in model alone, packed; a memory of one size, and no hub.
void Tour::takeModels() {
  const ModelsPlaces places{[this](const QStringList&) {
                              return ModelRoots{{{ModelProgram::kOwnFolder, m_models.path()}}};
                            },
                            m_models.path(),
                            {},
                            [] { return kMemory; }};
  ModelsWindow window(places, &m_window);
  window.show();
  window.search();
  wait([&window] { return !window.isSearching(); }, "the folder of models was not read");
  for (const ModelsWindow::Page page : {ModelsWindow::kHere, ModelsWindow::kGet}) {
    window.pages()->setCurrentIndex(page);
    takeSizes(window, page == ModelsWindow::kHere ? QStringLiteral("models") : QStringLiteral("models-get"));
  }
}

}  // namespace vitrine
