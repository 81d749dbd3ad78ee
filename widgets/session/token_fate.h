// TokenFate: where a token of an answer came from, and what became of a drafted one. Thread: any.
#pragma once

#include <QString>
#include <cstdint>

namespace vitrine {

enum class TokenFate : std::uint8_t {
  kPrompt,
  kSampled,   // in a step without a draft for the sequence
  kAccepted,  // proposed by the drafter and accepted
  kModel,     // chosen by the model after the drafts of its step
  kRejected,  // proposed and rejected
  kUnjudged,  // proposed, and thrown away with a rejected draft before it
};
QString tokenFateText(TokenFate fate);

}  // namespace vitrine
