// SampledRows: why each sampled token was chosen. The row of a token, its candidates and the judgement of its
// draft come in any order. Internal to why.cpp. Thread: any.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "prose/candidate_words.h"
#include "prose/sampling_rules.h"
#include "vitrine/prose/why.h"

namespace vitrine::prose {

class SampledRows {
 public:
  SampledRows(const Names& names, const Names& ruleNames, const Language& language)
      : m_words(names, language), m_rules(ruleNames, language) {}

  void note(const TokenSampled& e, std::size_t row) { m_tokens[{e.sequence, e.position}].row = row; }
  void note(const TokenCandidates& e) { m_tokens[{e.sequence, e.position}].stages = &e.stages; }
  void note(const DraftVerified& e) {
    int position = e.firstPosition;
    for (const DraftJudgement& one : e.judgements) m_tokens[{e.sequence, position++}].verdict = one.verdict;
  }

  // Requires that the noted events still live.
  void addTo(std::vector<WhyRow>& rows) const {
    for (const auto& [position, token] : m_tokens) {
      if (!token.row || token.stages == nullptr || token.stages->empty()) continue;
      WhyRow& row = rows[*token.row];
      row.rules = m_rules.stages(*token.stages);
      if (token.verdict == DraftVerdict::kWithin || token.verdict == DraftVerdict::kBeyond) {
        row.text += " " + m_words.judged(token.verdict);
        row.rules.pop_back();  // its rule is that of the draft
      } else {
        row.text += " " + m_words.left(*token.stages);
      }
    }
  }

 private:
  struct Token {
    std::optional<std::size_t> row;
    const std::vector<SamplingStage>* stages = nullptr;
    DraftVerdict verdict = DraftVerdict::kSame;
  };

  CandidateWords m_words;
  SamplingRules m_rules;
  std::map<std::pair<SequenceId, int>, Token> m_tokens;  // by position: a draft brings several in a step
};

}  // namespace vitrine::prose
