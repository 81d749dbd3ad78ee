// InsideReport: one forward opened: the hidden states' norms, what the model would say if it ended after each
// layer, and where attention looks.
//
// The forward is computed apart from the running requests, from the tokens alone (Engine::lookInside()), so a
// past step can be opened as well as the present one, and looking changes no bit of an answer. What an exit
// says is the logit lens (nostalgebraist 2020; compared with trained exits in arXiv 2303.08112 and
// 2404.16710): the final norm and the head over the hidden states behind a layer. Attention is computed from
// the queries and keys of the forward, since a kernel of the flash kind (arXiv 2205.14135) never holds the
// map; with a narrow KvType the kernel reads those keys rounded, and the map has them as they were. Thread:
// values. Read next: engine.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "vitrine/ids.h"

namespace vitrine {

// T tokens, L layers, H heads, V vocabulary. A question for attention alone computes no layer behind that
// one.
struct InsideOptions {
  int exitTop = 0;    // the most likely tokens of each exit; 0: no exits. An exit costs a head: V * hidden
  int exitsFrom = 0;  // of the tokens at positions exitsFrom .. T - 1
  int layer = -1;     // whose attention; -1: none
  int head = -1;      // of that layer; -1: the mean of all its heads
  int attentionFrom = 0;  // rows of the map: what the tokens at positions attentionFrom .. T - 1 look at
  bool hiddenStates = false;

  bool operator==(const InsideOptions&) const = default;
};

struct ExitGuess {
  TokenId token = 0;
  double logprob = 0;
};

struct InsideReport {
  // Layers are counted as transformers counts output_hidden_states: 0 the embeddings, l after layer l, L
  // after the final norm.
  std::vector<std::vector<float>> norms;                   // [L + 1][T] L2 norms of the states computed
  std::vector<std::vector<float>> hidden;                  // [L + 1][T * hidden], when asked for
  std::vector<std::vector<std::vector<ExitGuess>>> exits;  // [L + 1][T - exitsFrom][exitTop], best first
  std::vector<float> attention;                            // [T - attentionFrom, T]; each row's sum is 1
  std::vector<std::pair<TokenId, std::string>> pieces =
      {};  // texts of the exits' tokens; none without a tokenizer
};

// The largest difference between two reports' hidden states, layer by layer; empty unless both have them, of
// the same shapes.
std::vector<double> largestDifferences(const InsideReport& a, const InsideReport& b);

}  // namespace vitrine
