// Breakpoint: a condition on events, at which a run stops; and where it was met. Thread: values. Read next:
// breakpoints.h, which checks them; prose/breakpoint_words.h, which says why a run stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

enum class BreakKind : std::uint8_t {
  kAdmission,      // a waiting sequence joins the running set
  kFirstPrefill,   // the first chunk of a prompt is planned
  kBlockFull,      // a step computes the last slot of a block
  kPrefixHit,      // a block is found in the prefix index
  kPrefixMiss,     // a prompt is computed again behind its cached beginning
  kCopyOnWrite,    // a shared block is copied before it is written
  kPreemption,     // a running sequence loses its blocks
  kSwap,           // a block moves out of the pool or back
  kDraftRejected,  // the model rejects a draft token
  kFinished,       // a request ends
  kToken,          // a token is sampled: `token`, or one that completes exactly `text`
  kEntropy,        // the model's distribution of a sampled token has more than `bits`
  kRequest,        // anything happens to the request: it arrives, waits, is scheduled, ends
  kStep,           // a step begins: `step`
  kEvent,          // an event of this name, whose fields have these values: `event`, `with`
};
VITRINE_NAMES(BreakKind, "admission", "first_prefill", "block_full", "prefix_hit", "prefix_miss",
              "copy_on_write", "preemption", "swap", "draft_rejected", "finished", "token", "entropy",
              "request", "step", "event");
inline constexpr int kBreakKindCount = Names<BreakKind>::list.size();

// Fields of an event by name, and their values as JSON. "> 3" and "< 3" compare numbers.
using FieldValues = std::vector<std::pair<std::string, std::string>>;

struct Breakpoint {
  BreakKind kind = BreakKind::kPreemption;
  bool enabled = true;
  bool once = false;          // a host removes it when a run ends
  RequestId request = 0;      // only this request; 0: any
  std::string requestName{};  // only requests of this name; empty: any
  TokenId token = -1;         // kToken; -1: `text` counts
  std::string text{};         // kToken
  double bits = 0;            // kEntropy
  int step = 0;               // kStep
  std::string event{};        // kEvent: its name in a trace, "sequence_preempted"
  FieldValues with{};         // kEvent

  bool operator==(const Breakpoint&) const = default;
};

// Where a condition was met; 0 or -1: the event concerns none.
struct BreakHit {
  std::size_t place = 0;  // of the breakpoint in the list
  int step = 0;
  Phase phase = Phase::kAdmit;
  SequenceId sequence = 0;
  RequestId request = 0;
  BlockId block = -1;
  TokenId token = -1;
  int position = -1;     // in the sequence
  double bits = -1;      // kEntropy
  bool resumed = false;  // SequenceAdmitted: the sequence ran before, and was preempted
};

// Why a run stopped.
struct BreakStop {
  Breakpoint breakpoint;
  BreakHit hit;
};

// KIND, KIND=VALUE (token, entropy, request, step, event), and @REQUEST for one request only: "preemption",
// "token= the", "token=#273", "entropy=3.5@Ada", "step=46", "event=block_freed{"ref_count":0}@Ada". REQUEST
// is a name, or a number as in "#2"; a token's text may stand in quotation marks. Throws
// EngineError(kInvalidArgument).
Breakpoint breakpointFromText(std::string_view text);
std::string toText(const Breakpoint& breakpoint);  // its inverse, but for enabled and once

// Whether one of them needs Detail::entropy, without which no entropy is measured.
bool needsEntropyFor(const std::vector<Breakpoint>& list);

}  // namespace vitrine
