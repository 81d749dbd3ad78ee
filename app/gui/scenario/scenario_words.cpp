#include "gui/scenario/scenario_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <map>
#include <utility>

namespace vitrine {
namespace {

struct ScenarioWords {
  Q_DECLARE_TR_FUNCTIONS(vitrine::ScenarioWords)
};

}  // namespace

QString eventWords(const std::string& event) {
  static const std::map<std::string, const char*> kNames = {
      {"beam_chosen", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "the best answer")},
      {"beam_step", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "the search's end")},
      {"block_allocated", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "block allocated")},
      {"block_cached", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "block registered")},
      {"block_copied", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "copy-on-write")},
      {"block_demoted", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "swap to the file")},
      {"block_hit", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "prefix hit")},
      {"block_shared", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "shared block")},
      {"block_swapped_in", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "swap in")},
      {"context_evicted", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "context evicted")},
      {"draft_proposed", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "draft")},
      {"draft_rolled_back", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "roll-back")},
      {"draft_verified", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "draft verified")},
      {"request_cancelled", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "cancellation")},
      {"request_finished", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "request finished")},
      {"sequence_admitted", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "admission")},
      {"sequence_forked", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "fork")},
      {"sequence_preempted", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "preemption")},
      {"sequence_replaced", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "beam replaced")},
      {"sequence_scheduled", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "scheduled")},
      {"sequence_waiting", QT_TRANSLATE_NOOP("vitrine::ScenarioWords", "a request waits")},
  };
  const auto known = kNames.find(event);
  return known != kNames.end() ? ScenarioWords::tr(known->second)
                               : QString::fromStdString(event).replace(u'_', u' ');
}

QString expectedWords(const ExpectedEvent& expected) {
  // Values are JSON, as in the scenario's file.
  const auto has = [&](const char* event, const char* field, const char* value) {
    return expected.event == event &&
           std::ranges::find(expected.with, std::pair<std::string, std::string>(field, value)) !=
               expected.with.end();
  };
  if (has("sequence_admitted", "resumed", "true")) return ScenarioWords::tr("a sequence resumes");
  if (has("sequence_scheduled", "kind", R"("prefill")")) return ScenarioWords::tr("prefill");
  if (has("sequence_scheduled", "kind", R"("decode")")) return ScenarioWords::tr("decode");
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
      return ScenarioWords::tr("First steps");
    case ScenarioGroup::kBatching:
      return ScenarioWords::tr("Batching");
    case ScenarioGroup::kMemory:
      return ScenarioWords::tr("Memory");
    case ScenarioGroup::kSharing:
      return ScenarioWords::tr("Shared prefixes");
    case ScenarioGroup::kOrder:
      return ScenarioWords::tr("Order and deadlines");
    case ScenarioGroup::kAnswers:
      return ScenarioWords::tr("Several answers");
    case ScenarioGroup::kSpeculation:
      return ScenarioWords::tr("Speculation");
    case ScenarioGroup::kOther:
      break;
  }
  return ScenarioWords::tr("Others");
}

}  // namespace vitrine
