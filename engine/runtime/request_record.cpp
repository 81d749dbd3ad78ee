#include "runtime/request_record.h"

#include "scheduling/policy.h"

namespace vitrine {

Answer::Answer(const Answer& parent, int index)
    : record(parent.record), stream(parent.stream), grammar(parent.grammar), result(parent.result) {
  sequence.id = record.firstSequence + index;
  sequence.request = record.id;
  sequence.index = index;
}

Answer& forkAnswer(Scheduler& scheduler, Answer& parent, int index) {
  std::vector<std::unique_ptr<Answer>>& answers = parent.record.answers;
  auto child = std::make_unique<Answer>(parent, index);
  if (answers.size() == answers.capacity()) answers.reserve(answers.size() + 1);
  scheduler.fork(parent.sequence, child->sequence);  // nothing after it may fail
  answers.push_back(std::move(child));
  return *answers.back();
}

std::int64_t RequestRecord::lateNs() const {
  return request.deadlineMs > 0 ? finishedNs - deadlineAt(submittedNs, request.deadlineMs) : 0;
}

}  // namespace vitrine
