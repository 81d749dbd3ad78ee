#include "gui/chat/chats.h"

#include <QPushButton>
#include <QToolButton>
#include <utility>

#include "desk/chat_list_model.h"
#include "desk/chat_list_view.h"
#include "gui/answers/answer_branches.h"
#include "gui/answers/answer_strips.h"
#include "gui/answers/message_deletion.h"
#include "gui/answers/surprise_tints.h"
#include "gui/chat/chat_branches.h"
#include "gui/chat/chat_focus.h"
#include "gui/chat/chat_importing.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chat_page.h"
#include "gui/chat/chat_settings_line.h"
#include "gui/chat/chat_trace.h"
#include "gui/chat/context_line.h"
#include "gui/chat/context_parts.h"
#include "gui/chat/deleted_chats_dialog.h"
#include "gui/chat/deleted_messages_dialog.h"
#include "gui/chat/prompt_looker.h"
#include "gui/chat/side_by_side.h"
#include "gui/chat/template_line.h"
#include "gui/chat/tool_results_line.h"
#include "gui/chat/typed_tokens.h"
#include "gui/turns/chat_namer.h"
#include "gui/turns/chat_settings.h"
#include "gui/turns/given_marks.h"
#include "widgets/chat/chat_view.h"
#include "widgets/chat/context_meter.h"
#include "widgets/chat/find_bar.h"
#include "widgets/chat/waiting_list.h"
#include "widgets/message/file_chips.h"

