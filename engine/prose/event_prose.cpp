#include "vitrine/prose/event_prose.h"

#include "prose/beam_sentences.h"
#include "prose/block_sentences.h"
#include "prose/loading_sentences.h"
#include "prose/request_sentences.h"
#include "prose/scheduling_sentences.h"
#include "prose/speculation_sentences.h"
#include "prose/step_sentences.h"
#include "prose/swapping_sentences.h"

namespace vitrine::prose {
namespace {

// One overload for each event, in the file of its subject; without one this does not compile.
template <typename... Subjects>
struct Sentences : Subjects... {
  Sentences(const Names& names, const Language& language) : Subjects(names, language)... {}
  using Subjects::operator()...;
};
using EventSentences = Sentences<LoadingSentences, RequestSentences, SchedulingSentences, BlockSentences,
                                 SwappingSentences, StepSentences, SpeculationSentences, BeamSentences>;

// "3, 5-8"
std::string listOf(const std::vector<BlockId>& blocks, const Language& language) {
  std::string text;
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t end = i + 1;
    while (end < blocks.size() && blocks[end] == blocks[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ", ") + language.number(blocks[i]);
    if (end - i > 1) text += "-" + language.number(blocks[end - 1]);
    i = end;
  }
  return text;
}

bool sameRun(const BlockAllocated& a, const BlockAllocated& b) { return a.sequence == b.sequence; }
bool sameRun(const BlockHit& a, const BlockHit& b) { return a.sequence == b.sequence; }
bool sameRun(const BlockFreed& a, const BlockFreed& b) {
  return a.sequence == b.sequence && (a.refCount == 0) == (b.refCount == 0);
}

template <typename Body>
concept InRuns = requires(const Body& body) {
  sameRun(body, body);
};

}  // namespace

EventProse describe(const Event& event, const Names& names, const Language& language) {
  const EventSentences sentences(names, language);
  return std::visit([&](const auto& body) { return sentences(unboxed(body)); }, event.body);
}

bool inOneRun(const Event& first, const Event& next) {
  return std::visit(
      [&](const auto& boxed) {
        using Body = std::decay_t<decltype(unboxed(boxed))>;
        if constexpr (InRuns<Body>) {
          const Body* other = bodyOf<Body>(next);
          return other != nullptr && sameRun(unboxed(boxed), *other);
        } else {
          return false;
        }
      },
      first.body);
}

EventProse describeRun(std::span<const Event> run, const Names& names, const Language& language) {
  if (run.size() == 1) return describe(run.front(), names, language);
  return std::visit(
      [&](const auto& boxed) -> EventProse {
        using Body = std::decay_t<decltype(unboxed(boxed))>;
        if constexpr (InRuns<Body>) {
          std::vector<BlockId> blocks;
          for (const Event& event : run)
            if (const Body* body = bodyOf<Body>(event)) blocks.push_back(body->block);
          return BlockSentences(names, language)
              .run(unboxed(boxed), static_cast<int>(blocks.size()), listOf(blocks, language));
        } else {
          return describe(run.front(), names, language);
        }
      },
      run.front().body);
}

}  // namespace vitrine::prose
