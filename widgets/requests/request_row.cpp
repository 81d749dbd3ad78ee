#include "widgets/requests/request_row.h"

#include <algorithm>
#include <utility>

#include "widgets/requests/request_list_model.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

QString runningStatus(const SequenceState& sequence) {
  const int total = static_cast<int>(sequence.tokens.size());
  // In decode one token is always missing: the newest token's KV is computed in the next step.
  if (sequence.computedTokens + 1 < total) {
    return RequestListModel::tr("prefill: %1 of %2 tokens computed").arg(sequence.computedTokens).arg(total);
  }
  return RequestListModel::tr("decode: %n token(s) generated", nullptr, total - sequence.promptTokens);
}

QString statusOf(const SequenceState& sequence) {
  switch (sequence.status) {
    case SequenceStatus::kRunning:
      return runningStatus(sequence);
    case SequenceStatus::kFinished:
      return RequestListModel::tr("%n token(s), %1", nullptr,
                                  static_cast<int>(sequence.tokens.size()) - sequence.promptTokens)
          .arg(finishReasonText(sequence.finishReason));
    case SequenceStatus::kPreempted:
    case SequenceStatus::kSwapped:
    case SequenceStatus::kWaiting:
      break;
  }
  const std::optional<WaitState>& wait = sequence.wait;
  const QString why =
      wait ? waitReasonText({sequence.id, wait->reason, wait->needed, wait->available}) : QString();
  if (sequence.status == SequenceStatus::kPreempted) {
    return why.isEmpty() ? RequestListModel::tr("preempted, waits for the next step")
                         : RequestListModel::tr("preempted, waits: %1").arg(why);
  }
  if (sequence.status == SequenceStatus::kSwapped) {
    return why.isEmpty() ? RequestListModel::tr("swapped out, waits for the next step")
                         : RequestListModel::tr("swapped out, waits: %1").arg(why);
  }
  return why.isEmpty() ? RequestListModel::tr("waits for the next step")
                       : RequestListModel::tr("waits: %1").arg(why);
}

QString progressOf(const SequenceState& sequence, const RequestState& request) {
  const int total = static_cast<int>(sequence.tokens.size()), output = total - sequence.promptTokens;
  switch (sequence.status) {
    case SequenceStatus::kRunning:
      if (sequence.computedTokens + 1 < total)
        return RequestListModel::tr("prefill %1 of %2").arg(sequence.computedTokens).arg(total);
      return RequestListModel::tr("%1 of %2").arg(output).arg(request.maxTokens);
    case SequenceStatus::kFinished:
      if (sequence.finishReason != FinishReason::kStop && sequence.finishReason != FinishReason::kLength)
        return finishReasonText(sequence.finishReason);
      return RequestListModel::tr("%n token(s)", nullptr, output);
    case SequenceStatus::kPreempted:
      return RequestListModel::tr("preempted");
    case SequenceStatus::kSwapped:
      return RequestListModel::tr("swapped out");
    case SequenceStatus::kWaiting:
      break;
  }
  return RequestListModel::tr("waits");
}

// The numbers are those of Admit. Beside a map of the step's end they need their moment: blocks may be
// free again.
QString reasonOf(const std::optional<WaitState>& wait, SequenceId sequence) {
  if (!wait) return RequestListModel::tr("for the next step");
  if (wait->reason == WaitReason::kBlocks)
    return RequestListModel::tr("needs %1 / free %2 at Admit").arg(wait->needed).arg(wait->available);
  return waitReasonText({sequence, wait->reason, wait->needed, wait->available});
}

RequestGroup groupOf(SequenceStatus status) {
  if (status == SequenceStatus::kRunning) return RequestGroup::kRunning;
  return status == SequenceStatus::kFinished ? RequestGroup::kFinished : RequestGroup::kWaiting;
}

}  // namespace

RequestFamily requestFamily(const RequestState& request, const MachineState& state) {
  RequestFamily family;
  QStringList letters;
  const int count = static_cast<int>(request.sequences.size());
  for (const SequenceId id : request.sequences) {
    const auto found = state.sequences.find(id);
    if (found == state.sequences.end()) continue;
    family.group = std::min(family.group, groupOf(found->second.status));
    if (count > 1 && letters.size() < 8) letters << sequenceLetter(request.id, found->second.index, count);
  }
  if (count < 2) return family;
  if (count > letters.size()) letters << QStringLiteral("…");
  family.siblings = (request.searches() ? RequestListModel::tr("%n beam(s): %1", nullptr, count)
                                        : RequestListModel::tr("%n answer(s): %1", nullptr, count))
                        .arg(letters.join(QStringLiteral(", ")));
  return family;
}

QString requestGroupName(RequestGroup group) {
  switch (group) {
    case RequestGroup::kRunning:
      return RequestListModel::tr("Running");
    case RequestGroup::kWaiting:
      return RequestListModel::tr("Waiting");
    case RequestGroup::kFinished:
      return RequestListModel::tr("Finished");
  }
  return {};
}

RequestRow requestRow(const SequenceState& sequence, const RequestState& request, NewestWords words) {
  RequestRow row;
  row.sequence = sequence.id;
  row.request = sequence.request;
  row.letter = sequenceLetter(request.id, sequence.index, static_cast<int>(request.sequences.size()));
  row.name = QString::fromStdString(request.name);
  row.words = std::move(words);
  if (row.words.text.isEmpty()) {  // submitted as ids, as a branch is
    row.words.text = RequestListModel::tr("prompt tokens: %1").arg(sequence.promptTokens);
    row.words.answer = row.words.fresh = static_cast<int>(row.words.text.size());
  }
  row.group = groupOf(sequence.status);
  row.preempted =
      sequence.status == SequenceStatus::kPreempted || sequence.status == SequenceStatus::kSwapped;
  row.status = statusOf(sequence);
  row.progress = progressOf(sequence, request);
  if (row.group == RequestGroup::kWaiting) row.reason = reasonOf(sequence.wait, sequence.id);
  row.index = sequence.index;
  row.promptTokens = sequence.promptTokens;
  row.computedTokens = sequence.computedTokens;
  row.totalTokens = static_cast<int>(sequence.tokens.size());
  row.maxTokens = request.maxTokens;
  row.cachedTokens = sequence.cachedTokens;
  row.blocks = static_cast<int>(sequence.blockTable.size());
  row.preemptions = sequence.preemptions;
  row.priority = request.priority;
  row.deadlineMs = request.deadlineMs;
  row.ttftNs = request.ttftNs();
  return row;
}

}  // namespace vitrine
