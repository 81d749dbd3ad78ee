// Speculative decoding through the engine: greedy and drawn answers are the same to the bit as without
// drafts, and a draft that was wrong leaves nothing behind.
#include "sampling/sampler.h"
#include "support/drafting.h"
#include "support/event_log.h"
#include "support/failing_backend.h"
#include "support/letter_tokenizer.h"
#include "support/replaying_sink.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <functional>
#include <map>
#include <random>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

Tokens randomPrompt(std::mt19937& random, int longest = 20) {
  Tokens tokens(1 + random() % static_cast<unsigned>(longest));
  for (TokenId& token : tokens) token = static_cast<TokenId>(random() % 61);
  return tokens;
}

void compareAnswers(const std::vector<RequestResult>& got, const std::vector<RequestResult>& expected) {
  QCOMPARE(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    QCOMPARE(got[i].sequences.size(), expected[i].sequences.size());
    for (std::size_t n = 0; n < got[i].sequences.size(); ++n) {
      const SequenceResult &a = got[i].sequences[n], &b = expected[i].sequences[n];
      QCOMPARE(a.tokenIds, b.tokenIds);
      QCOMPARE(a.text, b.text);
      QVERIFY(a.reason == b.reason && a.cumulativeLogprob == b.cumulativeLogprob);
      QCOMPARE(a.logprobs.size(), b.logprobs.size());
      for (std::size_t t = 0; t < a.logprobs.size(); ++t)  // every logit, to the bit
        QVERIFY(a.logprobs[t].logprob == b.logprobs[t].logprob && a.logprobs[t].top == b.logprobs[t].top);
    }
  }
}

// With a tokenizer of one letter a token, for texts and stop strings.
std::unique_ptr<Engine> letterEngine(const EngineOptions& options, EventSink& sink) {
  EngineParts parts = tinyModel().parts();
  parts.tokenizer = std::make_unique<LetterTokenizer>();
  if (options.speculation.drafter == DraftMethod::kModel)
    parts.draftDecoder =
        std::make_unique<Decoder>(*parts.backend, tinyModel().config, tinyModel().weights, DType::kF32);
  return assembleEngine(std::move(parts), options, sink);
}

// Greedy and drawn answers in turn, with every stage of the sampler at some temperature.
void sampleInTurn(Request& request, int i) {
  SamplingOptions& sampling = request.sampling;
  constexpr double kTemperatures[] = {0, 0.5, 0.8, 1, 2};
  sampling.temperature = kTemperatures[i % 5];
  sampling.seed = static_cast<std::uint64_t>(i);
  if (i % 2 == 0) sampling.topK = 20;
  if (i % 3 == 0) sampling.topP = 0.9;
  if (i % 4 == 0) sampling.minP = 0.01;
  if (i % 6 == 0) sampling.typicalP = 0.95;
}

// log softmax of the row that examine() gives for each token of the answer.
std::vector<double> trueLogprobs(Engine& engine, const Tokens& prompt, const Tokens& answer) {
  Tokens tokens = prompt;
  tokens.insert(tokens.end(), answer.begin(), answer.end());
  const ForwardReport report = engine.examine(tokens, false);
  std::vector<double> logprobs;
  for (std::size_t i = 0; i < answer.size(); ++i)
    logprobs.push_back(Sampler::logprobOf(report.logits[prompt.size() + i - 1], answer[i]));
  return logprobs;
}

void addDrafters() {
  QTest::addColumn<int>("drafter");
  QTest::addColumn<bool>("sameModel");
  QTest::newRow("early exit") << static_cast<int>(DraftMethod::kEarlyExit) << false;
  QTest::newRow("the same model") << static_cast<int>(DraftMethod::kModel) << true;
  QTest::newRow("another model") << static_cast<int>(DraftMethod::kModel) << false;
  QTest::newRow("n-grams") << static_cast<int>(DraftMethod::kNgram) << false;
}

void addTemperatures() {
  QTest::addColumn<double>("temperature");
  QTest::newRow("greedy") << 0.0;
  QTest::newRow("drawn") << 1.0;
}

}  // namespace

class TestSpeculation : public QObject {
  Q_OBJECT

