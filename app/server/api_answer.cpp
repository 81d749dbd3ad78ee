#include "server/api_answer.h"

#include <iterator>

namespace vitrine::server {

ApiAnswer::ApiAnswer(const ApiPlan& plan, const ServedModel& model, std::shared_ptr<Responder> responder)
    : m_streams(plan.streams),
      m_writing(plan, model),
      m_responder(std::move(responder)),
      m_choices(static_cast<std::size_t>(plan.answers())),
      m_characters(m_choices.size()) {}

void ApiAnswer::refused(const EngineError& error) { m_responder->answer(ApiError::of(error).toAnswer()); }

void ApiAnswer::accepted() {
  if (!m_streams) return;
  std::string opening;
  for (std::size_t i = 0; i < m_choices.size(); ++i) opening += m_writing.opening(static_cast<int>(i));
  m_responder->begin({200, std::move(opening), "text/event-stream"});
}

void ApiAnswer::wrote(Written written) {
  const auto index = static_cast<std::size_t>(written.answer);
  if (m_streams) {
    m_responder->piece(m_writing.piece(written, m_characters[index]));
    m_characters[index] += m_writing.charactersOf(written.logprobs);
    return;
  }
  ApiChoice& choice = m_choices[index];
  choice.text += written.text;
  choice.tokens.insert(choice.tokens.end(), written.tokens.begin(), written.tokens.end());
  std::ranges::move(written.logprobs, std::back_inserter(choice.logprobs));
  if (written.finished) choice.reason = *written.finished;
}

void ApiAnswer::finished(const ServedUsage& usage) {
  if (!m_streams) return m_responder->answer({200, m_writing.whole(m_choices, usage)});
  m_responder->piece(m_writing.usage(usage) + ApiWriting::done());
  m_responder->end();
}

void ApiAnswer::failed(const EngineError& error) {
  const ApiError said = ApiError::of(error);
  if (!m_streams) return m_responder->answer(said.toAnswer());
  m_responder->piece(ApiWriting::error(said));
  m_responder->end();
}

}  // namespace vitrine::server
