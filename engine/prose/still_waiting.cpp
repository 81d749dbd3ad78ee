#include "prose/still_waiting.h"

#include <algorithm>

#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

constexpr std::size_t kNamed = 8;
constexpr int kSection = static_cast<int>(Phase::kAdmit);

}  // namespace

std::vector<WhyRow> StillWaiting::rows(const MachineState& after, const std::set<SequenceId>& told) const {
  std::vector<WhyRow> rows;
  std::string list;
  SequenceId first = 0;
  std::size_t toldHere = 0;
  const std::size_t seen = std::min(after.waiting.size(), kNamed);
  for (std::size_t i = 0; i < seen; ++i) {
    const SequenceId id = after.waiting[i];
    const bool isTold = told.contains(id);
    toldHere += isTold ? 1 : 0;
    const auto found = after.sequences.find(id);
    if (found == after.sequences.end() || !found->second.wait) continue;  // preempted in this step
    const bool isBehind = found->second.wait->reason == WaitReason::kBehind;
    if (!isBehind && first == 0) first = id;
    if (isTold) continue;
    if (isBehind)
      list += (list.empty() ? "" : ", ") + sequence(id);
    else
      rows.push_back(row(id, *found->second.wait));
  }
  const std::size_t others = after.waiting.size() - seen, toldThere = told.size() - toldHere;
  if (first != 0 && !list.empty())
    rows.push_back(rowBehind(first, list, static_cast<int>(others - std::min(others, toldThere))));
  return rows;
}

WhyRow StillWaiting::row(SequenceId id, const WaitState& wait) const {
  const SequenceWaiting waiting{id, wait.reason, wait.needed, wait.available};
  return {kSection, id,
          tr("%1 still waits, since step %2: %3.")
              .arg(sequence(id), step(wait.step), waitReason(waiting, m_language)),
          true};
}

WhyRow StillWaiting::rowBehind(SequenceId first, std::string list, int more) const {
  if (more > 0) list = tr("%1 and %n more", nullptr, more).arg(list);
  return {kSection, 0,
          tr("These still wait behind %1 (head-of-line blocking): %2.").arg(sequence(first), list), true};
}

}  // namespace vitrine::prose