 private slots:
  void answersAreTheSameToTheBit_data() { addDrafters(); }
  void answersAreTheSameToTheBit() {
    QFETCH(int, drafter);
    QFETCH(bool, sameModel);
    std::mt19937 random(3);
    std::vector<Request> requests;
    for (int i = 0; i < 100; ++i) {
      Request request = tinyRequest(randomPrompt(random), 24);
      request.logprobs = 61;
      sampleInTurn(request, i);
      if (i % 3 == 0) request.sampling.repetitionPenalty = 1.4, request.sampling.frequencyPenalty = 0.3;
      if (i % 7 == 0) request.sequences = 2;
      requests.push_back(request);
    }
    EventLog plainLog, log;
    const auto plain = tinyModel().engine(tinyOptions(64), plainLog);
    const auto expected = answer(*plain, requests);
    for (int length : {1, 5}) {
      log.clear();
      EngineOptions options = drafting(static_cast<DraftMethod>(drafter), length);
      options.speculation.adaptive = length == 5;
      const auto engine = tinyModel().engine(options, log, sameModel ? &tinyModel() : &otherTinyModel());
      compareAnswers(answer(*engine, requests), expected);
      QVERIFY(log.of<DraftVerified>().size() > 100);
    }
  }

  void theBuiltInModelIsTokenExact() {
    const std::filesystem::path directory = builtinModelDirectory();
    QVERIFY(!directory.empty());
    const char* topics[] = {"a token",   "attention",   "the KV cache", "a block",        "batching",
                            "the queue", "temperature", "top-k",        "a hidden state", "preemption"};
    const char* forms[] = {"What is %1?",
                           "Explain %1.",
                           "Why does %1 matter?",
                           "Tell me about %1",
                           "Is %1 fast?",
                           "How does %1 work?",
                           "Compare %1 with memory.",
                           "%1",
                           "Name one fact on %1.",
                           "Who needs %1, and when?"};
    std::vector<Request> requests;
    EngineOptions options = tinyOptions(0, 16, 256);
    EventLog log;
    const auto plain = Engine::load(directory, options, log);
    for (const char* form : forms)
      for (const char* topic : topics) {
        Request request;
        const std::string question = QString::fromUtf8(form).arg(QString::fromUtf8(topic)).toStdString();
        request.prompt = plain->chatFormat().render({{{ChatRole::kUser, question}}}).text;
        request.addSpecialTokens = plain->chatFormat().addsSpecialTokens();
        request.stop = plain->chatFormat().stopStrings(*plain->tokenizer());
        request.maxTokens = 20;
        request.logprobs = 3;
        const auto number = static_cast<int>(requests.size());
        if (number % 2 == 1) request.sampling.temperature = 0.8, request.sampling.topP = 0.95;
        request.sampling.seed = static_cast<std::uint64_t>(number);
        requests.push_back(request);
      }
    const auto expected = answer(*plain, requests);
    log.clear();
    options.speculation.drafter = DraftMethod::kEarlyExit;  // the layer that config.json recommends
    const auto drafts = Engine::load(directory, options, log);
    QVERIFY(drafts->description().options.speculation.exitLayer > 0);
    compareAnswers(answer(*drafts, requests), expected);
    int drafted = 0, accepted = 0;
    for (const auto& step : log.of<StepSpeculated>())
      drafted += step.draftedTokens, accepted += step.acceptedTokens;
    QVERIFY2(accepted > drafted / 2, qPrintable(QString("%1 of %2").arg(accepted).arg(drafted)));
  }

  // Wherever in a draft an answer ends, it ends as it would have.
  void answersEndInTheMiddleOfDrafts_data() { addDrafters(); }
  void answersEndInTheMiddleOfDrafts() {
    QFETCH(int, drafter);
    std::mt19937 random(11);
    std::vector<Request> requests;
    for (int i = 0; i < 200; ++i) {
      Request request = tinyRequest(randomPrompt(random, 6), 1 + i % 9);
      request.ignoreEos = i % 2 == 0;
      request.logprobs = 2;
      sampleInTurn(request, i);
      request.sampling.repetitionPenalty = 1.2;
      if (i % 4 < 2)
        for (int letter = i % 5; letter < 61; letter += 5)
          request.stop.push_back(std::string(1, LetterTokenizer::kLetters[static_cast<std::size_t>(letter)]));
      requests.push_back(request);
    }
    EventLog log;
    ReplayingSink sink;
    const auto plain = letterEngine(tinyOptions(64), log);
    const auto engine = letterEngine(drafting(static_cast<DraftMethod>(drafter), 6), sink);
    compareAnswers(answer(*engine, requests), answer(*plain, requests));
    QCOMPARE(sink.error, std::string());
    QVERIFY(engine->snapshot() == sink.state);
  }

