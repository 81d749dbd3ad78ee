// ToldAnswers: the tokens of the answers that another program's engine has written, as it told them, for a
// look at one of them: that engine cannot be asked again.
//
// It keeps what a server tells of each token, some hundred bytes, until the connection ends. Thread: the
// window's. Read next: answer_query.h, connected_engine.h.
#pragma once

#include <map>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

struct AnswerQuery;
struct SeenAnswer;

class ToldAnswers {
 public:
  void note(const Event& event);
  // Nothing of an answer of another connection.
  SeenAnswer find(const AnswerQuery& query) const;

 private:
  struct Token {
    TokenSampled sampled;
    TokenCandidates candidates = {};  // without stages: none were told
  };
  using Tokens = std::vector<Token>;

  static SeenAnswer look(const Tokens& tokens, const AnswerQuery& query);

  std::map<SequenceId, Tokens> m_answers;
  TokenCandidates m_next;  // of the token that follows
};

}  // namespace vitrine
