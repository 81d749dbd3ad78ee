#include "server/api_answer.h"

#include <iterator>

namespace vitrine::server {
namespace {

// A grammar counts the text from its first letter on, and behind no text there is nothing to separate.
bool goesOn(const ApiPlan& plan, std::size_t answer) {
  const Request& request = plan.prompts[answer / static_cast<std::size_t>(plan.answersOfEach())].request;
  return plan.kind == ApiKind::kCompletion && !request.hasGrammar() &&
         !(request.prompt.empty() && request.tokenIds.empty());
}

}  // namespace

ApiAnswer::ApiAnswer(const ApiPlan& plan, std::shared_ptr<const ServedModel> model,
                     std::shared_ptr<ApiReply> reply)
    : m_streams(plan.streams),
      m_searches(plan.searches()),
      m_model(std::move(model)),
      m_writing(plan, *m_model),
      m_reply(std::move(reply)),
      m_choices(static_cast<std::size_t>(plan.answers())),
      m_characters(m_choices.size()),
      m_firstSpaces(m_choices.size()) {
  for (std::size_t i = 0; i < m_choices.size(); ++i)
    if (!goesOn(plan, i)) m_firstSpaces[i] = FirstSpace::kDone;
}

void ApiAnswer::keepFirstSpace(Written& written) {
  FirstSpace& space = m_firstSpaces[static_cast<std::size_t>(written.answer)];
  if (space == FirstSpace::kUnknown && !written.tokens.empty())
    space = m_writing.losesSpace(written.tokens.front()) ? FirstSpace::kMissing : FirstSpace::kDone;
  // The text of some tokens comes later.
  if (space != FirstSpace::kMissing || (written.text.empty() && !written.finished)) return;
  written.text.insert(0, 1, ' ');
  space = FirstSpace::kDone;
}

void ApiAnswer::say(const std::string& chunk) {
  if (!chunk.empty()) m_reply->chunk(chunk);
}

void ApiAnswer::refused(const EngineError& error) { m_reply->fail(ApiError::of(error)); }

void ApiAnswer::accepted() {
  if (!m_streams) return;
  m_reply->begin();
  if (m_searches) return;  // how many answers there are is known at its end
  for (std::size_t i = 0; i < m_choices.size(); ++i) say(m_writing.opening(static_cast<int>(i)));
}

void ApiAnswer::wrote(Written written) {
  const auto index = static_cast<std::size_t>(written.answer);
  keepFirstSpace(written);
  if (m_streams) {
    if (m_searches) say(m_writing.opening(written.answer));
    say(m_writing.piece(written, m_characters[index]));
    m_characters[index] += m_writing.charactersOf(written.logprobs);
    return;
  }
  ApiChoice& choice = m_choices[index];
  choice.text += written.text;
  choice.tokens.insert(choice.tokens.end(), written.tokens.begin(), written.tokens.end());
  std::ranges::move(written.logprobs, std::back_inserter(choice.logprobs));
  if (written.finished) choice.reason = written.finished;
}

void ApiAnswer::finished(const ServedUsage& usage) {
  if (!m_streams) return m_reply->whole(m_writing.whole(m_choices, usage));
  say(m_writing.usage(usage));
  m_reply->end();
}

void ApiAnswer::failed(const EngineError& error) { m_reply->fail(ApiError::of(error)); }

ServedId submitBody(Served& served, int mostUnderWay, ApiKind kind, const Json& body,
                    std::shared_ptr<ApiReply> reply) {
  if (served.underWay() >= mostUnderWay)
    throw ApiError(429, "so many requests are under way already: " + std::to_string(mostUnderWay), "",
                   "too_many_requests");
  const std::shared_ptr<const ServedModel> model = served.model();
  if (!model) throw ApiError::noModel();
  ApiPlan plan = planOf(kind, body, *model);
  const auto answer = std::make_shared<ApiAnswer>(plan, model, std::move(reply));
  return served.submit(model, std::move(plan.prompts), answer);
}

}  // namespace vitrine::server
