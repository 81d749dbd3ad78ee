// RequestRow: what the list of requests says about one sequence: how far it is, why it waits, its newest
// words. Pure functions of the machine's state. Thread: values. Read next: request_list_model.h.
#pragma once

#include "vitrine/machine_state.h"
#include "widgets/session/newest_words.h"

namespace vitrine {

enum class RequestGroup : std::uint8_t { kRunning, kWaiting, kFinished };

inline constexpr int kRequestGroups = 3;

struct RequestRow {
  SequenceId sequence = 0;
  RequestId request = 0;
  QString letter, name;
  NewestWords words;  // the end of prompt and answer; kText has the whole answer
  RequestGroup group = RequestGroup::kWaiting;
  RequestGroup requestGroup = RequestGroup::kWaiting;  // running as long as one of its sequences runs
  bool preempted = false;
  QString status;          // "waits: needs 4 blocks, free 2 at Admit"
  QString progress;        // "12 of 48", "prefill 16 of 31", "waits"
  QString reason;          // why it waits: "needs 4 / free 2 at Admit"; empty when it does not
  QString miss;            // why its prompt was computed again, as a sentence; empty when it was not
  int index = 0;           // which of the request's sequences
  QString siblings;        // "3 answers: A1, A2, A3"; empty for a request with one sequence
  int finishedAfter = -1;  // newer finished requests; -1: the request has not finished
  int promptTokens = 0, computedTokens = 0, totalTokens = 0, maxTokens = 0, cachedTokens = 0;
  int blocks = 0, preemptions = 0, priority = 0;
  double deadlineMs = 0;
  std::int64_t ttftNs = 0;

  bool operator==(const RequestRow&) const = default;
};

// What all sequences of a request have in common.
struct RequestFamily {
  RequestGroup group = RequestGroup::kFinished;
  QString siblings;
};

QString requestGroupName(RequestGroup group);  // "Running"
RequestFamily requestFamily(const RequestState& request, const MachineState& state);
// Family and miss are left for the caller.
RequestRow requestRow(const SequenceState& sequence, const RequestState& request, NewestWords words);

}  // namespace vitrine