namespace vitrine {

Chats::Chats(Surroundings around, QWidget* window)
    : QObject(window),
      m_host(around.host),
      m_session(around.session),
      m_view(around.view),
      m_model(around.model),
      m_page(around.page),
      m_sampling(around.sampling),
      m_controller(new ChatController(around.host, around.session, around.view, around.model, around.sampling,
                                      m_desk, std::move(around.options), this)),
      m_branches(new AnswerBranches(around.host, around.session, m_desk, around.view, *m_controller, this)),
      m_deletion(new MessageDeletion(m_desk, m_controller->answers(), this)),
      m_tints(new SurpriseTints(around.host, m_desk, around.view, around.model, this)),
      m_listModel(new ChatListModel(m_desk, m_controller->answers(), this)),
      m_list(new ChatListView(m_desk, *m_listModel, window)),
      m_menu(new ChatMenu(m_desk, window)),
      m_importing(new ChatImporting(m_desk, this)),
      m_settings(new ChatSettingsLine(m_desk, around.host, &m_view)),
      m_tree(new ChatBranches(m_desk, around.session, m_controller->answers(), around.model,
                              *m_view.branchesButton(), &m_page)),
      m_trace(new ChatTrace(m_desk, around.session, *m_controller, this)),
      m_beside(new SideBySide({m_desk, around.session, *m_controller, m_view, around.model, m_page}, this)),
      m_prompt(new PromptLooker({m_desk, around.host, around.session, *m_controller, m_view, m_page},
                                *m_menu->prompt, this)) {
  auto* const namer = new ChatNamer(
      m_host, m_session, m_desk, m_controller->answers(), [this] { return m_alone; }, this);
  connect(namer, &ChatNamer::asked, this, &Chats::sent);
  connect(m_menu->naming, &QAction::toggled, namer, &ChatNamer::setWanted);
  new GivenMarks(m_host, m_desk, m_view, m_controller->answers(), this);
  m_page.setList(m_list);
  m_page.setSide(m_tree);
  new ChatFocus(
      *window, m_view, m_page, [this] { return m_alone; }, this);
  makeInputParts();
  m_menu->insertAction(m_menu->actions().value(3), m_tints->action());
  connect(m_menu, &ChatMenu::copyRequested, this,
          [&model = around.model](CopyForm form) { copyConversation(model, form); });
  wire();
}

QAction* Chats::colours() const { return m_tints->action(); }

void Chats::makeInputParts() {
  auto* more = new QToolButton(&m_view);
  more->setText(QStringLiteral("+"));
  more->setToolTip(tr("Files, and settings of the chat"));
  more->setAccessibleName(more->toolTip());
  more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(more);
  menu->addActions({m_menu->attach, m_menu->settings});
  more->setMenu(menu);
  m_view.addBeforeInput(more);
  m_view.addOverInput(m_settings);
  auto* typed = new TypedTokens(m_host, *m_view.input(), &m_view);
  m_view.addUnderInput(typed);
  connect(typed, &TypedTokens::counted, this, [this](int tokens) {
    ContextShares shares = m_view.contextMeter()->shares();
    shares.draft = tokens;
    m_view.contextMeter()->setShares(shares);
  });
  makeStrips();
  makeWaitingList();
  makeFileChips();
  m_settings->setRecommended([this] { return m_controller->recommended(); });
  auto* parts = new ContextParts(m_desk, m_host, *m_view.contextMeter(), this);
  connect(&m_controller->answers(), &AnswerWriter::begun, parts, &ContextParts::read);
  connect(&m_controller->answers(), &AnswerWriter::ended, parts, &ContextParts::read);
  auto* const context = new ContextLine(m_desk, *m_controller, &m_view);
  connect(&m_view, &ChatView::draftChanged, context, &ContextLine::followDraft);
  m_view.addOverInput(context);
  m_view.addOverInput(new TemplateLine(m_desk, *m_controller, &m_view));
  m_view.addOverInput(new ToolResultsLine(m_desk, m_host, *m_controller, &m_view));
  connect(m_menu->settings, &QAction::triggered, m_settings, &ChatSettingsLine::openDialog);
}

void Chats::makeStrips() {
  auto* strips = new AnswerStrips(m_desk, m_session, m_controller->answers(), &m_view);
  m_view.addOverInput(strips);
  connect(strips, &AnswerStrips::showRequested, this, [this](ChatId chat) {
    m_desk.open(chat);
    m_view.focusInput();
  });
  connect(strips, &AnswerStrips::stopRequested, this, [this](ChatId chat, RequestId request) {
    m_controller->waiting().hold(chat);
    m_host.cancel(request);
    m_view.focusInput();
  });
}

void Chats::makeWaitingList() {
  auto* list = new WaitingList(&m_view);
  m_view.addOverInput(list);
  WaitingMessages* waiting = &m_controller->waiting();
  const auto follow = [this, list, waiting] {
    list->setMessages(waiting->of(m_desk.shown()), waiting->isHeld(m_desk.shown()));
  };
  connect(waiting, &WaitingMessages::changed, list, follow);
  connect(&m_desk, &Desk::opened, list, follow);
  connect(list, &WaitingList::sendNowRequested, this, [this, waiting] { waiting->sendNow(m_desk.shown()); });
  connect(list, &WaitingList::removeRequested, this, [this, waiting](qint64 id) {
    waiting->take(m_desk.shown(), id);
    m_view.focusInput();
  });
  connect(list, &WaitingList::editRequested, this, [this, waiting](qint64 id) {
    if (const QString text = waiting->take(m_desk.shown(), id); !text.isEmpty()) m_controller->giveBack(text);
    m_view.focusInput();
  });
}

void Chats::makeFileChips() {
  auto* chips = new FileChips(&m_view);
  m_view.addOverInput(chips);
  ChatFiles* files = &m_controller->files();
  const auto follow = [this, chips, files] {
    const std::vector<FileChip> held = files->of(m_desk.shown());
    chips->setFiles(held);
    m_view.setAttached(static_cast<int>(held.size()));
  };
  connect(files, &ChatFiles::changed, chips, follow);
  connect(&m_desk, &Desk::opened, chips, follow);
  connect(files, &ChatFiles::taking, this, &Chats::takingFiles);
  connect(files, &ChatFiles::noticed, this, &Chats::fileNoticed);
  connect(chips, &FileChips::removeRequested, this, [this, files](qint64 id) {
    files->remove(id);
    m_view.focusInput();
  });
  connect(&m_view, &ChatView::filesPasted, this, &Chats::attach);
  connect(m_menu, &ChatMenu::filesChosen, this, &Chats::attach);
}

void Chats::attach(const QStringList& files) {
  m_controller->files().attach(m_desk.shown(), files);
  m_view.focusInput();
}

void Chats::beginInFront() {
  m_controller->startAnew();
  m_menu->prompt->setChecked(false);  // the conversation itself, not its prompt
  emit chatRequested();
}

void Chats::wire() {
  connect(&m_sampling, &SamplingController::newMessagesChanged, this, &Chats::followDefaults);
  connect(m_controller, &ChatController::sent, this, &Chats::sent);
  connect(m_controller, &ChatController::noticed, this, &Chats::noticed);
  connect(m_menu, &ChatMenu::newChatRequested, this, &Chats::beginInFront);
  const auto showConversation = [this] { m_menu->prompt->setChecked(false); };
  connect(m_list, &ChatListView::newChatRequested, this, showConversation);
  connect(m_menu, &ChatMenu::findRequested, this, showConversation);
  connect(m_menu->prompt, &QAction::toggled, this, [this](bool shown) {
    if (shown && !m_page.isVisible()) emit chatRequested();
  });
  connect(m_menu, &ChatMenu::searchRequested, this, [this] {
    m_menu->listShown->setChecked(true);
    emit chatRequested();
    m_list->focusSearch();
  });
  connect(m_menu, &ChatMenu::findRequested, this, [this] {
    if (!m_view.isVisible()) emit chatRequested();
    m_view.find();
  });
  connect(&m_desk, &Desk::opened, this, [this] {  // a hit of the list opens the bar anew
    if (std::exchange(m_soughtIn, m_desk.shown()) != m_desk.shown()) m_view.findBar()->close();
  });
  connect(m_menu, &ChatMenu::renameRequested, this, &Chats::rename);
  connect(&m_view, &ChatView::renameRequested, this, &Chats::rename);
  connect(&m_view, &ChatView::removeRequested, this, [this] {
    if (m_controller->files().of(m_desk.shown()).empty()) m_desk.remove({m_desk.shown()});
  });
  connect(m_menu->lastAnswer, &QMenu::aboutToShow, this, &Chats::fillLastAnswer);
  connect(m_menu, &ChatMenu::deletedRequested, this, [this] {
    (new DeletedChatsDialog(m_desk, m_session, *m_controller, m_menu->parentWidget()))->open();
  });
  connect(m_menu, &ChatMenu::deletedMessagesRequested, this, [this] {
    (new DeletedMessagesDialog(m_desk, m_session, *m_controller, m_menu->parentWidget()))->open();
  });
  connect(m_menu->listShown, &QAction::toggled, this, [this] { setAlone(m_alone); });
  connect(m_menu, &ChatMenu::noticed, this, &Chats::noticed);
  connect(m_menu, &ChatMenu::importRequested, m_importing, &ChatImporting::import);
  connect(m_importing, &ChatImporting::noticed, this, &Chats::noticed);
  connect(m_menu, &ChatMenu::traceRequested, m_trace, &ChatTrace::save);
  connect(m_trace, &ChatTrace::noticed, this, &Chats::noticed);
  connect(m_list, &ChatListView::newChatRequested, m_controller, &ChatController::startAnew);
  connect(m_list, &ChatListView::chosen, &m_view, &ChatView::focusInput);
  connect(m_list, &ChatListView::foundIn, this,
          [this](qint64 message, const QString& text, const QStringList& words) {
            m_view.findAt(text, words, message);
          });
  connect(m_list, &ChatListView::exportRequested, m_menu, &ChatMenu::chooseExport);
  connect(m_list, &ChatListView::importRequested, m_menu, &ChatMenu::chooseImport);
  connect(m_tree, &ChatBranches::arranged, &m_page, &ChatPage::arrange);
  connect(m_tree, &ChatBranches::closed, &m_view, &ChatView::focusInput);
  connect(m_branches, &AnswerBranches::menuMade, m_beside, &SideBySide::addVersionsTo);
  connect(m_branches, &AnswerBranches::menuMade, m_deletion, &MessageDeletion::addTo);
  connect(m_beside, &SideBySide::branchMenuMade, m_deletion, &MessageDeletion::addBranchTo);
  connect(m_deletion, &MessageDeletion::noticed, this, &Chats::noticed);
  connect(m_list, &ChatListView::menuMade, m_beside, &SideBySide::addChatTo);
  connect(m_tree, &ChatBranches::menuRequested, m_beside, &SideBySide::showBranchMenu);
  connect(&m_desk.history(), &ChatHistory::statusChanged, this, &Chats::showStatus);
  connect(&m_desk, &Desk::removed, this, &Chats::stopAnswers);
  connect(&m_controller->answers(), &AnswerWriter::begun, this,
          [this](const PendingTurn&, MessageId, MessageId answer) { stopIfRemoved(answer); });
}

// In its row in the list.
void Chats::rename() {
  if (m_desk.shown() == 0) return;
  m_menu->listShown->setChecked(true);
  emit chatRequested();
  m_list->rename(m_desk.shown());
}

void Chats::fillLastAnswer() {
  QMenu& menu = *m_menu->lastAnswer;
  menu.clear();
  const auto newest = [this](ChatRole role) {
    const ChatEntry* found = nullptr;
    for (int row = 0; row < m_model.rowCount(); ++row)
      if (m_model.at(row).role == role && m_model.at(row).message != 0) found = &m_model.at(row);
    return found;
  };
  const ChatEntry* const answer = newest(ChatRole::kAssistant);
  const ChatEntry* const question = newest(ChatRole::kUser);
  if (answer == nullptr || question == nullptr) return;
  menu.addAction(tr("A&gain"), this, [this, id = answer->message] { m_view.askAgain(id); })
      ->setEnabled(m_controller->canAnswer());
  menu.addAction(tr("Edit the &question"), this,
                 [this, id = question->message, text = question->text] { m_view.edit(id, text); });
  menu.addSeparator();
  m_branches->addActions(menu, answer->message);
}

// Nothing is computed for a chat that was deleted. The part of its answer that is written comes back with it.
void Chats::stopAnswers(ChatId chat) {
  m_controller->waiting().hold(chat);
  for (const AnswerWriter::Answering& one : m_controller->answers().answering())
    if (one.chat == chat) m_host.cancel(one.request);
}

// The engine took the request after its chat was deleted.
void Chats::stopIfRemoved(MessageId answer) {
  const RequestId request = m_controller->answers().requestOf(answer);
  for (const AnswerWriter::Answering& one : m_controller->answers().answering()) {
    if (one.request != request) continue;
    const auto summary = m_desk.history().summary(one.chat);
    if (summary && summary->removedMs != 0) stopAnswers(one.chat);
  }
}

void Chats::keepIn(const QString& file) {
  if (!file.isEmpty()) m_desk.keepIn(file);
}

// The same trouble again is no change that the history would tell.
void Chats::tryFileAgain() {
  const HistoryStatus before = m_desk.history().status();
  m_desk.history().retry();
  if (m_desk.history().status() == before) showStatus(before);
}

void Chats::keep() {
  m_controller->keepDraft();
  m_desk.history().flush();
}

void Chats::setAlone(bool alone) {
  m_alone = alone;
  followDefaults();
  m_page.setListWanted(alone && m_menu->listShown->isChecked());
}

// The sampler counts where it stands beside the conversation, and once a person has changed
// it. Else a new chat has what its model comes with.
void Chats::followDefaults() {
  const bool ofModel = m_alone && m_sampling.isDefault();
  m_desk.setDefaults({{}, {}, ofModel ? QString(kModelPreset) : QString()});
}

void Chats::showStatus(const HistoryStatus& status) {
  const bool wasInTrouble = std::exchange(m_inTrouble, !status.ok());
  if (!status.ok() || wasInTrouble) emit keepingChanged(status);
}

}  // namespace vitrine

#include "moc_chats.cpp"
