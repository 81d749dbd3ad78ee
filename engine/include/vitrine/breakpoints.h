// Breakpoints: conditions on events, at which a run stops.
//
// check() sees every event of a run in order and says which condition it meets. So a host stops the engine
// there, and a window finds the same moment in a recording. The idea is a debugger's (Ripes, rr). Thread: one
// at a time. Read next: prose/breakpoint_words.h, which says why a run stopped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
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
};
VITRINE_NAMES(BreakKind, "admission", "first_prefill", "block_full", "prefix_hit", "prefix_miss",
              "copy_on_write", "preemption", "swap", "draft_rejected", "finished", "token", "entropy",
              "request", "step");
inline constexpr int kBreakKindCount = Names<BreakKind>::list.size();

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
  int position = -1;  // in the sequence
  double bits = -1;   // kEntropy
};

// Why a run stopped.
struct BreakStop {
  Breakpoint breakpoint;
  BreakHit hit;
};

// KIND, KIND=VALUE (token, entropy, request, step), and @REQUEST for one request only: "preemption",
// "token= the", "token=#273", "entropy=3.5@Ada", "step=46". REQUEST is a name, or a number as in "#2"; a
// token's text may stand in quotation marks. Throws EngineError(kInvalidArgument).
Breakpoint breakpointFromText(std::string_view text);
std::string toText(const Breakpoint& breakpoint);  // its inverse, but for enabled and once

// Whether one of them needs Detail::entropy, without which no entropy is measured.
bool needsEntropyFor(const std::vector<Breakpoint>& list);

class Breakpoints {
 public:
  Breakpoints() { set({}); }

  void set(std::vector<Breakpoint> list);
  const std::vector<Breakpoint>& list() const { return m_list; }

  // For a run whose beginning was not seen.
  void begin(const MachineState& state);
  // Events of a run in order: the first breakpoint of the list that this event meets. One look into a table
  // for an event without one; allocates only for events that introduce a request or sequence.
  std::optional<BreakHit> check(const Event& event);

 private:
  struct Known {
    RequestId request = 0;
    bool isNew = false;  // admitted, and its prompt not yet scheduled
  };
  void note(const Event& event);
  void noteAdmission(const Event& event);
  void noteScheduled(const Event& event);
  bool meets(const Breakpoint& breakpoint, const Event& event, BreakHit& hit) const;
  template <typename Body>
  bool meetsBody(const Breakpoint& breakpoint, const Body& body, BreakHit& hit) const;
  bool concerns(const Breakpoint& breakpoint, const BreakHit& hit) const;
  RequestId requestOf(SequenceId sequence) const;

  std::vector<Breakpoint> m_list;
  // For each event of EventBody: the kinds that it may meet and that are enabled, a bit each.
  std::array<std::uint16_t, std::variant_size_v<EventBody>> m_watched{};
  std::map<SequenceId, Known> m_sequences;
  std::map<RequestId, std::string> m_names;
  int m_blockSize = 0;  // 0: without a KV cache
};

}  // namespace vitrine
