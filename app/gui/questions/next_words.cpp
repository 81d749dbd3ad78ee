#include "gui/questions/next_words.h"

#include <algorithm>

#include "gui/questions/sampling_controller.h"
#include "vitrine/sampling_preview.h"
#include "vitrine/tokenizer.h"
#include "widgets/sampler/branch.h"
#include "widgets/support/token_ink.h"

namespace vitrine {
namespace {

constexpr int kPiecesTold = 1024;  // a token behind them has no text, and ends the words

}  // namespace

NextWords::NextWords(EngineHost& host, Session& session, const SamplerModel& model,
                     const SamplingController& sampling, QObject* parent)
    : QObject(parent), m_host(host), m_session(session), m_model(model), m_controller(sampling) {
  connect(&model, &SessionModel::refreshed, this, &NextWords::follow);
  connect(&session, &Session::runStarted, this, &NextWords::forget);
}

void NextWords::follow() {
  if (m_position < 0) return;
  if (m_model.sequence() != m_sequence || m_model.position() != m_position) return forget();
  if (m_controller.trial() != m_trial) look(m_token, m_text);
}

void NextWords::forget() {
  m_question.drop();
  m_position = -1;
  emit changed({}, {});
}

void NextWords::look(TokenId token, const QString& text) {
  const Branch branch =
      branchAt(m_session, m_model.sequence(), m_model.position(), token, text, m_controller.trial());
  const auto answer = m_session.state().sequences.find(m_model.sequence());
  if (!branch.refusal.isEmpty() || answer->second.evictedTokens > 0) return forget();
  m_question.drop();
  m_sequence = m_model.sequence();
  m_position = m_model.position();
  m_tokens = branch.request.tokenIds;
  m_promptTokens = static_cast<int>(m_tokens.size());
  m_tokens.insert(m_tokens.end(), branch.request.outputIds.begin(), branch.request.outputIds.end());
  m_token = token;
  m_trial = m_controller.trial();
  m_sampling = branch.request.sampling;
  m_text = text;
  m_words.clear();
  m_known = 0;
  emit changed(m_text, {});
  ask();
}

void NextWords::ask() {
  const std::uint64_t seed = m_session.engine() ? m_session.engine()->options.seed : 0;
  const auto work = [tokens = m_tokens, prompt = m_promptTokens, sampling = m_sampling,
                     seed](const AskedMachine& asked) -> std::optional<Next> {
    const NextLogits known = asked.engine.nextLogits(tokens, kPiecesTold);
    if (known.logits.empty()) return {};
    const TokenId drawn = previewDraw({known.logits, tokens, prompt, seed, 0}, sampling, 1).chosen;
    const auto piece = std::ranges::find(known.pieces, drawn, &std::pair<TokenId, std::string>::first);
    if (piece == known.pieces.end()) return {};
    const Tokenizer* const words = asked.engine.tokenizer();
    return Next{drawn, piece->second, words != nullptr && words->eosToken() == drawn};
  };
  m_question = m_host.ask(work, this, [this](const std::optional<std::optional<Next>>& next) {
    take(next.value_or(std::nullopt));
  });
}

void NextWords::take(const std::optional<Next>& next) {
  if (!next || next->text.empty()) {
    if (m_known == 0) forget();  // as in a recording without its model
    return;
  }
  m_words += next->text;
  m_tokens.push_back(next->token);
  ++m_known;
  emit changed(m_text, flowingToken(QString::fromStdString(m_words)));
  if (m_known < kWords && !next->ends) ask();
}

}  // namespace vitrine

#include "moc_next_words.cpp"
