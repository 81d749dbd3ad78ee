#include "gui/turns/chat_controller.h"

#include <QPlainTextEdit>
#include <algorithm>
#include <utility>

#include "desk/prompt_messages.h"
#include "desk/provenance.h"
#include "gui/turns/answer_form.h"
#include "gui/turns/chat_settings.h"
#include "gui/turns/given_marks.h"
#include "history/chat_calls.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/conversation/chat_words.h"
#include "widgets/conversation/question_files.h"

namespace vitrine {
namespace {

constexpr int kDraftMs = 500;
constexpr int kStagedTokens = 96;  // each of the requests that wait at the first start

AnswerStatus statusOf(MessageState state) {
  switch (state) {
    case MessageState::kComplete:
      return AnswerStatus::kDone;
    case MessageState::kFailed:
      return AnswerStatus::kFailed;
    case MessageState::kStopped:
    case MessageState::kStreaming:
      return AnswerStatus::kStopped;
  }
  return AnswerStatus::kDone;
}

ChatRole chatRoleOf(MessageRole role) {
  switch (role) {
    case MessageRole::kSystem:
      return ChatRole::kSystem;
    case MessageRole::kUser:
      return ChatRole::kUser;
    case MessageRole::kAssistant:
      return ChatRole::kAssistant;
    case MessageRole::kTool:
      return ChatRole::kTool;
  }
  return ChatRole::kUser;
}

// The note under the answer when it ended.
// A person has written it in the place of another one. Imported answers may lack a model, too.
bool isEdited(const ShownMessage& shown) {
  const MessageRecord& message = shown.message;
  return message.role == MessageRole::kAssistant && shown.variants > 1 &&
         message.provenance == Provenance() && message.timings == AnswerTimings();
}

QString noteOf(const ShownMessage& shown) {
  const MessageRecord& message = shown.message;
  RequestFinished finished;
  finished.givenTokens = static_cast<int>(givenTokens(message.provenance));
  finished.completionTokens = finished.givenTokens + message.timings.outputTokens;
  finished.cachedTokens = message.timings.cachedTokens;
  finished.queueNs = message.timings.queuedNs;
  finished.ttftNs = message.timings.firstTokenNs;
  finished.totalNs = message.timings.firstTokenNs + message.timings.decodeNs;
  QStringList parts;
  if (isEdited(shown)) parts << ChatController::tr("edited");
  if (message.state == MessageState::kStopped) parts << ChatController::tr("Stopped");
  if (!message.failure.isEmpty()) parts << message.failure;
  if (message.timings.outputTokens > 0) parts << finishedNote(finished);
  if (!message.provenance.model.isEmpty()) parts << message.provenance.model;
  return parts.join(QStringLiteral(" · "));
}

ShownLimit limitOf(const MessageRecord& message) {
  const bool canGoOn = message.provenance.leftOut != promptOfAnotherPath();
  if (message.state == MessageState::kStopped)
    return {{}, canGoOn && message.timings.outputTokens > 0};  // its note says the rest
  if (message.limit == AnswerLimit::kNone) return {};
  const bool thought = !message.thinking.isEmpty() && message.text.trimmed().isEmpty();
  const auto ending = [&](const QString& words) {
    return thought ? ChatController::tr("%1, while it was thinking").arg(words) : words;
  };
  if (message.limit == AnswerLimit::kContext)
    return {ending(ChatController::tr("The context is full")), false};
  const std::optional<Request> request = requestOf(message.provenance);
  return {ending(ChatController::tr("Stopped at %n token(s)", nullptr,
                                    request ? request->maxTokens : message.timings.outputTokens)),
          canGoOn};
}

QString leftOutNote() { return ChatController::tr("Left out: the model does not read this any more"); }

// Of an answer of an earlier session the reason is not kept.
std::shared_ptr<const PromptReuse> reuseOf(const AnswerTimings& timings) {
  auto reuse = std::make_shared<PromptReuse>();
  reuse->promptTokens = timings.promptTokens;
  reuse->cachedTokens = timings.cachedTokens;
  reuse->prefillNs = timings.prefillNs;
  return reuse;
}

}  // namespace

ChatController::ChatController(EngineHost& host, Session& session, ChatView& view, ChatModel& model,
                               const SamplingController& sampling, Desk& desk, Options options,
                               QObject* parent)
    : QObject(parent),
      m_host(host),
      m_session(session),
      m_view(view),
      m_model(model),
      m_sampling(sampling),
      m_desk(desk),
      m_options(std::move(options)),
      m_writer(new AnswerWriter(desk, session, this)),
      m_waiting(new WaitingMessages(desk, *m_writer, this)),
      m_files(new ChatFiles(host, session, this)),
      m_recommendation(new ModelRecommendation(host, session, this)) {
  connect(&view, &ChatView::sendRequested, this, &ChatController::send);
  connect(&view, &ChatView::stopRequested, this, &ChatController::stop);
  connect(&view, &ChatView::newChatRequested, this, &ChatController::startAnew);
  connect(&view, &ChatView::editSent, this, &ChatController::edit);
  connect(&view, &ChatView::againRequested, this, &ChatController::answerAgain);
  connect(&view, &ChatView::siblingRequested, &desk, &Desk::showSibling);
  connect(&desk, &Desk::opened, this, &ChatController::onOpened);
  connect(&desk, &Desk::messagesChanged, this, [this](ChatId chat) { m_refused.erase(chat); });
  connect(m_writer, &AnswerWriter::begun, this, &ChatController::onBegun);
  connect(&host, &EngineHost::chatFailed, this, [this](const QString& request) {
    if (const auto failed = m_writer->pending().take(request)) undo(*failed);
  });
  connect(&host, &EngineHost::chatFull, this, &ChatController::onFull);
  connect(&host, &EngineHost::chatRefused, this, &ChatController::onTemplateRefused);
  connect(m_waiting, &WaitingMessages::due, this,
          [this](ChatId chat, const QString& text) { sendMessage(chat, text, true); });
  connect(m_writer, &AnswerWriter::ended, this, [this](MessageId answer, const RequestFinished& finished) {
    if (finished.promptTokens > 0) {  // else they are not known
      m_reuses[answer] = std::make_shared<PromptReuse>(promptReuseOf(m_session, finished));
      m_model.setReuse(answer, m_reuses[answer]);
    }
    if (const auto kept = m_desk.shownMessage(answer)) m_model.setLimit(answer, limitOf(*kept));
  });
  m_drafting.setSingleShot(true);
  m_drafting.setInterval(kDraftMs);
  connect(&m_drafting, &QTimer::timeout, this, &ChatController::keepDraft);
  connect(&view, &ChatView::draftChanged, this, [this](const QString& text) {
    m_draft = text;
    m_drafting.start();
  });
  view.setSuggestions({tr("Tell me a story about a fox and a lighthouse."), tr("What is a KV cache?"),
                       tr("Why does the scheduler preempt a request?"), tr("What can you do?")});
}

// Versions of the two new messages are counted, and an answer to a chat that was opened meanwhile comes into
// sight.
void ChatController::onBegun(const PendingTurn& taken, MessageId question, MessageId answer) {
  m_refused.erase(taken.chat);
  m_model.setMessages(taken.name(), question, answer);
  const std::vector<ShownMessage> branch = m_desk.branch();
  const auto first = branch.end() - std::min<std::ptrdiff_t>(2, std::ssize(branch));
  const int last = m_model.rowCount() - 1;
  const bool unseen = !branch.empty() && branch.back().message.id == answer &&
                      (last < 0 || m_model.at(last).message != answer);
  if (unseen || taken.turn.results.size() > 1 ||
      std::any_of(first, branch.end(), [](const ShownMessage& m) { return m.variants > 1; }))
    m_model.show(entries(m_desk.shown(), branch));
}

// The question goes back to where it was written, or, out of sight, to those that wait.
void ChatController::undo(const PendingTurn& failed) {
  const QString& question = failed.turn.question;
  const QString text = m_model.takeBack(failed.name());
  if (question.isEmpty() && failed.chat == m_desk.shown()) showBranch();
  if (!text.isEmpty()) giveBack(text);
  m_waiting->hold(failed.chat);
  if (text.isEmpty() && !question.isEmpty())
    m_waiting->putBack(failed.chat, question);
  else if (failed.turn.waited)
    m_waiting->keep(failed.chat);
  emit notSent();
}

std::vector<ChatOrder> ChatController::stagedRequests() const {
  const QStringList questions = {tr("Hello! Please tell me what a KV cache is, and why an engine keeps one."),
                                 tr("Tell me a short story about a fox and a lighthouse."),
                                 tr("Hello! Who are you?")};
  std::vector<ChatOrder> staged;
  for (const QString& question : questions) {
    ChatOrder order;
    order.dialogue.messages = {{ChatRole::kUser, question.toStdString()}};
    order.request = requestNamed(QStringLiteral("R%1").arg(staged.size() + 1));
    const int most = order.request.maxTokens;
    order.request.maxTokens = most == 0 ? kStagedTokens : std::min(most, kStagedTokens);
    staged.push_back(std::move(order));
  }
  return staged;
}

Request ChatController::requestNamed(const QString& name) const {
  Request request;
  request.name = name.toStdString();
  request.sampling = m_sampling.sampling();
  request.maxTokens = m_sampling.maxTokens();
  request.sequences = m_sampling.answers();
  request.beamWidth = m_sampling.beams();
  if (request.searches()) request.sampling.temperature = 0;  // a beam search draws nothing
  return request;
}

void ChatController::setThinking(bool thinking) {
  m_thinking = thinking;
  emit thinkingChanged();
}

void ChatController::giveBack(const QString& text) {
  const QuestionParts parts = questionParts(text);
  m_files->attach(m_desk.shown(), parts.files);
  m_view.giveBack(parts.question);
}

void ChatController::send(const QString& question) {
  if (m_files->isReading()) {
    m_view.giveBack(question);
    return m_files->sayReading();
  }
  const ChatId chat = m_desk.shown();
  if (const auto from = m_carried.find(chat); from != m_carried.end()) {
    m_desk.history().setDraft(from->second, {});
    m_carried.erase(from);
    emit m_desk.listChanged();
  }
  const QString text = m_files->takeInto(chat, question);
  if (m_model.isAnswering() || m_waiting->areDue(chat)) return m_waiting->add(chat, text);
  sendMessage(chat, text, false);
}

// In a chat that is not in sight, the question comes into sight with the chat.
void ChatController::sendMessage(ChatId chat, const QString& text, bool waited) {
  const std::vector<ShownMessage> branch = m_desk.branchOf(chat);
  const ChatTurn turn{.parent = branch.empty() ? 0 : branch.back().message.id,
                      .question = text,
                      .before = branch,
                      .waited = waited};
  if (chat == m_desk.shown()) {
    submit(turn);
    return;
  }
  place(chat, turn);
  emit sent();
}

void ChatController::edit(MessageId message, const QString& text) {
  const std::vector<ShownMessage> branch = m_desk.branch();
  const auto edited = std::ranges::find(branch, message, [](const ShownMessage& m) { return m.message.id; });
  if (edited == branch.end()) return;
  if (edited->message.role == MessageRole::kAssistant) return m_desk.rewrite(message, text);
  if (edited->message.role == MessageRole::kTool) return editResult(message, text);
  submit({edited->message.parent, text, {}, {branch.begin(), edited}});
}

// The results behind it are those of the same calls, so the new branch has them, too.
void ChatController::editResult(MessageId message, const QString& text) {
  const std::vector<ShownMessage> branch = m_desk.branch();
  const auto edited = std::ranges::find(branch, message, [](const ShownMessage& m) { return m.message.id; });
  if (edited == branch.end()) return;
  ChatTurn turn{edited->message.parent, {}, {text}, {branch.begin(), edited}};
  const PathCalls calls(m_desk.settings(m_desk.shown()), recordsOf(branch));
  for (auto next = edited + 1; next != branch.end(); ++next) {
    if (calls.answeredBy(static_cast<std::size_t>(next - branch.begin())) == nullptr) break;
    turn.results << next->message.text;
  }
  submit(turn);
}

void ChatController::sendResults(const QStringList& results) {
  std::vector<ShownMessage> branch = m_desk.branch();
  if (branch.empty() || results.isEmpty() || !canAnswer()) return;
  const MessageId parent = branch.back().message.id;
  m_view.transcript()->followEnd();
  submit({parent, {}, results, std::move(branch)});
}

void ChatController::answerAgain(MessageId message) {
  if (const std::optional<ChatTurn> turn = turnInPlaceOf(message)) return submit(*turn);
  emit noticed(
      Notice::problem(tr("No message stands above this answer, so there is nothing to answer again."),
                      tr("Write a message below it.")));
}

void ChatController::answerInPlaceOf(MessageId answer, OwnRequest own) {
  std::optional<ChatTurn> turn = turnInPlaceOf(answer);
  if (!turn) return;
  turn->seedShift = 0;
  turn->own = std::move(own);
  submit(*turn);
}

// Another answer to the same question, drawn with another seed. Nothing for a message that is not shown.
std::optional<ChatTurn> ChatController::turnInPlaceOf(MessageId answer) const {
  const std::vector<ShownMessage> branch = m_desk.branch();
  const auto old = std::ranges::find(branch, answer, [](const ShownMessage& m) { return m.message.id; });
  if (old == branch.end() || old == branch.begin()) return std::nullopt;
  return ChatTurn{
      old->message.parent, {}, {}, {branch.begin(), old}, static_cast<std::uint64_t>(old->variants)};
}

void ChatController::addNote(MessageId answer, const QString& note) {
  m_notes[answer] = note;
  if (!m_model.isAnswering()) showBranch();
}

// The question and the answer are in sight at once; they have places in the history when the engine has taken
// the request.
void ChatController::submit(const ChatTurn& turn) {
  if (m_model.rowCount() != static_cast<int>(turn.before.size()))
    m_model.show(entries(m_desk.shown(), turn.before));
  if (!turn.question.isEmpty()) m_model.addUser(turn.question);
  if (m_desk.shown() == 0) m_newDraft.clear();
  m_draftOf = m_desk.ensureChat();
  const QString name = place(m_draftOf, turn);
  const PathCalls calls(m_desk.settings(m_draftOf), recordsOf(turn.before));
  showResults(turn.results, calls.awaited());
  // A chat that offers no tools has an answer that is not searched for calls.
  m_model.addAnswer(name, calls.tools()->empty() ? nullptr : calls.tools());
  m_session.goLive();
  emit sent();
}

void ChatController::showResults(const QStringList& results, const std::vector<ToolCall>& calls) {
  for (qsizetype i = 0; i < results.size(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    m_model.addResult(place < calls.size() ? QString::fromStdString(calls[place].name) : QString(),
                      results[i]);
  }
}

// Submits the request and returns its name.
QString ChatController::place(ChatId chat, const ChatTurn& turn) {
  const QString name = QStringLiteral("chat-%1").arg(++m_sent);
  PendingTurn pending{chat, turn};
  ChatOrder order = orderFor(pending, name);
  m_writer->pending().add(std::move(pending));
  m_host.submitChat(std::move(order));
  return name;
}

void ChatController::stop() {
  m_waiting->hold(m_desk.shown());
  if (const RequestId request = m_model.answeringRequest(); request != 0) m_host.cancel(request);
}

void ChatController::startAnew() {
  m_desk.begin();
  m_view.focusInput();
}

void ChatController::keepDraft() {
  m_drafting.stop();
  if (m_draftOf == 0) {
    m_newDraft = m_draft;
    return;
  }
  const bool hadOne = !m_desk.history().draft(m_draftOf).isEmpty();
  m_desk.history().setDraft(m_draftOf, m_draft);
  if (hadOne == m_draft.isEmpty()) emit m_desk.listChanged();  // which marks chats with a draft
}

void ChatController::onOpened() {
  keepDraft();
  showBranch();
  const ChatId chat = m_desk.shown();
  m_draftOf = chat;
  m_draft = chat == 0 ? m_newDraft : m_desk.history().draft(chat);
  m_view.setDraft(m_draft);
}

void ChatController::showBranch() { m_model.show(entries(m_desk.shown(), m_desk.branch())); }

std::vector<ChatEntry> ChatController::entries(ChatId chat, const std::vector<ShownMessage>& branch) const {
  const PathCalls calls(m_desk.settings(chat), recordsOf(branch));
  std::vector<ChatEntry> shown;
  for (std::size_t i = 0; i < branch.size(); ++i) {
    const ShownMessage& kept = branch[i];
    const MessageRecord& message = kept.message;
    if (message.role == MessageRole::kSystem) continue;
    ChatEntry entry;
    entry.role = chatRoleOf(message.role);
    entry.text = message.text;
    entry.thinking = message.thinking;
    entry.thought = {message.timings.thinkingTokens, message.timings.thinkingNs};
    entry.message = message.id;
    entry.variant = kept.variant;
    entry.variants = kept.variants;
    if (const ToolCall* const call = calls.answeredBy(i)) entry.tool = QString::fromStdString(call->name);
    if (calls.areReadIn(i)) entry.tools = calls.tools();
    if (message.leftOut) entry.note = leftOutNote();
    if (entry.role == ChatRole::kAssistant) {
      entry.status = statusOf(message.state);
      entry.limit = limitOf(message);
      entry.note = message.leftOut ? leftOutNote() + QStringLiteral(" · ") + noteOf(kept) : noteOf(kept);
      if (const auto added = m_notes.find(message.id); added != m_notes.end())
        entry.note = added->second + QStringLiteral(" · ") + entry.note;
      const auto known = m_reuses.find(message.id);
      entry.reuse = known != m_reuses.end() ? known->second : reuseOf(message.timings);
      entry.request = m_writer->requestOf(message.id);
      entry.bound = entry.request != 0;
    }
    shown.push_back(std::move(entry));
  }
  return shown;
}

// Also fills in the rest of the pending turn.
ChatOrder ChatController::orderFor(PendingTurn& pending, const QString& name) {
  const ChatTurn& turn = pending.turn;
  std::vector<MessageRecord> path = recordsOf(turn.reads.empty() ? turn.before : turn.reads);
  const Places leftOut = turn.own ? placesFrom(turn.own->leftOut) : placesLeftOut(path);
  ChatSettings settings = m_desk.settings(pending.chat);
  if (!turn.reads.empty()) settings.form = {};  // a summary is text in each chat
  for (const QString& result : turn.results) {
    MessageRecord message;
    message.role = MessageRole::kTool;
    message.text = result;
    path.push_back(std::move(message));
  }
  PromptMessages prompt = promptMessages(settings, path, leftOut);
  pending.ids = std::move(prompt.ids);
  pending.leftOut = turn.reads.empty() ? toText(leftOut) : promptOfAnotherPath();
  ChatOrder order;
  order.dialogue = dialogueOf(settings, std::move(prompt), turn.question);
  if (turn.own) order.dialogue.thinking = turn.own->thinking;
  order.request = requestNamed(name);
  order.request.sampling.seed += turn.seedShift;
  applySettings(settings, order.request, settings.preset == kModelPreset ? recommended() : std::nullopt);
  if (turn.own) order.request = turn.own->request;  // it has had its settings
  order.request.name = name.toStdString();
  pending.request = order.request;
  pending.options = m_options();
  // An answer of before is made again from what the engine cut then.
  if (!turn.own) order.whenFull = ChatOrder::WhenFull::kAsk;
  return order;
}

Dialogue ChatController::dialogueOf(const ChatSettings& settings, PromptMessages prompt,
                                    const QString& question) const {
  if (!question.isEmpty()) prompt.messages.push_back({ChatRole::kUser, question.toStdString()});
  Dialogue dialogue = vitrine::dialogueOf(settings, std::move(prompt.messages), m_thinking);
  if (asksForForm(settings.form)) dialogue.thinking = false;  // a thought is no part of the form
  return dialogue;
}

// What Send would send is the next question.
Dialogue ChatController::dialogueShown() const {
  const std::vector<MessageRecord> path = recordsOf(m_desk.branch());
  const ChatSettings settings = m_desk.settings(m_desk.shown());
  const QString written = m_view.message();
  const QString question = written.isEmpty() ? written : m_files->with(m_desk.shown(), written);
  return dialogueOf(settings, promptMessages(settings, path, placesLeftOut(path)), question);
}

// As one that failed, and the turn is kept until it is sent again.
void ChatController::keepRefused(PendingTurn failed) {
  undo(failed);
  failed.turn.waited = false;
  if (failed.chat == m_desk.shown()) m_refused.insert_or_assign(failed.chat, std::move(failed.turn));
}

void ChatController::onTemplateRefused(const ChatRefused& refused) {
  const auto failed = m_writer->pending().take(refused.request);
  if (!failed) return;
  keepRefused(*failed);
  emit templateRefused(failed->chat, refused);
}

void ChatController::onFull(const ChatFull& full) {
  const auto failed = m_writer->pending().take(full.request);
  if (!failed) return;
  if (!failed->turn.reads.empty()) return summariseWhatFits(full, failed->chat, failed->turn, failed->ids);
  keepRefused(*failed);
  emit contextFull(failed->chat, full, failed->ids);
}

void ChatController::sendRefused(ChatId chat) {
  auto refused = m_refused.extract(chat);
  if (!refused) return m_waiting->sendNow(chat);
  ChatTurn& turn = refused.mapped();
  if (chat != m_desk.shown() || m_model.isAnswering() || m_files->isReading()) return;
  turn.before = m_desk.branchTo(chat, turn.parent);
  if (!turn.question.isEmpty()) {
    turn.question = m_files->takeInto(chat, m_view.message());
    if (turn.question.isEmpty()) return;
    m_view.input()->clear();
  }
  submit(turn);
}

void ChatController::lookAtRoom(ChatId chat) {
  const QString written = chat == m_draftOf ? m_view.input()->toPlainText().trimmed() : QString();
  const QString question = m_files->with(chat, written.isEmpty() ? tr("And then?") : written);
  PendingTurn next{chat, {.question = question, .before = m_desk.branchOf(chat)}};
  const auto work = [order = orderFor(next, {})](const AskedMachine& asked) {
    return fullness(asked.engine, order);
  };
  m_roomAsked = m_host.ask(work, this, [this, next](const auto& full) {
    if (!full) return;
    if (*full)
      emit contextFull(next.chat, **full, next.ids);
    else
      emit roomFound(next.chat);
  });
}

// Of a chat that is too long the newest messages, and the question says from which one on: it stays with the
// summary, for the model and for the person.
void ChatController::summariseWhatFits(const ChatFull& full, ChatId chat, ChatTurn turn,
                                       const std::vector<MessageId>& ids) {
  m_model.takeBack(full.request);
  const auto from = ids.begin() + std::min<std::ptrdiff_t>(full.oldest.from, std::ssize(ids));
  const auto to = from + std::min<std::ptrdiff_t>(full.oldest.count, ids.end() - from);
  std::erase_if(turn.reads,
                [&](const ShownMessage& shown) { return std::find(from, to, shown.message.id) != to; });
  const auto first = std::ranges::find(turn.reads, MessageRole::kUser,
                                       [](const ShownMessage& shown) { return shown.message.role; });
  if (first == turn.reads.end() || full.oldest.count == 0)
    return emit noticed(
        Notice::problem(tr("Not even the newest messages of the chat fit in the context beside a summary."),
                        tr("Shorten the answers in the sampler, or give the machine more blocks.")));
  turn.question = tr("Summarise our conversation, from the question %1 on, so that we can go on from it in a "
                     "new chat. The messages before it do not fit in the context.")
                      .arg(questionName(first->message.text));
  if (chat == m_desk.shown()) {
    submit(turn);
    return;
  }
  place(chat, turn);
  emit sent();
}

// Messages left out of the old chat are summarised, too. The text in the input stays, in both chats until it
// is sent in one.
void ChatController::summarise(ChatId chat) {
  ChatTurn turn{
      .question = tr("Summarise our conversation so far, so that we can go on from it in a new chat."),
      .reads = m_desk.branchOf(chat)};
  for (ShownMessage& shown : turn.reads) shown.message.leftOut = false;
  if (turn.reads.empty()) return;
  const ChatSettings settings = m_desk.settings(chat);
  const QString written = m_view.input()->toPlainText();
  m_refused.erase(chat);
  m_desk.begin();
  m_desk.setSettings(0, settings);
  submit(turn);
  if (!written.isEmpty()) m_carried[m_desk.shown()] = chat;
  m_view.setDraft(written);
}

}  // namespace vitrine

#include "moc_chat_controller.cpp"
