#include "support/naive_beams.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace vitrine::test {
namespace {

constexpr double kOut = -1e9, kSurelyIn = -1e8;

struct Row {
  NaiveTokens tokens;  // generated
  double score = 0;
  bool finished = false;
};

// Stable, so that of equals the earlier one stays in front.
std::vector<Row> topRows(std::vector<Row> rows, int count) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.score > b.score; });
  rows.resize(std::min(rows.size(), static_cast<std::size_t>(count)));
  return rows;
}

class Searching {
 public:
  Searching(const NaiveTokens& prompt, const NaiveSearch& search,
            const std::function<std::vector<double>(const NaiveTokens&)>& logits)
      : m_prompt(prompt), m_search(search), m_logits(logits) {}

  NaiveOutcome run() {
    const auto beams = static_cast<std::size_t>(m_search.beams);
    std::vector<Row> running(beams, Row{{}, kOut, false}), done(beams, Row{{}, kOut, false});
    running[0].score = 0;
    bool canImprove = true;
    for (int length = 1;; ++length) {
      const std::vector<Row> top = continuations(running);
      std::vector<Row> next = top, merged = done;
      bool allHit = true;
      for (std::size_t i = 0; i < top.size(); ++i) {
        const bool hit = isComplete(top[i].tokens);
        allHit = allHit && hit;
        if (hit) next[i].score += kOut;
        Row ended = top[i];
        ended.score /= std::pow(length, m_search.lengthPenalty);
        ended.finished = hit && i < beams;
        if (ended.finished) noteAgainst(ended.score, done);
        if (!ended.finished || !canImprove || (m_search.stopEarly && allFinished(done))) ended.score += kOut;
        merged.push_back(ended);
      }
      running = topRows(next, m_search.beams);
      done = topRows(merged, m_search.beams);
      canImprove = canImprove && mayImprove(running.front().score, length, done);
      if (!canImprove || (m_search.stopEarly && allFinished(done)) || allHit) break;
    }
    NaiveOutcome outcome{{}, m_margin};
    for (int i = 0; i < m_search.answers; ++i)
      outcome.answers.push_back(
          {done[static_cast<std::size_t>(i)].tokens, done[static_cast<std::size_t>(i)].score});
    return outcome;
  }

 private:
  static bool allFinished(const std::vector<Row>& rows) {
    return std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.finished; });
  }

  bool isComplete(const NaiveTokens& tokens) const {
    const bool end = std::count(m_search.endTokens.begin(), m_search.endTokens.end(), tokens.back()) > 0;
    return end || static_cast<int>(tokens.size()) >= m_search.maxNewTokens ||
           (m_search.stops && m_search.stops(tokens));
  }

  // log softmax first, then the processors: the result is no distribution any more.
  const std::vector<double>& logprobs(const NaiveTokens& output) {
    std::vector<double>& known = m_logprobs[output];
    if (!known.empty()) return known;
    NaiveTokens all = m_prompt;
    all.insert(all.end(), output.begin(), output.end());
    known = m_logits(all);
    const double most = *std::max_element(known.begin(), known.end());
    double sum = 0;
    for (double logit : known) sum += std::exp(logit - most);
    for (double& value : known) value -= most + std::log(sum);
    for (std::int32_t token : std::set<std::int32_t>(all.begin(), all.end())) {
      double& value = known[static_cast<std::size_t>(token)];
      value = value < 0 ? value * m_search.repetitionPenalty : value / m_search.repetitionPenalty;
      const auto times = static_cast<double>(std::count(output.begin(), output.end(), token));
      if (times > 0) value -= m_search.presencePenalty + m_search.frequencyPenalty * times;
    }
    return known;
  }

  std::vector<Row> continuations(const std::vector<Row>& running) {
    std::vector<Row> all;
    for (const Row& beam : running) {
      const std::vector<double>& next = logprobs(beam.tokens);
      for (std::size_t token = 0; token < next.size(); ++token) {
        all.push_back({beam.tokens, beam.score + next[token], false});
        all.back().tokens.push_back(static_cast<std::int32_t>(token));
      }
    }
    const int keep = std::max(2, 1 + static_cast<int>(m_search.endTokens.size())) * m_search.beams;
    std::vector<Row> top = topRows(std::move(all), keep + 1);
    for (std::size_t i = 1; i < top.size(); ++i)
      if (top[i].score > kSurelyIn) m_margin = std::min(m_margin, top[i - 1].score - top[i].score);
    top.resize(std::min(top.size(), static_cast<std::size_t>(keep)));
    return top;
  }

  bool mayImprove(double best, int length, const std::vector<Row>& done) {
    const bool toTheEnd = m_search.never && m_search.lengthPenalty > 0;
    best /= std::pow(toTheEnd ? m_search.maxNewTokens : length, m_search.lengthPenalty);
    noteAgainst(best, done);
    const double worst = done.back().score;
    return std::any_of(done.begin(), done.end(),
                       [&](const Row& row) { return best > (row.finished ? worst : kOut); });
  }

  void noteAgainst(double score, const std::vector<Row>& done) {
    for (const Row& row : done)
      if (row.finished && score > kSurelyIn) m_margin = std::min(m_margin, std::abs(score - row.score));
  }

  const NaiveTokens& m_prompt;
  const NaiveSearch& m_search;
  const std::function<std::vector<double>(const NaiveTokens&)>& m_logits;
  std::map<NaiveTokens, std::vector<double>> m_logprobs;
  double m_margin = 1;
};

}  // namespace

NaiveOutcome searchNaive(const NaiveTokens& prompt, const NaiveSearch& search,
                         const std::function<std::vector<double>(const NaiveTokens&)>& logits) {
  return Searching(prompt, search, logits).run();
}

}  // namespace vitrine::test
