// AnswerQuery, SeenAnswer: the window asks which bytes of an answer its tokens are, how likely one of them
// was, and what else was likely there. Thread: values; readAnswer() on the engine's. Read next:
// token_looker.h.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "desk/token_spans.h"
#include "gui/machine/engine_host.h"

namespace vitrine {

struct AnswerQuery {
  ChatOrder order = {};                  // that the answer came from
  std::vector<TokenId> tokens = {};      // of the answer
  std::string shown = {};                // its text in the chat
  std::optional<int> place = {};         // the token looked at; else that of `byte`
  std::optional<std::size_t> byte = {};  // of `shown`; neither: no probabilities, which take a forward
};

struct LikelyToken {
  TokenId token = 0;
  double probability = 0;  // in the model's own distribution
  std::string text = {};
  bool isControl = false;  // it stands for no text, as an end token does
};

struct SeenAnswer {
  std::vector<TokenSpan> spans = {};  // none: the loaded model does not say this text with these tokens
  int place = -1;                     // the token looked at; -1: none
  LikelyToken token = {};
  std::vector<LikelyToken> likely = {};  // the most likely first; empty when it could not be computed
};

// Computes `order`'s prompt and the tokens before the one looked at, apart from the requests. Errors as
// Engine::nextLogits() and fittingChatRequest().
SeenAnswer readAnswer(Engine& engine, const AnswerQuery& query);

// On the window's thread; `seen` is told nothing where there is no engine, or it failed.
Question askAboutAnswer(EngineHost& host, AnswerQuery query, QObject* receiver,
                        std::function<void(const SeenAnswer&)> seen);

}  // namespace vitrine
