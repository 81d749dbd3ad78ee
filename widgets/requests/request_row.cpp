#include "widgets/requests/request_row.h"

#include <algorithm>
#include <utility>

#include "vitrine/prose/request_words.h"
#include "widgets/requests/request_list_model.h"
#include "widgets/support/request_style.h"
#include "widgets/support/window_language.h"

namespace vitrine {
namespace {

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
  row.status = QString::fromStdString(prose::sequenceStatus(sequence, windowLanguage()));
  row.progress = QString::fromStdString(prose::sequenceProgress(sequence, request, windowLanguage()));
  if (row.group == RequestGroup::kWaiting)
    row.reason = QString::fromStdString(prose::whatItWaitsFor(sequence, windowLanguage()));
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
