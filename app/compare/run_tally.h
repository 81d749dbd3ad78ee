// RunTally: what one run comes to, from its events alone: live, or read from a trace.
//
// It follows the first 65,536 answers, 4 Mi tokens and 1 Mi steps: 40 MiB at most. Of a longer run the rest
// counts in the figures, but no answer or step behind these is compared. Thread: that of the events. Read
// next: contrast.h, vitrine/statistics.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vitrine/event_sink.h"
#include "vitrine/speculation_report.h"
#include "vitrine/statistics.h"

namespace vitrine::compare {

// An answer keeps its key when the same requests run again: ids may differ.
struct AnswerKey {
  std::string request;  // its name
  int time = 0;         // of several requests with this name in turn: 0, 1, ...
  int answer = 0;       // which of the request's answers

  auto operator<=>(const AnswerKey&) const = default;
};

struct TalliedAnswer {
  std::vector<TokenId> tokens;  // generated, behind a forced beginning
  bool whole = false;           // it has ended by itself: neither cancelled nor failed
  int order = 0;                // of submission, then of the request's answers
};

// What a student sees of a finished step, as a number without times, ids and the order of a step's sequences:
// which answers were admitted, preempted (and how) and computed, how many tokens of each, and the blocks in
// use.
struct TalliedStep {
  int step = 0;
  std::uint64_t digest = 0;

  bool operator==(const TalliedStep&) const = default;
};

class RunTally final : public EventSink {
 public:
  // Events of one run in order, from its beginning or from a Snapshot on. An EngineLoaded begins anew.
  void publish(const Event& event) override;

  const Statistics& statistics() const { return m_statistics; }
  const RunTotals& totals() const { return m_statistics.totals(); }
  const EngineOptions& options() const { return m_options; }  // in force

  int poolBlocks() const { return m_poolBlocks; }
  int blocksAtMost() const { return m_blocksAtMost; }  // in use at the end of a step
  std::int64_t kvBytesAtMost() const { return m_blocksAtMost * m_bytesPerBlock; }
  std::int64_t swappedBytes() const;  // out of the pool, to the file, and in again
  std::int64_t waitSteps() const;     // summed over sequences and reasons
  // Of drafts, over all positions.
  const SpeculationFigures::Position& drafts() const { return m_drafts; }

  // Every request so far has finished. A timetable may have others that have not arrived.
  bool isFinished() const { return m_submitted > 0 && m_open.empty(); }
  const std::map<AnswerKey, TalliedAnswer>& answers() const { return m_answers; }
  const std::vector<TalliedStep>& steps() const { return m_steps; }  // finished ones, in order
  // A number for each request: its prompt and all options of its sampling. Names with their times as in keys.
  const std::map<std::pair<std::string, int>, std::uint64_t>& requests() const { return m_requests; }
  bool isCut() const { return m_isCut; }  // the run was longer than what is compared

 private:
  struct FollowedRequest {
    std::string name;
    int time = 0;
    bool searches = false;    // with beams: its answers come at its end
    bool isCompared = false;  // it came before the run had too many
    std::vector<SequenceId> sequences = {};
  };
  struct FollowedAnswer {
    RequestId request = 0;
    int index = 0;
    std::uint64_t mark = 0;  // of its key
  };
  struct TalliedWork {
    std::uint64_t mark = 0;
    int tokens = 0;
  };

  void join(const MachineState& state);
  void addRequest(const Event& event);
  void addSequence(const Event& event);
  void addStep(const Event& event);
  void finishStep(int step, const StepFinished& finished);
  void follow(RequestId id, const std::string& name, bool searches);
  void addAnswer(SequenceId sequence, RequestId id, int index);
  AnswerKey keyOf(SequenceId sequence) const;  // requires that it is followed
  TalliedAnswer* answerOf(SequenceId sequence);
  std::uint64_t markOf(SequenceId sequence) const;

  Statistics m_statistics;
  EngineOptions m_options;
  int m_poolBlocks = 0, m_blocksAtMost = 0, m_order = 0;
  std::int64_t m_bytesPerBlock = 0, m_tokens = 0, m_submitted = 0;
  SpeculationFigures::Position m_drafts;
  std::map<RequestId, FollowedRequest> m_open;  // not finished
  std::map<SequenceId, FollowedAnswer> m_sequences;
  std::map<std::string, int> m_times;  // of each name
  std::map<AnswerKey, TalliedAnswer> m_answers;
  std::map<std::pair<std::string, int>, std::uint64_t> m_requests;
  std::vector<TalliedStep> m_steps;
  // Of the step in flight.
  std::map<SequenceId, TalliedWork> m_scheduled;
  std::uint64_t m_seen = 0;  // admitted and preempted
  bool m_isCut = false;
};

}  // namespace vitrine::compare
