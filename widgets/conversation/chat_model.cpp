#include "widgets/conversation/chat_model.h"

#include <algorithm>
#include <utility>

#include "widgets/conversation/chat_words.h"

namespace vitrine {

bool isOpen(AnswerStatus status) {
  return status != AnswerStatus::kNone && status != AnswerStatus::kDone && status != AnswerStatus::kStopped &&
         status != AnswerStatus::kFailed;
}

bool isMarkdown(const ChatEntry& entry) {
  return entry.role == ChatRole::kAssistant || (entry.role == ChatRole::kTool && entry.tool.isEmpty());
}

QString toolTitle(const ChatEntry& entry) {
  return entry.tool.isEmpty() ? ChatModel::tr("Tools") : ChatModel::tr("Result of %1").arg(entry.tool);
}

ChatModel::ChatModel(Session* session, QObject* parent) : QAbstractListModel(parent), m_session(session) {
  connect(session, &Session::runStarted, this, &ChatModel::onRunStarted);
  connect(session, &Session::stateChanged, this, &ChatModel::refresh);
  connect(session, &Session::appended, this, [this](EventBatch events) {
    for (const Event& event : events) {
      m_meter.note(event);
      m_thoughts.note(event);
    }
    updateAnswering();
  });
  connect(session, &Session::requestFinished, this, &ChatModel::onFinished);
  connect(session, &Session::requestSubmitted, this, [this](const RequestSubmitted& submitted) {
    for (ChatEntry& entry : m_entries) {
      if (entry.status != AnswerStatus::kSent || entry.requestName.toStdString() != submitted.asked.name)
        continue;
      entry.request = submitted.request;
      entry.bound = true;
    }
  });
}

void ChatModel::show(std::vector<ChatEntry> entries) {
  beginResetModel();
  m_entries = std::move(entries);
  for (ChatEntry& entry : m_entries)
    if (entry.bound) updateEntry(entry, m_session->state());
  endResetModel();
  updateAnswering();
}

void ChatModel::setMessages(const QString& requestName, qint64 question, qint64 answer) {
  for (std::size_t i = 0; i < m_entries.size(); ++i) {
    if (m_entries[i].requestName != requestName || m_entries[i].status == AnswerStatus::kNone) continue;
    m_entries[i].message = answer;
    if (question != 0 && i > 0) m_entries[i - 1].message = question;
    const int first = static_cast<int>(std::max<std::size_t>(i, 1) - 1);
    emit dataChanged(index(first), index(static_cast<int>(i)));
  }
}

void ChatModel::setReuse(qint64 message, const std::shared_ptr<const PromptReuse>& reuse) {
  setOfEnded(message, [&](ChatEntry& entry) { entry.reuse = reuse; });
}

void ChatModel::setLimit(qint64 message, const ShownLimit& limit) {
  setOfEnded(message, [&](ChatEntry& entry) { entry.limit = limit; });
}

void ChatModel::setOfEnded(qint64 message, const std::function<void(ChatEntry&)>& set) {
  const auto entry = std::ranges::find(m_entries, message, &ChatEntry::message);
  if (message == 0 || entry == m_entries.end()) return;
  set(*entry);
  if (const auto ending = m_endings.find(entry->request); ending != m_endings.end())
    set(ending->second.entry);
  const int row = static_cast<int>(entry - m_entries.begin());
  emit dataChanged(index(row), index(row));
}

void ChatModel::addUser(const QString& text) {
  beginInsertRows({}, rowCount(), rowCount());
  ChatEntry entry;
  entry.text = text;
  m_entries.push_back(std::move(entry));
  endInsertRows();
}

void ChatModel::addResult(const QString& tool, const QString& text) {
  beginInsertRows({}, rowCount(), rowCount());
  ChatEntry entry;
  entry.role = ChatRole::kTool;
  entry.tool = tool;
  entry.text = text;
  m_entries.push_back(std::move(entry));
  endInsertRows();
}

void ChatModel::addAnswer(const QString& requestName, std::shared_ptr<const ToolSet> tools) {
  beginInsertRows({}, rowCount(), rowCount());
  ChatEntry entry;
  entry.role = ChatRole::kAssistant;
  entry.requestName = requestName;
  entry.tools = std::move(tools);
  entry.status = AnswerStatus::kSent;
  entry.note = tr("Sent to the engine");
  m_entries.push_back(std::move(entry));
  endInsertRows();
  updateAnswering();
}

QString ChatModel::takeBack(const QString& requestName) {
  const auto answer = std::ranges::find_if(m_entries, [&](const ChatEntry& entry) {
    return entry.requestName == requestName && entry.status == AnswerStatus::kSent && entry.request == 0;
  });
  if (answer == m_entries.begin() || answer == m_entries.end()) return {};
  const auto isNewResult = [](const ChatEntry& entry) {
    return entry.role == ChatRole::kTool && entry.message == 0;
  };
  auto question = answer - 1;
  while (isNewResult(*question) && question != m_entries.begin() && isNewResult(*(question - 1))) --question;
  const QString text = question->role == ChatRole::kTool ? QString() : question->text;
  const auto count = static_cast<int>(answer - question);
  const int row = static_cast<int>(question - m_entries.begin());
  beginRemoveRows({}, row, row + count);
  m_entries.erase(question, answer + 1);
  endRemoveRows();
  updateAnswering();
  return text;
}

void ChatModel::clear() {
  beginResetModel();
  m_entries.clear();
  endResetModel();
  updateAnswering();
}

// From the live machine, not from the step shown: going back does not start an answer again.
bool ChatModel::isUnderWay(const ChatEntry& entry) const {
  if (entry.status == AnswerStatus::kSent && entry.request == 0) return true;
  if (!entry.bound) return false;
  const auto& requests = m_session->recording().live().requests;
  const auto found = requests.find(entry.request);
  return found != requests.end() && !found->second.finished;
}

bool ChatModel::isAnswering() const {
  return std::any_of(m_entries.begin(), m_entries.end(),
                     [this](const ChatEntry& e) { return isUnderWay(e); });
}

RequestId ChatModel::answeringRequest() const {
  const auto open = std::find_if(m_entries.rbegin(), m_entries.rend(),
                                 [this](const ChatEntry& e) { return e.request != 0 && isUnderWay(e); });
  return open == m_entries.rend() ? 0 : open->request;
}

SequenceId ChatModel::newestSequence() const {
  const MachineState& state = m_session->state();
  for (auto entry = m_entries.rbegin(); entry != m_entries.rend(); ++entry) {
    const auto request = state.requests.find(entry->request);
    if (entry->request != 0 && request != state.requests.end() && !request->second.sequences.empty())
      return request->second.sequences.front();
  }
  return 0;
}

void ChatModel::refresh() {
  // LIVE, a finished answer stays as it is: only a move of the cursor changes it.
  const bool live = m_session->isLive();
  const bool settled = live && m_wasLive;
  m_wasLive = live;
  for (std::size_t i = 0; i < m_entries.size(); ++i) {
    if (settled && !isOpen(m_entries[i].status)) continue;
    if (!m_entries[i].bound || !updateEntry(m_entries[i], m_session->state())) continue;
    emit dataChanged(index(static_cast<int>(i)), index(static_cast<int>(i)));
  }
  updateAnswering();
}

// The answer stays in the conversation, even when the engine forgets its request.
void ChatModel::onFinished(const RequestFinished& finished) {
  const auto asked = std::ranges::find_if(
      m_entries, [&](const ChatEntry& entry) { return entry.bound && entry.request == finished.request; });
  if (asked == m_entries.end()) return;  // of another conversation
  const MachineState& live = m_session->recording().live();
  Ending& ending = m_endings[finished.request];
  ending = {finished, live.step, *asked};
  updateEntry(ending.entry, live);
}

bool ChatModel::updateEntry(ChatEntry& entry, const MachineState& state) const {
  const ChatEntry before = entry;
  const auto request = state.requests.find(entry.request);
  const auto ending = m_endings.find(entry.request);
  if (request == state.requests.end() && ending != m_endings.end() && ending->second.step <= state.step) {
    entry = ending->second.entry;  // the engine has forgotten the request
    return !(entry == before);
  }
  if (request == state.requests.end() || request->second.sequences.empty()) {
    entry.text.clear();
    entry.thinking.clear();
    entry.status = AnswerStatus::kSent;
    entry.note = tr("Not yet sent at this step");
    return !(entry == before);
  }
  const auto found = state.sequences.find(request->second.sequences.front());
  if (found == state.sequences.end()) return false;
  showProgress(entry, request->second, found->second);
  return !(entry == before);
}

void ChatModel::showProgress(ChatEntry& entry, const RequestState& request,
                             const SequenceState& sequence) const {
  const EventBatch events = m_session->stepEvents();
  entry.figures = m_meter.figuresOf(request, sequence, events.empty() ? 0 : events.back().timeNs);
  const AnswerWords words =
      answerWords(sequence.text, request.prompt, sequence.status == SequenceStatus::kFinished);
  entry.text = words.answer;
  entry.thinking = words.thinking;
  entry.thought = thoughtOf(entry, words.thinks, request, sequence);
  entry.note.clear();
  if (sequence.status == SequenceStatus::kFinished) {
    const bool stopped = sequence.finishReason == FinishReason::kCancelled;
    entry.status = stopped                                          ? AnswerStatus::kStopped
                   : sequence.finishReason == FinishReason::kFailed ? AnswerStatus::kFailed
                                                                    : AnswerStatus::kDone;
    const auto ending = m_endings.find(entry.request);
    if (ending != m_endings.end()) entry.note = finishedNote(ending->second.finished);
    if (stopped) entry.note = entry.note.isEmpty() ? tr("Stopped") : tr("Stopped · %1").arg(entry.note);
    if (m_session->engine() && !entry.note.isEmpty())
      entry.note += QStringLiteral(" · ") + windowText(m_session->engine()->model.name);
  } else if (sequence.status != SequenceStatus::kRunning) {
    entry.status = AnswerStatus::kWaiting;
    entry.note = sequence.status == SequenceStatus::kWaiting ? tr("Waiting in the queue")
                                                             : tr("Preempted, waits to resume");
  } else if (static_cast<int>(sequence.tokens.size()) <= sequence.promptTokens) {
    entry.status = AnswerStatus::kReading;
    entry.note = readingNote(entry.figures);
  } else {
    entry.status = words.thinks ? AnswerStatus::kThinking : AnswerStatus::kWriting;
    entry.note = writingNote(entry.figures, words.thinks);
  }
}

ThoughtFigures ChatModel::thoughtOf(const ChatEntry& entry, bool thinks, const RequestState& request,
                                    const SequenceState& sequence) const {
  if (!thinks) return m_thoughts.figuresOf(sequence.id);
  const auto ending = m_endings.find(entry.request);
  if (sequence.status == SequenceStatus::kFinished)
    return ending == m_endings.end() ? ThoughtFigures()
                                     : m_thoughts.figuresOf(sequence.id, ending->second.finished);
  const EventBatch events = m_session->stepEvents();
  const std::int64_t now = events.empty() ? 0 : events.back().timeNs;
  return {entry.figures.writtenTokens,
          request.firstTokenNs < 0 ? 0 : std::max<std::int64_t>(now - request.firstTokenNs, 0)};
}

// Answers of the old run keep their text; one that the new run interrupted says so.
void ChatModel::onRunStarted() {
  m_endings.clear();
  m_meter.clear();
  m_thoughts.clear();
  for (std::size_t i = 0; i < m_entries.size(); ++i) {
    ChatEntry& entry = m_entries[i];
    if (!entry.bound) continue;
    entry.bound = false;
    if (!isOpen(entry.status)) continue;
    entry.status = AnswerStatus::kStopped;
    entry.note = tr("Interrupted: the engine was loaded again");
    emit dataChanged(index(static_cast<int>(i)), index(static_cast<int>(i)));
  }
  updateAnswering();
}

void ChatModel::updateAnswering() {
  const bool answering = isAnswering();
  if (answering == m_publishedAnswering) return;
  m_publishedAnswering = answering;
  emit answeringChanged(answering);
}

QVariant ChatModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const ChatEntry& entry = at(index.row());
  if (role == Qt::DisplayRole) return entry.text;
  if (role == Qt::AccessibleTextRole) {
    if (entry.role == ChatRole::kTool) return tr("%1: %2").arg(toolTitle(entry), entry.text);
    return (entry.role == ChatRole::kUser ? tr("You: %1") : tr("Model: %1")).arg(entry.text);
  }
  return {};
}

}  // namespace vitrine

#include "moc_chat_model.cpp"
