// One entry for each option of a request, sampling included, in the order in which they are shown.
//
// Read next: options.h.
#pragma once

#include <tuple>

#include "vitrine/engine_option_table.h"

namespace vitrine {

template <>
struct OptionTable<SamplingOptions> {
  using O = SamplingOptions;
  static constexpr OptionPage kPage = OptionPage::kSampling;
  static constexpr auto list = std::tuple{
      option(&O::repetitionPenalty, {.key = "repetition_penalty",
                                     .label = "&Repetition penalty",
                                     .help = "above 1, tokens of prompt and answer become less likely",
                                     .page = kPage,
                                     .least = 0,
                                     .above = true}),
      option(&O::presencePenalty, {.key = "presence_penalty",
                                   .label = "Pre&sence penalty",
                                   .help = "subtracted once from a token that is in the answer",
                                   .page = kPage}),
      option(&O::frequencyPenalty, {.key = "frequency_penalty",
                                    .label = "&Frequency penalty",
                                    .help = "subtracted for each time that a token is in the answer",
                                    .page = kPage}),
      option(&O::temperature, {.key = "temperature",
                               .label = "Te&mperature",
                               .help = "divides the logits; above 1, less likely tokens are drawn more often",
                               .page = kPage,
                               .zero = "greedy",
                               .least = 0}),
      option(&O::topK, {.key = "top_k",
                        .label = "Top-&k",
                        .help = "keep the k most likely tokens",
                        .page = kPage,
                        .unit = "tokens",
                        .zero = "all",
                        .least = 0}),
      option(&O::topP, {.key = "top_p",
                        .label = "Top-&p",
                        .help = "keep the fewest tokens whose probabilities add up to p",
                        .page = kPage,
                        .least = 0,
                        .most = 1,
                        .above = true}),
      option(&O::minP, {.key = "min_p",
                        .label = "M&in-p",
                        .help = "drop tokens that are less likely than p times the most likely one",
                        .page = kPage,
                        .least = 0,
                        .most = 1}),
      option(&O::seed,
             {.key = "seed", .label = "S&eed", .help = "the same seed gives the same tokens", .page = kPage}),
  };
};

template <>
struct OptionTable<Request> {
  using O = Request;
  static constexpr OptionPage kPage = OptionPage::kAnswers;
  static constexpr int kMostAnswers = 1024;
  static constexpr auto list = std::tuple{
      option(&O::maxTokens,
             {.key = "max_tokens",
              .label = "&Longest answer",
              .help = "tokens to generate for each answer; the end of the context stops earlier",
              .page = kPage,
              .unit = "tokens",
              .least = 1}),
      option(&O::ignoreEos, {.key = "ignore_eos",
                             .label = "&Ignore the end token",
                             .help = "go on after the end token",
                             .page = kPage}),
      option(&O::stop, {.key = "stop",
                        .label = "S&top at",
                        .help = "a string that ends the text (may be given several times)",
                        .page = kPage}),
      option(&O::sequences, {.key = "n",
                             .label = "A&nswers",
                             .help = "answers to one prompt",
                             .page = kPage,
                             .unit = "answers",
                             .least = 1,
                             .most = kMostAnswers}),
      option(&O::bestOf, {.key = "best_of",
                          .label = "&Best of",
                          .help = "draw so many answers and give the best -n of them",
                          .page = kPage,
                          .unit = "answers",
                          .zero = "as many as -n",
                          .least = 0,
                          .most = kMostAnswers}),
      option(&O::beamWidth, {.key = "beam_width",
                             .label = "Beam &width",
                             .help = "above 1, beam search with so many beams instead of sampling",
                             .page = kPage,
                             .unit = "beams",
                             .least = 1,
                             .most = kMaxBeams}),
      option(&O::lengthPenalty, {.key = "length_penalty",
                                 .label = "L&ength penalty",
                                 .help = "the score of an answer is its cumulative logprob / length^penalty",
                                 .page = kPage,
                                 .least = -10,
                                 .most = 10}),
      option(&O::earlyStopping, {.key = "early_stopping",
                                 .label = "Earl&y stopping",
                                 .help = "when a beam search ends, as in transformers; false: heuristic",
                                 .page = kPage,
                                 .labels = {"When there are enough answers", "When no beam beats them now",
                                            "When no beam can beat them at any length"},
                                 .also = "false",
                                 .alsoValue = EarlyStopping::kHeuristic}),
      option(&O::priority, {.key = "priority",
                            .label = "P&riority",
                            .help = "the request with the larger priority goes first",
                            .page = kPage,
                            .when = &kWithPriority}),
      option(&O::deadlineMs, {.key = "deadline_ms",
                              .label = "&Deadline",
                              .help = "time from submission to the wished end",
                              .page = kPage,
                              .unit = "ms",
                              .zero = "none",
                              .least = 0,
                              .when = &kWithDeadline}),
      option(&O::logprobs, {.key = "logprobs",
                            .label = "L&ogprobs",
                            .help = "alternatives to report for each token",
                            .page = kPage,
                            .zero = "none",
                            .least = 0}),
      option(&O::cacheSalt, {.key = "cache_salt",
                             .label = "&Cache salt",
                             .help = "requests share cached prefixes only with the same salt",
                             .page = kPage}),
  };
};

}  // namespace vitrine