  // The sampler's stages are published for each token, as without drafts.
  void candidatesAreThoseOfPlainDecoding_data() { addTemperatures(); }
  void candidatesAreThoseOfPlainDecoding() {
    QFETCH(double, temperature);
    std::vector<std::map<int, std::string>> published;
    for (DraftMethod drafter : {DraftMethod::kNone, DraftMethod::kModel, DraftMethod::kEarlyExit}) {
      EventLog log;
      const auto engine = tinyModel().engine(drafting(drafter, 3), log, &tinyModel());
      engine->setDetail({5, {0, 1, 2}});
      Request request = tinyRequest({3, 4, 5}, 12);
      request.sampling.temperature = temperature;
      answer(*engine, {request});
      std::map<int, std::string>& candidates = published.emplace_back();
      for (const auto& item : log.of<TokenCandidates>()) {
        std::string& text = candidates[item.position];
        QVERIFY(text.empty());
        text = std::to_string(item.chosen);
        for (const SamplingStage& stage : item.stages)
          for (const Candidate& one : stage.top)
            text += stage.name + std::to_string(one.token) + std::to_string(one.probability);
      }
      QCOMPARE(candidates.size(), std::size_t{12});
      QVERIFY(!log.of<LayerTap>().empty());
    }
    QVERIFY(published[0] == published[1] && published[0] == published[2]);
  }

  // A drafter that is the model is always right, if it is in step with every sequence: after a preemption, a
  // fork and a prefix hit, and behind a draft that was shortened. It draws with the model's numbers, and its
  // penalties count the draft so far.
  void theSecondModelStaysInStep_data() { addTemperatures(); }
  void theSecondModelStaysInStep() {
    QFETCH(double, temperature);
    EventLog log;
    EngineOptions options = drafting(DraftMethod::kModel, 5);
    options.numBlocks = 14;
    options.tokenBudget = 9;
    const auto engine = tinyModel().engine(options, log, &tinyModel());
    std::vector<Request> requests;
    for (TokenId first : {10, 10, 25, 40}) {
      Tokens tokens;
      for (int i = 0; i < 9; ++i) tokens.push_back((first + 3 * i) % 61);
      requests.push_back(tinyRequest(tokens, 14));
      requests.back().sequences = first == 25 ? 2 : 1;
      requests.back().sampling.temperature = temperature;
      requests.back().sampling.frequencyPenalty = 0.5;
    }
    answer(*engine, requests);
    QVERIFY(!log.of<SequencePreempted>().empty() && !log.of<SequenceForked>().empty() &&
            !log.of<BlockHit>().empty());
    int judged = 0;
    for (const auto& verified : log.of<DraftVerified>())
      for (const DraftJudgement& one : verified.judgements) {
        QVERIFY(one.verdict == DraftVerdict::kSame && one.chosen == one.token && one.p == one.q);
        QVERIFY((one.q > 0) == (temperature > 0));
        ++judged;
      }
    QVERIFY(judged > 20);
    QVERIFY(log.of<DraftRolledBack>().empty());
  }

  // Also where the rule draws another token than the sampler would have.
  void logprobsAreTheModelsOwn_data() {
    QTest::addColumn<int>("drafter");
    QTest::addColumn<int>("acceptance");
    const std::pair<const char*, DraftMethod> drafters[] = {{"early exit", DraftMethod::kEarlyExit},
                                                            {"another model", DraftMethod::kModel},
                                                            {"n-grams", DraftMethod::kNgram}};
    for (const auto& [name, drafter] : drafters)
      for (DraftAcceptance acceptance : {DraftAcceptance::kSameDraw, DraftAcceptance::kRejection})
        QTest::addRow("%s, %s", name, nameOf(acceptance))
            << static_cast<int>(drafter) << static_cast<int>(acceptance);
  }
  void logprobsAreTheModelsOwn() {
    QFETCH(int, drafter);
    QFETCH(int, acceptance);
    EngineOptions options = drafting(static_cast<DraftMethod>(drafter), 4);
    options.speculation.acceptance = static_cast<DraftAcceptance>(acceptance);
    options.speculation.ngramLength = 1;
    EventLog log;
    const auto engine = tinyModel().engine(options, log, &otherTinyModel());
    std::mt19937 random(29);
    std::vector<Request> requests;
    for (int i = 0; i < 40; ++i) {
      Request request = tinyRequest(randomPrompt(random), 20);
      sampleInTurn(request, i);
      request.sampling.frequencyPenalty = 0.4;
      request.logprobs = 1;
      requests.push_back(request);
    }
    const std::vector<RequestResult> results = answer(*engine, requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const SequenceResult& got = results[i].sequences[0];
      const std::vector<double> expected = trueLogprobs(*engine, requests[i].tokenIds, got.tokenIds);
      for (std::size_t t = 0; t < expected.size(); ++t) QCOMPARE(got.logprobs[t].logprob, expected[t]);
    }
    int accepted = 0, rejected = 0;
    for (const auto& verified : log.of<DraftVerified>())
      for (const DraftJudgement& one : verified.judgements) {
        accepted += one.verdict == DraftVerdict::kSame || one.verdict == DraftVerdict::kWithin ? 1 : 0;
        rejected += one.verdict == DraftVerdict::kDiffers || one.verdict == DraftVerdict::kBeyond ? 1 : 0;
      }
    QVERIFY2(accepted > 5 && rejected > 40, qPrintable(QString("%1 %2").arg(accepted).arg(rejected)));
  }

