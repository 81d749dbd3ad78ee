// StepAhead: the forward of the next step, begun while the host draws this step's tokens, commits, and plans.
//
// Neither the scheduler nor the step's phases know of it. The batch is foreseen (scheduling/next_batch.h),
// its tokens are the most likely ones of this step's logits, which the GPU has itself, and its keys and
// values go where the next step would store them. That step then plans as always. If each of its rows is
// among those that were begun (the same token at the same position with the same blocks, and a row does not
// depend on the batch around it), its results are taken; else the plan is computed as it is. Whatever a row
// that is not taken has stored lies in slots that no sequence has computed yet, and operations on the cache
// are in order: the next one to use the slot overwrites it before it is read. Thread: the engine's. Read
// next: step_logits.h, runtime/overlap.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "execution/model_runner.h"
#include "scheduling/next_batch.h"
#include "vitrine/events/forward.h"

namespace vitrine {

class StepAhead {
 public:
  // The runner must outlive it.
  explicit StepAhead(ModelRunner& runner) : m_runner(runner) {}

  // Whether the device can do so.
  bool isPossible() const { return m_runner.logits().digests(); }
  // Foresees step `step`, behind the one whose logits the runner has taken and not awaited, and begins it if
  // foresight was right of late. All of these logits are digests of greedy draws, a row for each work of the
  // plan.
  void begin(std::span<const NextWork> next, int step);
  // The runner's logits have been awaited.
  void noteTokens();
  bool isForeseen() const { return m_isForeseen; }

  // Ends it, and tells what became of the rows that were begun; nothing: none were. take(): where all rows of
  // the plan of step `step` are there, greedy draws again, the runner's logits are theirs, to be awaited;
  // else all rows are wasted.
  std::optional<ForwardAhead> take(const StepPlan& plan, int step);
  std::optional<ForwardAhead> drop();

 private:
  struct Row {
    SequenceId id;
    std::size_t source;  // row of the logits that its token is drawn from
    int position;
    std::size_t table, blocks;  // in m_tables
    TokenId token = 0;
  };
  void launch();
  bool find(const StepPlan& plan);
  bool isOf(const Row& row, const Work& work) const;

  ModelRunner& m_runner;
  int m_step = 0;
  bool m_isForeseen = false, m_isBegun = false;
  int m_proofs = 0;  // steps to foresee rightly before the next one is begun
  std::vector<Row> m_rows;
  std::vector<BlockId> m_tables;
  std::vector<ModelRunner::NextToken> m_tokens;
  std::vector<std::int32_t> m_found;  // row of each work
};

}  // namespace vitrine
