#include "desk/answer_writer.h"

#include <algorithm>

#include "common/chat_prompt.h"
#include "desk/provenance.h"
#include "widgets/conversation/chat_words.h"
#include "widgets/conversation/question_files.h"

namespace vitrine {
namespace {

AnswerTimings timingsOf(const RequestFinished& finished) {
  AnswerTimings timings;
  timings.queuedNs = finished.queueNs;
  timings.firstTokenNs = finished.ttftNs;
  timings.prefillNs = std::max<std::int64_t>(finished.ttftNs - finished.queueNs, 0);
  timings.decodeNs = finished.ttftNs == 0 ? 0 : finished.totalNs - finished.ttftNs;
  // One answer: what it was given as its beginning is read like the prompt, and not generated.
  timings.promptTokens = finished.promptTokens + finished.givenTokens;
  timings.cachedTokens = finished.cachedTokens;
  timings.outputTokens = finished.completionTokens - finished.givenTokens;
  return timings;
}

MessageState stateOf(FinishReason reason) {
  if (reason == FinishReason::kCancelled) return MessageState::kStopped;
  return reason == FinishReason::kFailed ? MessageState::kFailed : MessageState::kComplete;
}

// The reason for which the shown answer of the request ended. With eviction the context has no end.
AnswerLimit limitOf(const Session& session, RequestId request, SequenceId sequence) {
  const MachineState& live = session.recording().live();
  const auto asked = live.requests.find(request);
  const auto found = live.sequences.find(sequence);
  if (!session.engine() || asked == live.requests.end() || found == live.sequences.end() ||
      found->second.finishReason != FinishReason::kLength)
    return AnswerLimit::kNone;
  if (session.engine()->options.eviction != Eviction::kNone || session.engine()->isFromOutside())
    return AnswerLimit::kTokens;
  Request beams;
  beams.beamWidth = asked->second.beamWidth;
  const bool full = std::ssize(found->second.tokens) >= contextRoom(*session.engine(), beams);
  return full ? AnswerLimit::kContext : AnswerLimit::kTokens;
}

// The part of `now` behind `before`, with which it begins.
QString grown(const QString& before, const QString& now) {
  return now.startsWith(before) ? now.mid(before.size()) : QString();
}

}  // namespace

AnswerWriter::AnswerWriter(Desk& desk, Session& session, QObject* parent)
    : QObject(parent), m_desk(desk), m_session(session) {
  connect(&session, &Session::requestSubmitted, this, &AnswerWriter::onSubmitted);
  connect(&session, &Session::requestFinished, this, &AnswerWriter::onFinished);
  connect(&session, &Session::runStarted, this, &AnswerWriter::onRunStarted);
  connect(&session, &Session::appended, this, &AnswerWriter::write);
}

RequestId AnswerWriter::requestOf(MessageId answer) const {
  for (const auto& [request, open] : m_open)
    if (open.answer == answer) return request;
  return 0;
}

bool AnswerWriter::isAnswering(ChatId chat) const {
  return std::ranges::any_of(m_open, [chat](const auto& open) { return open.second.chat == chat; });
}

std::vector<AnswerWriter::Answering> AnswerWriter::answering() const {
  std::vector<Answering> all;
  for (const auto& [request, open] : m_open) all.push_back({open.chat, request});
  return all;
}

void AnswerWriter::onSubmitted(const RequestSubmitted& submitted) {
  const std::optional<PendingTurn> pending = m_pending.take(QString::fromStdString(submitted.asked.name));
  if (!pending) return;
  const ChatId chat = pending->chat;
  const ChatTurn& turn = pending->turn;
  ChatHistory& history = m_desk.history();
  MessageId question = 0;
  if (!turn.question.isEmpty()) {
    question = history.addMessage(chat, turn.parent, MessageRole::kUser, turn.question);
    if (turn.parent == 0) giveTitle(*pending);
  }
  for (const QString& result : turn.results)
    question = history.addMessage(chat, question != 0 ? question : turn.parent, MessageRole::kTool, result);
  Provenance provenance =
      provenanceOf(m_session.engine().value_or(EngineLoaded()), pending->options, pending->request);
  provenance.leftOut = pending->leftOut;
  const MessageId answer = history.beginAnswer(chat, question != 0 ? question : turn.parent, provenance);
  if (answer == 0) return;  // the chat is gone; the answer goes on without it
  m_thoughts.begin(submitted);
  m_open.emplace(submitted.request,
                 Open{.chat = chat,
                      .answer = answer,
                      .sequence = submitted.firstSequence,
                      .promptTokens = static_cast<int>(std::ssize(submitted.asked.tokenIds)),
                      .known = turn.own ? turn.own->forced : std::vector<AnswerToken>()});
  emit begun(*pending, question, answer);
  emit m_desk.listChanged();
  emit answeringChanged();
}

// The probabilities of the tokens drawn since the last time: the state of a sequence has its tokens alone.
void AnswerWriter::readDrawn() {
  const Recording& recording = m_session.recording();
  if (!m_open.empty() && m_read < recording.size()) {
    for (const Event& event : recording.eventsFrom(m_read)) {
      const auto* drawn = bodyOf<TokenSampled>(event);
      if (drawn == nullptr) continue;
      m_thoughts.note(*drawn, event.timeNs);
      for (auto& [request, open] : m_open) {
        if (open.sequence != drawn->sequence || drawn->position < open.promptTokens) continue;
        const auto place = static_cast<std::size_t>(drawn->position - open.promptTokens);
        if (open.known.size() <= place) open.known.resize(place + 1);
        open.known[place] = {drawn->token};
        if (drawn->logprob <= 0) open.known[place].logprob = static_cast<float>(drawn->logprob);
      }
    }
  }
  m_read = recording.size();
}

// The history gives a chat the beginning of its first question; where that is a file, what is asked about it.
void AnswerWriter::giveTitle(const PendingTurn& pending) {
  const QuestionParts parts = questionParts(pending.turn.question);
  const auto summary = m_desk.history().summary(pending.chat);
  if (parts.files.empty() || !summary || summary->titleGiven) return;
  m_desk.history().rename(pending.chat, titleFrom(parts.question), false);
}

void AnswerWriter::write() {
  readDrawn();
  for (auto& [request, open] : m_open) writeOne(request, open);
}

void AnswerWriter::writeOne(RequestId request, Open& open) {
  const MachineState& live = m_session.recording().live();
  const auto asked = live.requests.find(request);
  if (asked == live.requests.end() || asked->second.sequences.empty()) return;
  const auto found = live.sequences.find(asked->second.sequences.front());
  if (found == live.sequences.end()) return;
  const SequenceState& sequence = found->second;
  const auto prompt = static_cast<std::size_t>(sequence.promptTokens);
  const std::size_t outputs = std::max(sequence.tokens.size(), prompt) - prompt;
  if (outputs == open.tokens && sequence.text.size() == open.bytes) return;
  const AnswerWords words =
      answerWords(sequence.text, asked->second.prompt, sequence.status == SequenceStatus::kFinished);
  AnswerPiece piece;
  piece.text = grown(open.text, words.answer);
  piece.thinking = grown(open.thinking, words.thinking);
  for (std::size_t i = open.tokens; i < outputs; ++i) {
    AnswerToken token{sequence.tokens[prompt + i]};
    if (i < open.known.size() && open.known[i].id == token.id) token = open.known[i];
    piece.tokens.push_back(token);
  }
  open.text += piece.text;
  open.thinking += piece.thinking;
  open.tokens = std::max(outputs, open.tokens);
  open.bytes = sequence.text.size();
  m_desk.history().append(open.answer, piece);
}

void AnswerWriter::onFinished(const RequestFinished& finished) {
  const auto found = m_open.find(finished.request);
  if (found == m_open.end()) return;
  readDrawn();
  writeOne(finished.request, found->second);
  AnswerTimings timings = timingsOf(finished);
  const ThoughtFigures thought = m_thoughts.figuresOf(found->second.sequence, finished);
  timings.thinkingNs = thought.ns;
  timings.thinkingTokens = thought.tokens;
  AnswerEnd last{.state = stateOf(finished.reason), .timings = timings};
  if (last.state == MessageState::kComplete)
    last.limit = limitOf(m_session, finished.request, found->second.sequence);
  end(found->second, last);
  emit ended(found->second.answer, finished);
  m_open.erase(found);
  emit answeringChanged();
}

void AnswerWriter::end(Open& open, AnswerEnd last) {
  const bool isFromOutside = m_session.engine() && m_session.engine()->isFromOutside();
  if (last.state == MessageState::kFailed)
    last.failure =
        isFromOutside ? tr("The server did not finish it") : tr("The step that computed it failed");
  m_desk.history().finish(open.answer, last);
  emit m_desk.listChanged();
}

// The machine of before is gone, and what it computed stays. Pending turns stay, too: a request for the new
// machine may have been ordered before its first event came.
void AnswerWriter::onRunStarted() {
  m_read = 0;
  m_thoughts.clear();
  if (m_open.empty()) return;
  for (auto& [request, open] : m_open) end(open, {.state = MessageState::kStopped});
  m_open.clear();
  emit answeringChanged();
}

}  // namespace vitrine

#include "moc_answer_writer.cpp"
