#include "gui/scenario/scenario_words.h"

#include <QStringList>
#include <algorithm>
#include <map>
#include <utility>

#include "widgets/support/wording.h"

namespace vitrine {

QString eventWords(const std::string& event) {
  static const std::map<std::string, const char*> kNames = {
      {"beam_chosen", QT_TRANSLATE_NOOP("vitrine::Wording", "the best answer")},
      {"beam_step", QT_TRANSLATE_NOOP("vitrine::Wording", "the search's end")},
      {"block_allocated", QT_TRANSLATE_NOOP("vitrine::Wording", "block allocated")},
      {"block_cached", QT_TRANSLATE_NOOP("vitrine::Wording", "block registered")},
      {"block_copied", QT_TRANSLATE_NOOP("vitrine::Wording", "copy-on-write")},
      {"block_demoted", QT_TRANSLATE_NOOP("vitrine::Wording", "swap to the file")},
      {"block_hit", QT_TRANSLATE_NOOP("vitrine::Wording", "prefix hit")},
      {"block_shared", QT_TRANSLATE_NOOP("vitrine::Wording", "shared block")},
      {"block_swapped_in", QT_TRANSLATE_NOOP("vitrine::Wording", "swap in")},
      {"context_evicted", QT_TRANSLATE_NOOP("vitrine::Wording", "context evicted")},
      {"draft_proposed", QT_TRANSLATE_NOOP("vitrine::Wording", "draft")},
      {"draft_rolled_back", QT_TRANSLATE_NOOP("vitrine::Wording", "roll-back")},
      {"draft_verified", QT_TRANSLATE_NOOP("vitrine::Wording", "draft verified")},
      {"grammar_masked", QT_TRANSLATE_NOOP("vitrine::Wording", "grammar mask")},
      {"request_cancelled", QT_TRANSLATE_NOOP("vitrine::Wording", "cancellation")},
      {"request_finished", QT_TRANSLATE_NOOP("vitrine::Wording", "request finished")},
      {"sequence_admitted", QT_TRANSLATE_NOOP("vitrine::Wording", "admission")},
      {"sequence_forked", QT_TRANSLATE_NOOP("vitrine::Wording", "fork")},
      {"sequence_preempted", QT_TRANSLATE_NOOP("vitrine::Wording", "preemption")},
      {"sequence_replaced", QT_TRANSLATE_NOOP("vitrine::Wording", "beam replaced")},
      {"sequence_scheduled", QT_TRANSLATE_NOOP("vitrine::Wording", "scheduled")},
      {"sequence_waiting", QT_TRANSLATE_NOOP("vitrine::Wording", "a request waits")},
  };
  const auto known = kNames.find(event);
  return known != kNames.end() ? Wording::tr(known->second)
                               : QString::fromStdString(event).replace(u'_', u' ');
}

QString expectedWords(const ExpectedEvent& expected) {
  // Values are JSON, as in the scenario's file.
  const auto has = [&](const char* event, const char* field, const char* value) {
    return expected.event == event &&
           std::ranges::find(expected.with, std::pair<std::string, std::string>(field, value)) !=
               expected.with.end();
  };
  if (has("sequence_admitted", "resumed", "true")) return Wording::tr("a sequence resumes");
  if (has("sequence_scheduled", "kind", R"("prefill")")) return Wording::tr("prefill");
  if (has("sequence_scheduled", "kind", R"("decode")")) return Wording::tr("decode");
  return eventWords(expected.event);
}

QString expectedInWords(const Scenario& scenario) {
  QStringList words;
  for (const ExpectedEvent& expected : scenario.expected)
    if (const QString one = expectedWords(expected); !words.contains(one)) words += one;
  return words.join(QStringLiteral(", "));
}

QString groupTitle(ScenarioGroup group) {
  switch (group) {
    case ScenarioGroup::kFirstSteps:
      return Wording::tr("First steps");
    case ScenarioGroup::kBatching:
      return Wording::tr("Batching");
    case ScenarioGroup::kMemory:
      return Wording::tr("Memory");
    case ScenarioGroup::kSharing:
      return Wording::tr("Shared prefixes");
    case ScenarioGroup::kOrder:
      return Wording::tr("Order and deadlines");
    case ScenarioGroup::kAnswers:
      return Wording::tr("Several answers");
    case ScenarioGroup::kSpeculation:
      return Wording::tr("Speculation");
    case ScenarioGroup::kOther:
      break;
  }
  return Wording::tr("Others");
}

}  // namespace vitrine
