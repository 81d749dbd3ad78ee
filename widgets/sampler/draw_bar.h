// DrawBar: the distribution that a token was drawn from, laid end to end from 0 to 1, and where the drawn
// number falls: the inverse of the cumulative distribution, most likely token first, which is how the sampler
// draws. Thread: values. Read next: sampler_model.h, vitrine/sampling_preview.h.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "vitrine/events/sampling.h"

namespace vitrine {

struct DrawBar {
  enum class Rule {
    kNumber,  // the number falls on the chosen token
    kGreedy,  // the most likely token; no number is drawn
    kOther,   // the number falls elsewhere: the token was chosen by rejection sampling
    kUntold,  // another program's engine, which tells neither
  };
  struct Part {
    TokenId token = 0;
    QString text;
    double begin = 0, end = 0;

    bool operator==(const Part&) const = default;
  };

  Rule rule = Rule::kGreedy;
  double number = -1;       // below 0: there is none, or it is not known
  std::vector<Part> parts;  // most likely first; the list may be cut
  int unlisted = 0;         // candidates behind the parts
  TokenId chosen = 0;
  QString chosenText;

  const Part* chosenPart() const;  // null when it is not listed
  const Part* partAt(double share) const;
  QString sentence() const;  // what was drawn, and where it fell
  bool operator==(const DrawBar&) const = default;
};

using TokenText = std::function<QString(TokenId)>;

// stages: of the draw, at least one. number: drawn with; below 0: greedy.
DrawBar drawBar(const std::vector<SamplingStage>& stages, TokenId chosen, double number,
                const TokenText& text);

}  // namespace vitrine
