// Every option of the schema is reached by its key, from request lines and from a scenario's options.
#include "common/arguments.h"

#include <nlohmann/json.hpp>

#include "common/option_words.h"
#include "common/request_line.h"
#include "support/other_options.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

// As a file gives it.
template <typename Value>
Json jsonFor(const OptionInfo<Value>& info, const Value& value) {
  if constexpr (Named<Value>)
    return nameOf(value);
  else if constexpr (std::is_same_v<Value, bool>)
    return value == (*info.off == '\0');
  else
    return value;
}

std::string complaint(const std::string& key, const Json& value) {
  try {
    EngineArguments engine;
    RequestArguments request;
    return takeEngineKey(engine, key, value) || takeRequestKey(request, key, value) ? "taken" : "unknown";
  } catch (const UsageError& error) {
    return error.what();
  }
}

}  // namespace

class TestArguments : public QObject {
  Q_OBJECT

 private slots:
  void aScenarioReachesEveryEngineOption() {
    int seen = 0;
    forEachEngineOption([&](const auto& info, const auto& access) {
      EngineArguments arguments;
      const auto wanted = otherValue(info, access(arguments.options));
      QVERIFY2(takeEngineKey(arguments, spelledKey(info), jsonFor(info, wanted)), info.key);
      QVERIFY2(access(arguments.options) == wanted, info.key);
      QCOMPARE(differing(arguments.options, {}), std::vector<std::string>{info.key});
      ++seen;
    });
    QVERIFY(seen > 30);
  }

  void aRequestLineReachesEveryRequestOption() {
    int seen = 0;
    forEachRequestOption([&](const auto& info, const auto& access) {
      const Request plain;
      const auto wanted = otherValue(info, access(plain));
      const Json line = {{"token_ids", {1}}, {spelledKey(info), jsonFor(info, wanted)}};
      const Request request = requestFromJson(line).arguments.request;
      QVERIFY2(access(request) == wanted, info.key);
      QCOMPARE(differing(request, plain), std::vector<std::string>{info.key});
      ++seen;
    });
    QVERIFY(seen > 15);
  }

  void wordsAreChecked() {
    std::string policies;
    for (const char* name : Names<Policy>::list)
      policies += (policies.empty() ? "" : ", ") + std::string(name);
    QCOMPARE(complaint("policy", "mine"), "\"policy\" must be one of " + policies + ", not \"mine\"");
    QCOMPARE(complaint("policy", true), "\"policy\" must be one of " + policies + ", not \"true\"");
    QCOMPARE(complaint("policy", 3), std::string("\"policy\" must be a string"));
    QVERIFY(complaint("attention", "divided").starts_with("\"attention\" must be one of "));
    QCOMPARE(complaint("no_kv_cache", 1), std::string("\"no_kv_cache\" must be true or false"));
    QCOMPARE(complaint("kv_cache", true), std::string("unknown"));
    QCOMPARE(complaint("threads", 4294967297), std::string("\"threads\" must be a whole number of 32 bits"));
    QCOMPARE(complaint("seed", -1), std::string("\"seed\" must be a whole number of 0 or more"));
  }

  // As transformers has it: a boolean, or a word.
  void earlyStoppingIsABooleanToo() {
    for (const auto& [json, wanted] : {std::pair<Json, EarlyStopping>{true, EarlyStopping::kYes},
                                       {false, EarlyStopping::kHeuristic},
                                       {"true", EarlyStopping::kYes},
                                       {"false", EarlyStopping::kHeuristic},
                                       {"heuristic", EarlyStopping::kHeuristic},
                                       {"never", EarlyStopping::kNever}}) {
      RequestArguments arguments;
      QVERIFY(takeRequestKey(arguments, "early_stopping", json));
      QVERIFY(arguments.request.earlyStopping == wanted);
    }
  }

  void aRangeIsComplainedOfByKey() {
    EngineArguments arguments;
    QVERIFY(takeEngineKey(arguments, "token_budget", 0));
    try {
      arguments.toOptions();
      QFAIL("accepted");
    } catch (const UsageError& error) {
      QCOMPARE(asKeys(error.what()), std::string("\"token_budget\" must be from 1 to 16777216, not 0"));
    }
  }
};

QTEST_APPLESS_MAIN(TestArguments)
#include "tst_arguments.moc"
