// SaidSearch: the events of a beam search without an engine: the test says each step's continuations, or lets
// an invented model find them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "vitrine/event.h"

namespace vitrine::test {

// A search of a pretended model: each step has the candidates that the test names.
class SaidSearch {
 public:
  explicit SaidSearch(int width, RequestId request = 1) {
    EngineLoaded loaded;
    loaded.options.blockSize = 4;
    loaded.options.numBlocks = 32;
    say(loaded);
    RequestSubmitted submitted{};
    submitted.request = request;
    submitted.asked.tokenIds = {1, 2, 3};
    submitted.pieces = {"Once", " upon", " a"};
    submitted.asked.maxTokens = 400;
    submitted.asked.sequences = width;
    submitted.firstSequence = 1;
    submitted.asked.beamWidth = width;
    submitted.asked.lengthPenalty = 1;
    say(submitted);
    m_request = request;
  }
  // The first ones are kept, as many as the search is wide.
  void step(std::vector<BeamCandidate> candidates, BeamEnd end = BeamEnd::kNone) {
    ++m_event.step;
    say(StepStarted{1, 0});
    BeamStep said;
    said.request = m_request;
    said.length = ++m_length;
    said.candidates = std::move(candidates);
    for (const BeamCandidate& one : said.candidates)
      if (one.fate == BeamFate::kFinished) ++m_finished;
    said.finished = m_finished;
    said.worstFinished = -2.5;
    said.end = end;
    say(said);
    say(StepFinished{});
  }
  // A step in which every beam goes on with its best continuation.
  void plainStep(int width) {
    std::vector<BeamCandidate> candidates;
    for (int i = 0; i < 2 * width; ++i) {
      BeamCandidate one;
      one.parent = m_length == 0 ? 1 : 1 + i % width;
      one.token = 100 * m_length + i;
      one.piece = " t" + std::to_string(i);
      one.logprob = -1 - i * 0.1;
      one.cumulative = -(m_length + 1) - i * 0.1;
      one.score = one.cumulative / (m_length + 1);
      one.fate = i < width ? BeamFate::kKept : BeamFate::kPruned;
      one.sequence = i < width ? 1 + i : 0;
      candidates.push_back(one);
    }
    step(std::move(candidates));
  }
  // A step of a search over an invented model, by the rules of the engine's; `ends`: the second continuation
  // is complete.
  void inventedStep(int width, bool ends = false) {
    static constexpr std::array kWords = {" upon", " there", " in",   " a",     " time", " was",
                                          " the",  " hill",  " day",  " small", " bird", " sang",
                                          " over", " rain",  " tree", " sea"};
    if (m_beams.empty()) m_beams = {{1, 0}};
    std::vector<BeamCandidate> all;
    const double tokens = m_length + 1;
    for (const auto& [sequence, sum] : m_beams)
      for (int i = 0; i < 2 * width; ++i) {
        const int mixed = (sequence * 37 + m_length * 11 + i * 7) % 16;
        const double logprob = -0.25 * i - 0.06 * mixed - 0.1;
        BeamCandidate one;
        one.parent = sequence;
        one.token = mixed;
        one.piece = kWords[static_cast<std::size_t>(mixed)];
        one.logprob = logprob;
        one.cumulative = sum + logprob;
        one.score = one.cumulative / tokens;
        all.push_back(one);
      }
    std::ranges::stable_sort(all, std::ranges::greater(), &BeamCandidate::cumulative);
    all.resize(static_cast<std::size_t>(2 * width));
    if (ends) all[1].fate = BeamFate::kFinished, all[1].hypothesis = m_finished + 1, all[1].piece = "</s>";
    if (ends) all.back().fate = BeamFate::kTooLow, all.back().piece = "</s>";
    m_beams.clear();
    for (BeamCandidate& one : all) {
      if (one.fate != BeamFate::kKept) continue;
      const auto kept = static_cast<int>(m_beams.size());
      one.fate = kept < width ? BeamFate::kKept : BeamFate::kPruned;
      if (kept < width) m_beams.emplace_back(one.sequence = kept + 1, one.cumulative);
    }
    step(std::move(all));
  }
  std::vector<Event> take() { return std::exchange(m_events, {}); }

 private:
  void say(EventBody body) {
    m_event.body = std::move(body);
    m_events.push_back(m_event);
    ++m_event.number;
  }

  Event m_event;
  std::vector<Event> m_events;
  RequestId m_request = 1;
  int m_length = 0, m_finished = 0;
  std::vector<std::pair<SequenceId, double>> m_beams;  // of the invented model, with their sums
};

}  // namespace vitrine::test
