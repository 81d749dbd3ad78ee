#include "trace_comparison.h"

#include "event_names.h"
#include "output.h"
#include "program.h"
#include "vitrine/prose/difference_words.h"
#include "vitrine/recording.h"
#include "vitrine/trace.h"

namespace vitrine::cli {
namespace {

void requireStep(const char* option, int step, const Recording& recording) {
  if (step < recording.firstStep() || step > recording.lastFinishedStep())
    throw UsageError(std::string(option) + ": the trace has no step " + std::to_string(step) +
                     "; its steps are " + std::to_string(recording.firstStep()) + " to " +
                     std::to_string(recording.lastFinishedStep()));
}

Json toJson(const prose::DifferenceRow& row) {
  Json json = {{"subject", row.subject}, {"what", row.what}, {"before", row.before}, {"after", row.after}};
  if (row.target.request != 0) json["request"] = row.target.request;
  if (row.target.sequence != 0) json["sequence"] = row.target.sequence;
  if (!row.target.blocks.empty())
    json["first_block"] = row.target.blocks.front(), json["last_block"] = row.target.blocks.back();
  return json;
}

void printRows(const std::vector<prose::DifferenceRow>& rows) {
  std::string subject;
  for (const prose::DifferenceRow& row : rows) {
    if (row.subject != subject) print("%s\n", (subject = row.subject).c_str());
    print("  %s: %s -> %s\n", row.what.c_str(), row.before.c_str(), row.after.c_str());
  }
}

}  // namespace

int compareSteps(const ComparisonArguments& arguments, bool json) {
  Recording recording;
  EventNames names;
  readTrace(arguments.file, [&](const Event& event) {
    names.note(event);
    recording.append(event);
  });
  requireStep("--from", arguments.from, recording);
  requireStep("--to", arguments.to, recording);
  const MachineState before = recording.stateAt(arguments.from), after = recording.stateAt(arguments.to);
  const auto rows =
      prose::differenceRows(differenceBetween(before, after), before, after, names.proseNames());
  if (json) {
    Json list = Json::array();
    for (const prose::DifferenceRow& row : rows) list.push_back(toJson(row));
    printJson({{"from", arguments.from}, {"to", arguments.to}, {"changes", list}});
  } else if (rows.empty()) {
    print("steps %d and %d are the same\n", arguments.from, arguments.to);
  } else {
    printRows(rows);
  }
  return 0;
}

}  // namespace vitrine::cli
