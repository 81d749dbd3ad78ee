#include "gui/turns/given_marks.h"

#include <algorithm>
#include <utility>

#include "desk/provenance.h"
#include "widgets/message/answer_text.h"

namespace vitrine {

// Most answers were given nothing, and their request need not be read.
std::size_t givenTokens(const Provenance& provenance) {
  if (!provenance.sampling.contains(QLatin1String("\"output_ids\""))) return 0;
  const std::optional<Request> request = requestOf(provenance);
  return request ? request->outputIds.size() : 0;
}

GivenMarks::GivenMarks(EngineHost& host, Desk& desk, ChatView& view, const AnswerWriter& writer,
                       QObject* parent)
    : QObject(parent), m_host(host), m_desk(desk), m_view(view) {
  connect(&desk, &Desk::opened, this, &GivenMarks::readLater);
  connect(&writer, &AnswerWriter::ended, this, &GivenMarks::readLater);
  connect(&view, &ChatView::answerShown, this, &GivenMarks::markLater);
  connect(&host, &EngineHost::loaded, this, &GivenMarks::forgetBytes);
}

// When the history and the conversation have heard of it too.
void GivenMarks::readLater() { QMetaObject::invokeMethod(this, &GivenMarks::read, Qt::QueuedConnection); }

void GivenMarks::markLater() {
  if (!m_given.empty()) QMetaObject::invokeMethod(this, &GivenMarks::mark, Qt::QueuedConnection);
}

void GivenMarks::read() {
  std::map<MessageId, Given> before = std::exchange(m_given, {});
  for (ShownMessage& shown : m_desk.branch()) {
    const MessageRecord& message = shown.message;
    if (message.role != MessageRole::kAssistant || message.state == MessageState::kStreaming) continue;
    const std::size_t tokens = givenTokens(message.provenance);
    if (tokens == 0) continue;
    const auto known = before.find(message.id);
    if (known != before.end() && known->second.text == message.text)
      m_given[message.id] = std::move(known->second);
    else
      m_given[message.id] = {tokens, message.text};
  }
  mark();
}

void GivenMarks::mark() {
  const MachineMode mode = m_host.mode();
  const bool ready = mode != MachineMode::kEmpty && mode != MachineMode::kLoading;
  for (auto& [answer, given] : m_given) {
    AnswerText* const text = m_view.answer(answer);
    if (text == nullptr) continue;
    if (given.bytes)
      text->setGiven(*given.bytes);
    else if (ready && !given.question.isOpen())
      ask(answer, given);
  }
}

void GivenMarks::ask(MessageId answer, Given& given) {
  AnswerQuery query{.shown = given.text.toStdString()};
  for (const AnswerToken& token : m_desk.history().tokens(answer)) query.tokens.push_back(token.id);
  given.question = askAboutAnswer(m_host, std::move(query), this,
                                  [this, answer](const SeenAnswer& seen) { take(answer, seen); });
}

void GivenMarks::take(MessageId answer, const SeenAnswer& seen) {
  Given& given = m_given.at(answer);
  std::size_t bytes = 0;  // a token without text has none behind which another begins
  for (std::size_t i = 0; i < std::min(given.tokens, seen.spans.size()); ++i)
    bytes = std::max(bytes, seen.spans[i].end);
  given.bytes = bytes;
  mark();
}

// This model may know the tokens of a text that the model before did not.
void GivenMarks::forgetBytes() {
  for (auto& [answer, given] : m_given) given.bytes.reset(), given.question.drop();
  markLater();
}

}  // namespace vitrine

#include "moc_given_marks.cpp"
