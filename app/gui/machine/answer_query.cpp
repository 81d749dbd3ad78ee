#include "gui/machine/answer_query.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/chat_prompt.h"
#include "vitrine/text_stream.h"

namespace vitrine {
namespace {

constexpr int kAlternatives = 8;

// The text that became final with each token; the last one has the text that was held back, too.
std::vector<std::string> textsOf(const Tokenizer& tokenizer, const std::vector<TokenId>& tokens) {
  TextStream stream(&tokenizer, {});
  std::vector<std::string> texts;
  for (const TokenId token : tokens) texts.push_back(stream.push(token));
  if (!texts.empty()) texts.back() += stream.finish();
  return texts;
}

class Distribution {
 public:
  explicit Distribution(const NextLogits& next) : m_next(next) {
    m_most = *std::ranges::max_element(next.logits);
    for (const float logit : next.logits) m_sum += std::exp(static_cast<double>(logit) - m_most);
  }
  double of(TokenId token) const {
    return std::exp(static_cast<double>(m_next.logits.at(static_cast<std::size_t>(token))) - m_most) / m_sum;
  }

 private:
  const NextLogits& m_next;
  double m_most = 0, m_sum = 0;
};

// As an engine answers: behind what the asker does now.
Question tellLater(SeenAnswer known, QObject* receiver, std::function<void(const SeenAnswer&)> seen) {
  auto watch = std::make_shared<Question::Watch>();
  QMetaObject::invokeMethod(
      receiver,
      [watch, known = std::move(known), seen = std::move(seen)] {
        if (std::exchange(watch->isOpen, false)) seen(known);
      },
      Qt::QueuedConnection);
  return Question(std::move(watch));
}

}  // namespace

SeenAnswer readAnswer(Engine& engine, const AnswerQuery& query) {
  SeenAnswer seen;
  const Tokenizer* const tokenizer = engine.tokenizer();
  if (tokenizer == nullptr || query.tokens.empty()) return seen;
  const bool known = std::ranges::all_of(query.tokens, [&](TokenId token) {
    return token >= 0 && token < engine.description().model.vocabularySize;
  });
  if (!known) return seen;  // of a model with more tokens
  const std::vector<std::string> texts = textsOf(*tokenizer, query.tokens);
  seen.spans = tokenSpans(texts, query.shown);
  if (seen.spans.empty())  // the prompt may have opened a thought
    seen.spans = tokenSpans(texts, query.shown, engine.chatFormat().render(query.order.dialogue).text);
  if (seen.spans.empty() || (!query.place && !query.byte)) return seen;
  const std::optional<int> place = query.place ? query.place : tokenAt(seen.spans, *query.byte);
  if (!place || *place < 0 || *place >= std::ssize(query.tokens)) return seen;
  seen.place = *place;
  std::vector<TokenId> before =
      fittingChatRequest(engine, query.order.dialogue, query.order.request).request.tokenIds;
  before.insert(before.end(), query.tokens.begin(), query.tokens.begin() + *place);
  const NextLogits next = engine.nextLogits(before, kAlternatives);
  const Distribution distribution(next);
  const auto likely = [&](TokenId token, std::string text) {
    return LikelyToken{token, distribution.of(token), std::move(text), tokenizer->isSpecial(token)};
  };
  for (const auto& [token, text] : next.pieces) seen.likely.push_back(likely(token, text));
  const TokenId drawn = query.tokens[static_cast<std::size_t>(*place)];
  const TokenSpan span = seen.spans[static_cast<std::size_t>(*place)];
  const std::string said = query.shown.substr(span.begin, span.end - span.begin);
  seen.token = likely(drawn, said.empty() ? tokenizer->decode(std::vector{drawn}, false) : said);
  const auto same = std::ranges::find(seen.likely, drawn, &LikelyToken::token);
  if (same != seen.likely.end()) seen.token = *same;
  return seen;
}

Question askAboutAnswer(EngineHost& host, AnswerQuery query, QObject* receiver,
                        std::function<void(const SeenAnswer&)> seen) {
  if (host.isConnected()) return tellLater(host.connected()->told().find(query), receiver, std::move(seen));
  return host.ask(
      [query = std::move(query)](const AskedMachine& asked) { return readAnswer(asked.engine, query); },
      receiver,
      [seen = std::move(seen)](const std::optional<SeenAnswer>& known) {
        seen(known.value_or(SeenAnswer()));
      });
}

}  // namespace vitrine
