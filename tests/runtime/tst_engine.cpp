// The engine from outside: requests in, tokens, text and events out.
#include "support/event_log.h"
#include "support/letter_tokenizer.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

std::unique_ptr<Engine> lettersEngine(EventSink& sink, TokenId eos = 7) {
  EngineParts parts = tinyModel().parts();
  parts.config.eosTokens.clear();  // then the tokenizer's is asked
  parts.tokenizer = std::make_unique<LetterTokenizer>(eos);
  return assembleEngine(std::move(parts), tinyOptions(), sink);
}

RequestResult resultOf(Engine& engine, Request request) {
  const RequestId id = engine.submit(std::move(request));
  engine.run();
  return engine.takeResult(id);
}

}  // namespace

class TestEngine : public QObject {
  Q_OBJECT

 private slots:
  void generatesAsManyTokensAsAsked() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    const RequestResult result = resultOf(*engine, tinyRequest({1, 2, 3, 4, 5, 6}, 10));
    QCOMPARE(result.sequences[0].tokenIds.size(), std::size_t{10});
    QVERIFY(result.sequences[0].reason == FinishReason::kLength);
    QCOMPARE(result.promptTokens, 6);
    QCOMPARE(result.name, std::string("r1"));
    QVERIFY(!engine->hasWork());
    const std::size_t before = log.events.size();
    engine->step();  // nothing to do
    QCOMPARE(log.events.size(), before);
  }

  void theContextEndsAnAnswer() {
    const TinyModel small(tinyConfig(12));
    EventLog log;
    const auto engine = small.engine(tinyOptions(), log);
    const RequestResult result = resultOf(*engine, tinyRequest({1, 2, 3, 4, 5}, 1000000));
    QCOMPARE(result.sequences[0].tokenIds.size(), std::size_t{7});
    QVERIFY(result.sequences[0].reason == FinishReason::kLength);
  }

  void eosEndsAnAnswerUnlessIgnored() {
    EventLog log;
    Request request = tinyRequest({1, 2, 3}, 20);
    const Tokens all = resultOf(*tinyModel().engine(tinyOptions(), log), request).sequences[0].tokenIds;
    ModelConfig config = tinyModel().config;
    config.eosTokens = {all[4]};
    const auto end = static_cast<std::size_t>(std::ranges::find(all, all[4]) - all.begin());
    const TinyModel ending(config);
    const auto engine = ending.engine(tinyOptions(), log);
    QCOMPARE(resultOf(*engine, request).sequences[0].tokenIds, all);
    request.ignoreEos = false;
    const SequenceResult stopped = resultOf(*engine, request).sequences[0];
    QCOMPARE(stopped.tokenIds, Tokens(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end) + 1));
    QVERIFY(stopped.reason == FinishReason::kStop);
  }

  void textComesWithTheTokens() {
    EventLog log;
    const auto engine = lettersEngine(log);
    Request request;
    request.prompt = "Hallo";
    request.maxTokens = 12;
    request.ignoreEos = true;
    const SequenceResult result = resultOf(*engine, request).sequences[0];
    QCOMPARE(result.text, LetterTokenizer().decode(result.tokenIds, true));
    std::string published;
    for (const auto& sampled : log.of<TokenSampled>()) published += sampled.text;
    QCOMPARE(published, result.text);
    const auto submitted = log.of<RequestSubmitted>();
    QCOMPARE(submitted.at(0).pieces, (std::vector<std::string>{"H", "a", "l", "l", "o"}));
  }

  void aStopStringEndsTheTextBeforeIt() {
    EventLog log;
    const auto engine = lettersEngine(log, 60);
    Request request = tinyRequest({1, 2, 3}, 20);
    const std::string whole = resultOf(*engine, request).sequences[0].text;
    QVERIFY(whole.size() > 6);
    request.stop = {whole.substr(3, 2)};
    const SequenceResult result = resultOf(*engine, request).sequences[0];
    QCOMPARE(result.text, whole.substr(0, whole.find(request.stop[0])));
    QVERIFY(result.reason == FinishReason::kStop);
  }

  void theTokenizersEosIsTakenWhenTheConfigNamesNone() {
    EventLog log;
    const Tokens all =
        resultOf(*tinyModel().engine(tinyOptions(), log), tinyRequest({1, 2, 3}, 9)).sequences[0].tokenIds;
    const auto engine = lettersEngine(log, all[2]);
    Request request = tinyRequest({1, 2, 3}, 9);
    request.ignoreEos = false;
    const SequenceResult result = resultOf(*engine, request).sequences[0];
    QVERIFY(result.reason == FinishReason::kStop);
    QVERIFY(result.tokenIds.size() <= 3 && result.tokenIds.back() == all[2]);
    QCOMPARE(result.text, LetterTokenizer(all[2]).decode(result.tokenIds, true));
  }

  void seedsChooseTheTokens() {
    Request request = tinyRequest({1, 2, 3}, 16);
    request.sampling.temperature = 2;
    std::set<Tokens> different;
    for (std::uint64_t engineSeed : {0, 1}) {
      for (std::uint64_t seed : {0, 1, 2}) {
        EngineOptions options = tinyOptions();
        options.seed = engineSeed;
        request.sampling.seed = seed;
        EventLog log;
        const auto engine = tinyModel().engine(options, log);
        const Tokens once = resultOf(*engine, request).sequences[0].tokenIds;
        QCOMPARE(resultOf(*engine, request).sequences[0].tokenIds, once);
        different.insert(once);
      }
    }
    QCOMPARE(different.size(), std::size_t{6});
  }

  void answersOfOneRequestDiffer() {
    Request request = tinyRequest({1, 2, 3, 4, 5}, 12);
    request.sampling.temperature = 2;
    request.sequences = 4;
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    std::set<Tokens> different;
    const RequestResult result = resultOf(*engine, request);
    for (const SequenceResult& answer : result.sequences) different.insert(answer.tokenIds);
    QCOMPARE(different.size(), std::size_t{4});
    QCOMPARE(log.of<RequestFinished>().at(0).completionTokens, 48);
  }

  void logprobsAreThoseOfTheModel() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    Request request = tinyRequest({1, 2, 3}, 5);
    request.logprobs = 61;
    const SequenceResult result = resultOf(*engine, request).sequences[0];
    double sum = 0;
    for (const TokenLogprob& one : result.logprobs) {
      QCOMPARE(one.top.size(), std::size_t{61});
      double mass = 0;
      for (const auto& [token, logprob] : one.top) mass += std::exp(logprob);
      QVERIFY(std::abs(mass - 1) < 1e-5);
      QCOMPARE(one.top[0].first, one.token);  // greedy
      QCOMPARE(one.top[0].second, one.logprob);
      sum += one.logprob;
    }
    QCOMPARE(result.cumulativeLogprob, sum);
  }

  void everyPhaseHasItsEventsInOrder() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    std::vector<Phase> gates;
    engine->setGate([&](Phase next) { gates.push_back(next); });
    engine->submit(tinyRequest({1, 2, 3}, 2));
    engine->run();
    std::vector<Phase> published;
    for (const auto& started : log.of<PhaseStarted>()) published.push_back(started.phase);
    const std::vector<Phase> once = {Phase::kAdmit,   Phase::kPlan,   Phase::kAllocate,
                                     Phase::kForward, Phase::kSample, Phase::kCommit};
    std::vector<Phase> twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    QVERIFY(published == twice && gates == twice);
    QVERIFY(isA<EngineLoaded>(log.events[0]));
    for (std::size_t i = 0; i < log.events.size(); ++i) {
      QCOMPARE(log.events[i].number, static_cast<std::int64_t>(i));
      QCOMPARE(log.events[i].run, log.events[0].run);
      QVERIFY(i == 0 || log.events[i].timeNs >= log.events[i - 1].timeNs);
    }
    QCOMPARE(log.of<StepFinished>().size(), std::size_t{2});
    QCOMPARE(log.of<StepFinished>().at(0).tokens, 3);
  }

  void detailComesOnlyWhenAsked() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    resultOf(*engine, tinyRequest({1, 2, 3}, 3));
    QVERIFY(log.of<TokenCandidates>().empty() && log.of<LayerTap>().empty());
    engine->setDetail({5, {0, 2}});
    resultOf(*engine, tinyRequest({4, 5, 6}, 3));
    const auto candidates = log.of<TokenCandidates>();
    QCOMPARE(candidates.size(), std::size_t{3});
    const auto sampled = log.of<TokenSampled>();
    for (std::size_t i = 0; i < 3; ++i) {
      QCOMPARE(candidates[i].chosen, sampled[3 + i].token);
      QCOMPARE(candidates[i].position, sampled[3 + i].position);
      QVERIFY(!candidates[i].stages.empty() && candidates[i].stages[0].top.size() == 5);
    }
    QCOMPARE(log.of<LayerTap>().size(), std::size_t{6});  // two layers, three steps
  }

  // Of the model's own distribution, whatever the stages leave of it; -1 when it is not measured.
  void entropyIsMeasuredWhenAsked() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    Request request = tinyRequest({1, 2, 3}, 3);
    request.sampling.temperature = 0.5;
    request.sampling.topK = 2;
    const Tokens unmeasured = resultOf(*engine, request).sequences[0].tokenIds;
    for (const TokenSampled& sampled : log.of<TokenSampled>()) QCOMPARE(sampled.entropy, -1.0f);
    log.clear();
    engine->setDetail({0, {}, true});
    const Tokens answer = resultOf(*engine, request).sequences[0].tokenIds;
    QCOMPARE(answer, unmeasured);
    Tokens tokens = request.tokenIds;
    for (const TokenSampled& sampled : log.of<TokenSampled>()) {
      double expected = 0;
      const std::vector<SamplingStage> stages = engine->distribution(tokens, 0, {});
      for (const Candidate& one : stages.front().top) {
        const auto p = static_cast<double>(one.probability);
        if (p > 0) expected -= p * std::log2(p);
      }
      QVERIFY(std::abs(sampled.entropy - expected) < 1e-4);
      tokens.push_back(sampled.token);
    }
    QCOMPARE(tokens.size(), std::size_t{6});
  }

  void layerTapsAreTheNormsOfTheHiddenStates() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    const Tokens tokens = {9, 8, 7, 6};
    engine->setDetail({0, {0, 1, 2}});
    engine->submit(tinyRequest(tokens, 1));
    engine->run();
    const ForwardReport report = engine->examine(tokens, true);
    const auto taps = log.of<LayerTap>();
    QCOMPARE(taps.size(), std::size_t{3});
    for (const LayerTap& tap : taps) {
      QCOMPARE(tap.position, 3);
      const std::vector<float>& hidden = report.hidden[static_cast<std::size_t>(tap.layer)];
      const std::size_t width = hidden.size() / tokens.size();
      const double square =
          std::inner_product(hidden.end() - static_cast<std::ptrdiff_t>(width), hidden.end(),
                             hidden.end() - static_cast<std::ptrdiff_t>(width), 0.0);
      QCOMPARE(tap.norm, static_cast<float>(std::sqrt(square)));
    }
  }

  // Four prompt tokens in two chunks, then a token a step: the tiny model's shapes, counted by hand.
  void aForwardIsMeasuredByItsOperations() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(32, 4, 3), log);
    engine->setDetail({0, {}, false, true});
    engine->submit(tinyRequest({1, 2, 3, 4}, 3));
    engine->run();
    const auto measured = log.of<ForwardMeasured>();
    QCOMPARE(measured.size(), std::size_t{4});
    const int rows[] = {3, 1, 1, 1}, seen[] = {1 + 2 + 3, 4, 5, 6}, heads[] = {0, 1, 1, 1};
    for (std::size_t step = 0; step < measured.size(); ++step) {
      std::map<Operation, OperationCost> of;
      std::int64_t sum = 0;
      for (const OperationCost& cost : measured[step].operations) {
        of[cost.operation] = cost;
        sum += cost.ns;
      }
      QCOMPARE(sum, measured[step].ns);
      QCOMPARE(of[Operation::kEmbed].calls, 1);
      QCOMPARE(of[Operation::kNorms].calls, 1 + 2 * 2);
      QCOMPARE(of[Operation::kRotary].calls, 2 * 2);
      for (const Operation kind :
           {Operation::kQkv, Operation::kStoreKv, Operation::kAttention, Operation::kOutput,
            Operation::kGateUp, Operation::kGate, Operation::kDown})
        QCOMPARE(of[kind].calls, 2);
      QCOMPARE(of[Operation::kHead].calls, heads[step]);
      const std::int64_t r = rows[step];  // hidden 32, inner 48, 4 heads and 2 of KV with 8, 61 tokens
      QCOMPARE(of[Operation::kQkv].operations, 2 * r * 2 * 32 * 64);
      QCOMPARE(of[Operation::kOutput].operations, 2 * r * 2 * 32 * 32);
      QCOMPARE(of[Operation::kGateUp].operations, 2 * r * 2 * 32 * 96);
      QCOMPARE(of[Operation::kDown].operations, 2 * r * 2 * 48 * 32);
      QCOMPARE(of[Operation::kHead].operations, std::int64_t{heads[step] * 2 * 32 * 61});
      QCOMPARE(of[Operation::kAttention].operations, std::int64_t{2 * seen[step] * 4 * 32});
      QCOMPARE(of[Operation::kGateUp].bytes, 2 * 4 * (32 * 96 + r * (32 + 96)));
    }
    log.clear();
    engine->setDetail({});
    resultOf(*engine, tinyRequest({1, 2, 3, 4}, 3));
    QVERIFY(log.of<ForwardMeasured>().empty());
  }

  // What the first layers draft is a part of the step's forward, and nothing is measured twice.
  void draftsAreMeasuredWithTheirForward() {
    EventLog log;
    EngineOptions options = tinyOptions();
    options.speculation.drafter = DraftMethod::kEarlyExit;
    options.speculation.draftLength = 2;
    options.speculation.exitLayer = 1;
    const auto engine = tinyModel().engine(options, log);
    engine->setDetail({0, {}, false, true});
    engine->submit(tinyRequest({1, 2, 3, 4}, 8));
    for (int step = 0; step < 2; ++step) engine->step();
    const auto measured = log.of<ForwardMeasured>();
    QCOMPARE(measured.size(), std::size_t{2});
    for (const OperationCost& cost : measured[1].operations) {
      // Two drafted rows pass the first layer one by one, the third row there and all three in the second.
      if (cost.operation == Operation::kEmbed) QCOMPARE(cost.calls, 3);
      if (cost.operation == Operation::kAttention) QCOMPARE(cost.calls, 3 + 1);
      if (cost.operation == Operation::kHead) QCOMPARE(cost.calls, 2 + 1);
    }
  }

  void distributionIsWhatTheNextTokenIsDrawnFrom() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(32, 4, 2), log);
    engine->setDetail({61, {}});
    Request request = tinyRequest({1, 2, 3}, 3);
    request.sampling.temperature = 0.8;
    request.sampling.topK = 6;
    request.sampling.frequencyPenalty = 0.5;
    Tokens tokens = request.tokenIds;
    const Tokens answer = resultOf(*engine, request).sequences[0].tokenIds;
    const auto drawn = log.of<TokenCandidates>();
    for (std::size_t i = 0; i < answer.size(); ++i) {
      const auto stages = engine->distribution(tokens, static_cast<int>(i), request.sampling);
      QCOMPARE(stages.size(), drawn[i].stages.size());
      QCOMPARE(stages.back().kept, 6);
      for (std::size_t c = 0; c < 6; ++c) {
        QCOMPARE(stages.back().top[c].token, drawn[i].stages.back().top[c].token);
        QCOMPARE(stages.back().top[c].probability, drawn[i].stages.back().top[c].probability);
      }
      tokens.push_back(answer[i]);
    }
  }

  void examiningInTheMiddleOfAStepChangesNothing() {
    Request request = tinyRequest({1, 2, 3, 4, 5}, 6);
    EventLog log;
    const Tokens expected = resultOf(*tinyModel().engine(tinyOptions(), log), request).sequences[0].tokenIds;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    engine->setGate([&](Phase) { engine->examine(Tokens{40, 41, 42}, false); });
    QCOMPARE(resultOf(*engine, request).sequences[0].tokenIds, expected);
  }

  void samplingChangesFromTheNextStepOn() {
    Request request = tinyRequest({1, 2, 3}, 8);
    EventLog log;
    const Tokens greedy = resultOf(*tinyModel().engine(tinyOptions(), log), request).sequences[0].tokenIds;
    for (const bool inGate : {false, true}) {
      const auto engine = tinyModel().engine(tinyOptions(), log);
      log.clear();
      const RequestId id = engine->submit(request);
      SamplingOptions wild;
      wild.temperature = 50;
      for (int step = 0; step < 4; ++step) {
        if (inGate && step == 3) {
          engine->setGate([&](Phase next) {
            if (next == Phase::kSample && log.of<SamplingChanged>().empty()) engine->setSampling(id, wild);
          });
        }
        engine->step();
      }
      if (!inGate) engine->setSampling(id, wild);
      engine->run();
      const Tokens answer = engine->takeResult(id).sequences[0].tokenIds;
      QVERIFY(std::equal(greedy.begin(), greedy.begin() + 4, answer.begin()));
      QVERIFY(answer != greedy);
      QCOMPARE(log.of<SamplingChanged>().size(), std::size_t{1});
      engine->setSampling(id, wild);  // finished: no effect
      QCOMPARE(log.of<SamplingChanged>().size(), std::size_t{1});
    }
  }

  void aResultIsHandedOverOnceAndWhenItIsThere() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    const RequestId id = engine->submit(tinyRequest({1, 2}, 1));
    QVERIFY(!engine->isFinished(id));
    QVERIFY_EXCEPTION_THROWN(engine->takeResult(id), EngineError);
    engine->run();
    QVERIFY(engine->isFinished(id));
    engine->takeResult(id);
    QVERIFY_EXCEPTION_THROWN(engine->takeResult(id), EngineError);
    QVERIFY_EXCEPTION_THROWN(engine->takeResult(2), EngineError);
    QVERIFY_EXCEPTION_THROWN(engine->isFinished(0), EngineError);
    QVERIFY(engine->isFinished(id));
  }
};

QTEST_APPLESS_MAIN(TestEngine)
#include "tst_engine.moc"