  // What a judgement says is the token that the answer has there.
  void aJudgementNamesTheAnswersToken() {
    EventLog log;
    const auto engine = tinyModel().engine(drafting(DraftMethod::kModel, 3), log, &otherTinyModel());
    Request request = tinyRequest({3, 4, 5}, 60);
    request.sampling.temperature = 1;
    const RequestResult result = answer(*engine, {request}).front();
    const Tokens& tokens = result.sequences[0].tokenIds;
    int compared = 0;
    for (const auto& verified : log.of<DraftVerified>())
      for (std::size_t i = 0; i < verified.judgements.size(); ++i) {
        const DraftJudgement& one = verified.judgements[i];
        if (one.verdict == DraftVerdict::kUndecided) {
          QCOMPARE(one.chosen, -1);
          continue;
        }
        QCOMPARE(one.chosen, tokens[static_cast<std::size_t>(verified.firstPosition - 3) + i]);
        QCOMPARE(one.verdict == DraftVerdict::kSame, one.chosen == one.token);
        ++compared;
      }
    QVERIFY(compared > 20);
  }

  // The events of drafting and verification add up to the tokens sampled.
  void eventsAddUp() {
    EventLog log;
    const auto engine = tinyModel().engine(drafting(DraftMethod::kEarlyExit, 3), log);
    answer(*engine, {tinyRequest({3, 4, 5}, 30), tinyRequest({9, 9}, 21)});
    int kept = 0, drafted = 0, accepted = 0, plain = 0, judged = 0, agreed = 0, proposed = 0;
    for (const auto& step : log.of<StepSpeculated>()) {
      kept += step.keptTokens, drafted += step.draftedTokens, accepted += step.acceptedTokens;
      plain += step.draftedTokens == 0 ? 1 : 0;
      QVERIFY(step.verifyNs > 0 && (step.draftNs > 0) == (step.draftedTokens > 0));
    }
    for (const auto& verified : log.of<DraftVerified>()) {
      judged += static_cast<int>(verified.judgements.size());
      agreed += verified.accepted;
    }
    for (const auto& one : log.of<DraftProposed>()) proposed += static_cast<int>(one.tokens.size());
    QCOMPARE(kept, 30 + 21 - 2);  // the first of each came with its prompt
    QCOMPARE(drafted, judged);
    QCOMPARE(drafted, proposed);
    QCOMPARE(accepted, agreed);
    QVERIFY(plain > 0);
    int sampled = 0;
    for (const auto& step : log.of<StepFinished>()) sampled += step.sampled;
    QCOMPARE(sampled, 51);
  }

