// Options that are changed for a second run: how they are written, what they change, and what is refused.
#include "compare/variation.h"

#include <QTest>
#include <set>

using namespace vitrine;
using namespace vitrine::compare;

namespace {

Scenario sixBlocks() { return readScenario("six-blocks"); }

std::string refusal(const std::string& text) {
  try {
    varied(sixBlocks(), variationFromText(text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

class TestVariation : public QObject {
  Q_OBJECT

 private slots:
  void theTextAndBack() {
    const Variation variation = variationFromText("preemption=swap&host_swap=300000");
    QCOMPARE(variation.options.size(), std::size_t(2));
    QCOMPARE(variation.options[1].first, std::string("host_swap"));
    QCOMPARE(variation.options[1].second, std::string("300000"));
    QCOMPARE(variationToText(variation), std::string("preemption=swap&host_swap=300000"));
    QVERIFY(variationFromText("").options.empty());
    for (const char* bad : {"preemption", "=swap", "a=b&c", "&"})
      QVERIFY_THROWS_EXCEPTION(UsageError, variationFromText(bad));
    QCOMPARE(variationFromText("draft_model=/a=b").options[0].second, std::string("/a=b"));
  }

  void valuesOfEveryKind() {
    const Scenario other = varied(
        sixBlocks(), variationFromText("preemption=swap&host_swap=300000&window_ms=2.5&no_prefix_cache=true"
                                       "&token-budget=33&draft_adaptive=on&chunked_prefill=off"));
    const EngineOptions& options = other.engine.options;
    QCOMPARE(options.preemption, Preemption::kSwap);
    QCOMPARE(options.hostSwapBytes, std::int64_t(300000));
    QCOMPARE(options.windowMs, 2.5);
    QCOMPARE(options.tokenBudget, 33);
    QVERIFY(!options.prefixCache && !options.chunkedPrefill && options.speculation.adaptive);
    QVERIFY(varied(other, variationFromText("no_prefix_cache=false")).engine.options.prefixCache);
    QVERIFY(varied(other, variationFromText("prefix-cache=true")).engine.options.prefixCache);
    QVERIFY(varied(other, variationFromText("no-chunked-prefill=off")).engine.options.chunkedPrefill);
  }

  void whatIsRefused() {
    const std::map<std::string, std::string> refused = {
        {"nope=1", "the engine has no option \"nope\""},
        {"preemption=maybe", "\"preemption\" must be one of recompute, swap, not \"maybe\""},
        {"token_budget=lots", "\"token_budget\" must be a number, not \"lots\""},
        {"token_budget=", "\"token_budget\" must be a number, not \"\""},
        {"token_budget=1.5", "\"token_budget\" must be a whole number"},
        {"no_prefix_cache=7", "\"no_prefix_cache\" must be true or false, not \"7\""},
    };
    for (const auto& [text, message] : refused) QCOMPARE(refusal(text), message);
    QCOMPARE(refusal("token_budget=0"), std::string("\"token_budget\" must be from 1 to 16777216, not 0"));
    QVERIFY(!refusal("draft=exit&no_kv_cache=true").empty());
    QVERIFY(!refusal("draft=model").empty());
  }

  void whatChanged() {
    const Scenario one = sixBlocks();
    const Scenario other =
        varied(one, variationFromText("prefix_cache=off&preemption=swap&draft=ngram&model=/m"));
    const std::vector<OptionChange> expected = {{"model", one.engine.model, "/m"},
                                                {"prefix_cache", "true", "false"},
                                                {"preemption", "recompute", "swap"},
                                                {"draft", "off", "ngram"}};
    QVERIFY(changedOptions(one, other) == expected);
    QVERIFY(changedOptions(one, one).empty());
    QCOMPARE(changedOptions(one.engine.options, other.engine.options).size(), std::size_t(3));
  }

  void whatMayChangeAnswers() {
    const EngineOptions plain = sixBlocks().engine.options;
    const auto may = [&](const std::string& text, const std::string& both = "") {
      Scenario one = varied(sixBlocks(), variationFromText(both));
      return mayChangeAnswers(one.engine.options, varied(one, variationFromText(text)).engine.options);
    };
    for (const char* kept :
         {"batching=static", "token_budget=20", "block_size=4", "preemption=swap", "threads=2",
          "prefix_cache=off", "policy=shortest", "draft=exit", "no_kv_cache=true", "num_blocks=40"})
      QVERIFY2(!may(kept), kept);
    for (const char* lost : {"weights=int8", "kv_dtype=int8", "dtype=bf16", "seed=3", "eviction=sinks"})
      QVERIFY2(may(lost), lost);
    QVERIFY(may("block_size=4", "eviction=sinks"));
    QVERIFY(may("draft_length=2", "draft=exit&draft_acceptance=rejection"));
    QVERIFY(!may("draft_length=2", "draft_acceptance=rejection"));
    QVERIFY(!mayChangeAnswers(plain, plain));
  }

  void usualOnesAreValidAndChangeSomething() {
    std::set<std::string> options;
    for (const std::string& name : shippedScenarioNames()) {
      const Scenario scenario = readScenario(name);
      std::set<std::string> seen;
      for (const Variation& variation : usualVariations(scenario)) {
        const std::string text = variationToText(variation);
        QVERIFY2(seen.insert(text).second, text.c_str());
        QVERIFY2(variationFromText(text) == variation, text.c_str());
        const auto changes = changedOptions(scenario, varied(scenario, variation));
        QVERIFY2(!changes.empty() && changes.size() <= 2, text.c_str());
        for (const OptionChange& change : changes) options.insert(change.option);
      }
      QVERIFY(seen.size() >= 5);
      QVERIFY(name != "beam-search" || !seen.contains("no_kv_cache=true"));  // the engine refuses that
    }
    for (const char* option : {"batching", "block_size", "preemption", "prefix_cache", "chunked_prefill",
                               "draft", "weights", "kv_dtype", "token_budget", "policy", "kv_cache"})
      QVERIFY2(options.contains(option), option);
  }
};

QTEST_APPLESS_MAIN(TestVariation)
#include "tst_variation.moc"