  // Of each sequence that decodes while a drafter is on, a step says the draft or why there is none, in Plan.
  void everyDecodeWithoutADraftHasAReason() {
    std::map<NoDraftReason, int> reasons;
    const auto play = [&](const EngineOptions& options, const std::vector<Request>& requests,
                          const TinyModel* drafts = nullptr) {
      EventLog log;
      answer(*tinyModel().engine(options, log, drafts), requests);
      std::map<SequenceId, int> without;  // decodes of the step whose reason is yet to come
      for (const Event& event : log.events) {
        const auto* scheduled = bodyOf<SequenceScheduled>(event);
        if (scheduled && scheduled->kind == WorkKind::kDecode && scheduled->draftTokens == 0)
          ++without[scheduled->sequence];
        if (const auto* skipped = bodyOf<DraftSkipped>(event)) {
          QCOMPARE(event.phase, Phase::kPlan);
          QCOMPARE(--without[skipped->sequence], 0);
          ++reasons[skipped->reason];
        }
        if (isA<StepFinished>(event))
          for (const auto& [sequence, count] : without) QCOMPARE(count, 0);
      }
    };
    Request search = tinyRequest({20, 21, 22, 23, 24}, 5);
    search.beamWidth = search.sequences = 2;
    play(drafting(DraftMethod::kEarlyExit), {tinyRequest({3, 4, 5}, 60), search});
    play(drafting(DraftMethod::kNgram), {tinyRequest({1, 2, 3, 4, 5, 6}, 30), tinyRequest({1, 2}, 200)});
    EngineOptions narrow = drafting(DraftMethod::kEarlyExit);
    narrow.tokenBudget = 2;
    play(narrow, {tinyRequest({3, 4, 5}, 20), tinyRequest({9, 9}, 20)});
    EngineOptions few = drafting(DraftMethod::kEarlyExit);
    few.numBlocks = 4;  // two each: their first decode fills the second one
    play(few, {tinyRequest(tinyPrompt(7), 5), tinyRequest(tinyPrompt(7, 40), 5)});
    // Answers share the blocks of their prompt in the pool, and none in the draft model's.
    EngineOptions shared = drafting(DraftMethod::kModel);
    shared.numBlocks = 9;
    Request twice = tinyRequest(tinyPrompt(17), 6);
    twice.sequences = 2;
    play(shared, {twice}, &tinyModel());
    static const TinyModel shortModel(tinyConfig(24), 6);
    play(drafting(DraftMethod::kModel), {tinyRequest(tinyPrompt(17), 20)}, &shortModel);
    for (std::size_t i = 0; i < std::size(Names<NoDraftReason>::list); ++i) {
      const auto reason = static_cast<NoDraftReason>(i);
      if (reason != NoDraftReason::kCost)  // follows from measured times: tst_draft_length has it
        QVERIFY2(reasons[reason] > 0, nameOf(reason));
    }
    EventLog off;
    answer(*tinyModel().engine(tinyOptions(64), off), {tinyRequest({3, 4, 5}, 9)});
    QVERIFY(off.of<DraftSkipped>().empty());
  }

  // A forward that fails while drafting or verifying ends what was running and no more.
  void aFailureInADraftIsSurvived() {
    for (int failing = 0; failing < 16; ++failing) {
      const auto stepsLeft = std::make_shared<int>(failing);
      EngineParts parts = tinyModel().parts(std::make_unique<FailingBackend>(makeCpuBackend(1), stepsLeft));
      ReplayingSink sink;
      const auto engine = assembleEngine(std::move(parts), drafting(DraftMethod::kEarlyExit, 3), sink);
      engine->submit(tinyRequest({3, 4, 5}, 12));
      engine->run();
      *stepsLeft = -1;
      const auto again = answer(*engine, {tinyRequest({3, 4, 5}, 12)});
      QVERIFY(again[0].sequences[0].reason == FinishReason::kLength);
      QCOMPARE(sink.error, std::string());
      const MachineState state = engine->snapshot();
      QVERIFY(state == sink.state);
      QCOMPARE(state.freeQueue.size(), state.blocks.size());
    }
  }

  void drafterTheModelCannotHaveIsRefused() {
    const auto refusal = [](const EngineOptions& options, const TinyModel* drafts) {
      EventLog log;
      try {
        tinyModel().engine(options, log, drafts);
      } catch (const EngineError& error) {
        return error.code() == ErrorCode::kInvalidArgument && !error.hint().empty()
                   ? std::string(error.what())
                   : "";
      }
      return std::string();
    };
    EngineOptions exit = drafting(DraftMethod::kEarlyExit);
    exit.speculation.exitLayer = 2;
    QVERIFY(refusal(exit, nullptr).find("--exit-layer 2") != std::string::npos);
    exit.speculation.exitLayer = 0;
    QVERIFY(refusal(exit, nullptr).find("recommends no exit layer") != std::string::npos);
    ModelConfig wide = tinyConfig();
    wide.vocabularySize = 64;
    const TinyModel stranger(wide);
    const std::string message = refusal(drafting(DraftMethod::kModel), &stranger);
    QVERIFY2(message.find("64") != std::string::npos && message.find("61") != std::string::npos,
             message.c_str());
    EngineOptions nameless = drafting(DraftMethod::kModel);
    nameless.speculation.draftModel.clear();
    QVERIFY(refusal(nameless, &tinyModel()).find("second model") != std::string::npos);
  }

  void otherTokensUnderTheSameIdsAreRefused() {
    class Shifted final : public LetterTokenizer {
     public:
      std::string piece(TokenId id) const override { return LetterTokenizer::piece(id == 30 ? 31 : id); }
    };
    requireSameTokens(LetterTokenizer(), LetterTokenizer());
    try {
      requireSameTokens(LetterTokenizer(), Shifted());
      QFAIL("token 30 differs");
    } catch (const EngineError& error) {
      QVERIFY(std::string(error.what()).find("token 30") != std::string::npos);
    }
  }
};

QTEST_APPLESS_MAIN(TestSpeculation)
#include "tst_speculation.moc"
