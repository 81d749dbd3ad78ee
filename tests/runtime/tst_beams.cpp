// Beam search and best-of in the engine: against a naive search that computes everything again, and what the
// events, the blocks and the scheduler make of it.
#include "events/state_json.h"
#include "sampling/beam_search.h"
#include "support/event_log.h"
#include "support/letter_tokenizer.h"
#include "support/naive_beams.h"
#include "support/naive_model.h"
#include "support/refusal.h"
#include "support/replaying_sink.h"
#include "support/tiny_engine.h"
#include "vitrine/trace.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Tokens = std::vector<TokenId>;

Request beamRequest(Tokens prompt, int width, int maxTokens = 8) {
  Request request = tinyRequest(std::move(prompt), maxTokens);
  request.beamWidth = width;
  request.sequences = width;
  return request;
}

RequestResult resultOf(Engine& engine, const Request& request) {
  const RequestId id = engine.submit(request);
  engine.run();
  return engine.takeResult(id);
}

// Steps to the end with the replay beside it.
void runWatched(Engine& engine, const Watched& watched) {
  engine.setGate([&](Phase) { QVERIFY(engine.snapshot() == watched.replay.state); });
  for (int steps = 0; engine.hasWork(); ++steps) {
    QVERIFY2(steps < 2000, "no end");
    engine.step();
    QCOMPARE(watched.replay.error, std::string());
    const MachineState state = engine.snapshot();
    QVERIFY(state == watched.replay.state);
    requireConsistent(state);
    if (QTest::currentTestFailed()) return;
  }
  QCOMPARE(engine.snapshot().freeQueue.size(), engine.snapshot().blocks.size());
}

// One random search, and a pool and a budget to make it hard.
struct Case {
  Request request;
  EngineOptions options;
  NaiveSearch search;

  Case(std::mt19937& random, const std::vector<double>& firstLogits) {
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    const auto pick = [&](const std::vector<double>& values) { return values[random() % values.size()]; };
    request.beamWidth = static_cast<int>(pick({2, 2, 3, 3, 4, 5, 8, 16}));
    request.sequences = 1 + below(request.beamWidth);
    request.maxTokens = 1 + below(12);
    request.lengthPenalty = pick({-1, 0, 0.5, 1, 1, 2});
    request.earlyStopping = static_cast<EarlyStopping>(below(3));
    request.ignoreEos = below(5) == 0;
    request.sampling.repetitionPenalty = pick({1, 1, 1.3, 0.8});
    request.sampling.presencePenalty = pick({0, 0, 0.4});
    request.sampling.frequencyPenalty = pick({0, 0, 0.3});

    // End tokens that the model likes, so that answers end.
    std::vector<TokenId> byLogit(firstLogits.size());
    for (std::size_t i = 0; i < byLogit.size(); ++i) byLogit[i] = static_cast<TokenId>(i);
    std::ranges::sort(byLogit, std::ranges::greater(),
                      [&](TokenId token) { return firstLogits[static_cast<std::size_t>(token)]; });
    std::set<TokenId> ends;
    for (int i = 1 + below(3); i > 0; --i) ends.insert(byLogit[static_cast<std::size_t>(below(4))]);
    endTokens.assign(ends.begin(), ends.end());

    search = {request.beamWidth,
              request.sequences,
              request.maxTokens,
              request.lengthPenalty,
              request.earlyStopping == EarlyStopping::kYes,
              request.earlyStopping == EarlyStopping::kNever,
              request.ignoreEos ? Tokens() : endTokens,
              request.sampling.repetitionPenalty,
              request.sampling.presencePenalty,
              request.sampling.frequencyPenalty,
              {}};
    const int block = static_cast<int>(pick({1, 2, 4, 16}));
    options = tinyOptions(400, block, static_cast<int>(pick({1, 3, 16, 64})));
  }
  Tokens endTokens;
};

Tokens randomPrompt(std::mt19937& random) {
  Tokens prompt(1 + random() % 8);
  for (TokenId& token : prompt) token = static_cast<TokenId>(random() % 61);
  return prompt;
}

std::vector<double> naiveLogits(const Tokens& tokens) {
  return runNaive(tinyModel().config, tinyModel().weights, tokens).logits.back();
}

TinyModel withEnds(const Tokens& ends) {
  ModelConfig config = tinyModel().config;
  config.eosTokens = ends;
  return TinyModel(config);
}

// How far the engine's arithmetic may be from the oracle's; closer decisions are not compared.
constexpr double kNear = 2e-5;
constexpr TokenId kNoEnd = -1;  // for a tokenizer without special tokens

}  // namespace

class TestBeams : public QObject {
  Q_OBJECT

 private slots:
  void everySearchIsTheNaiveOne() {
    std::mt19937 random(4);
    int compared = 0, stopped = 0, early = 0;
    for (int i = 0; compared < 320; ++i) {
      QVERIFY2(i < 900, "too many close decisions to compare enough");
      const Tokens prompt = randomPrompt(random);
      Case one(random, naiveLogits(prompt));
      one.request.tokenIds = prompt;
      const NaiveOutcome expected = searchNaive(prompt, one.search, naiveLogits);
      if (expected.margin < kNear) continue;
      Watched watched;
      const TinyModel ending = withEnds(one.endTokens);
      const auto engine = ending.engine(one.options, watched.both);
      const RequestId id = engine->submit(one.request);
      runWatched(*engine, watched);
      const RequestResult result = engine->takeResult(id);
      QCOMPARE(result.sequences.size(), expected.answers.size());
      for (std::size_t k = 0; k < expected.answers.size(); ++k) {
        const SequenceResult& got = result.sequences[k];
        if (got.tokenIds != expected.answers[k].tokens) qWarning("case %d, answer %zu", i, k);
        QCOMPARE(got.tokenIds, expected.answers[k].tokens);
        QVERIFY(std::abs(got.score - expected.answers[k].score) < 1e-4);
        stopped += got.reason == FinishReason::kStop ? 1 : 0;
      }
      early += watched.log.of<BeamStep>().back().end != BeamEnd::kNothingLeft ? 1 : 0;
      if (QTest::currentTestFailed()) return;
      ++compared;
    }
    QVERIFY(stopped > 300 && early > 40);  // the cases are about ends, not only about lengths
  }

  void stopStringsEndAHypothesis() {
    std::mt19937 random(8);
    int stopped = 0;
    for (int i = 0; i < 60; ++i) {
      const Tokens prompt = randomPrompt(random);
      Case one(random, naiveLogits(prompt));
      one.request.tokenIds = prompt;
      one.request.ignoreEos = true;
      one.search.endTokens.clear();
      for (int k = 0; k < 4;
           ++k)  // letters are tokens: what ends the answer early has to be among the likeliest
        one.request.stop.push_back(
            LetterTokenizer(kNoEnd).piece(one.endTokens[static_cast<std::size_t>(k) % one.endTokens.size()]) +
            (k == 3 ? std::string(1, 'A') : ""));
      one.search.stops = [&](const Tokens& output) {
        const std::string text = LetterTokenizer(kNoEnd).decode(output, true);
        return std::ranges::any_of(
            one.request.stop, [&](const std::string& stop) { return text.find(stop) != std::string::npos; });
      };
      const NaiveOutcome expected = searchNaive(prompt, one.search, naiveLogits);
      if (expected.margin < kNear) continue;
      EventLog log;
      EngineParts parts = tinyModel().parts();
      parts.tokenizer = std::make_unique<LetterTokenizer>(kNoEnd);
      const auto engine = assembleEngine(std::move(parts), one.options, log);
      const RequestResult result = resultOf(*engine, one.request);
      for (std::size_t k = 0; k < expected.answers.size(); ++k) {
        const SequenceResult& got = result.sequences[k];
        QCOMPARE(got.tokenIds, expected.answers[k].tokens);
        std::string text = LetterTokenizer(kNoEnd).decode(got.tokenIds, true);
        if (got.reason == FinishReason::kStop) {
          ++stopped;
          std::size_t end = std::string::npos;
          for (const std::string& stop : one.request.stop) end = std::min(end, text.find(stop));
          text.resize(end);
        }
        QCOMPARE(got.text, text);
      }
    }
    QVERIFY(stopped > 60);
  }

  // Everything a tree view draws is in the events: the answers follow from them alone.
  void theTreeIsInTheEvents() {
    Watched watched;
    const TinyModel ending = withEnds({3, 30});
    const auto engine = ending.engine(tinyOptions(200), watched.both);
    Request request = beamRequest({10, 13, 16}, 4, 12);
    request.ignoreEos = false;
    request.lengthPenalty = 0.5;
    request.earlyStopping = EarlyStopping::kNever;
    const RequestId id = engine->submit(request);
    runWatched(*engine, watched);
    std::map<SequenceId, std::pair<Tokens, double>> beams = {{1, {{}, 0.0}}};
    std::map<int, std::pair<Tokens, double>> hypotheses;
    const auto steps = watched.log.of<BeamStep>();
    std::vector<std::size_t> lowest;  // indices of complete continuations that were not among the best
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const BeamStep& step = steps[i];
      QCOMPARE(step.request, id);
      QCOMPARE(step.length, int(i) + 1);
      QCOMPARE(step.end != BeamEnd::kNone, i + 1 == steps.size());
      std::map<SequenceId, std::pair<Tokens, double>> next;
      double before = 0;
      for (std::size_t place = 0; place < step.candidates.size(); ++place) {
        const BeamCandidate& one = step.candidates[place];
        Tokens tokens = beams.at(one.parent).first;
        tokens.push_back(one.token);
        QCOMPARE(one.cumulative, beams.at(one.parent).second + one.logprob);
        QVERIFY(place == 0 || one.cumulative <= before);
        before = one.cumulative;
        QCOMPARE(one.sequence != 0, one.fate == BeamFate::kKept);
        if (one.fate == BeamFate::kKept)
          QVERIFY(next.emplace(one.sequence, std::pair(tokens, one.cumulative)).second);
        if (one.fate == BeamFate::kFinished) hypotheses[one.hypothesis] = {tokens, one.score};
        if (one.fate == BeamFate::kTooLow) lowest.push_back(place);
      }
      for (int number : step.displaced) QCOMPARE(hypotheses.erase(number), std::size_t{1});
      QCOMPARE(step.finished, int(hypotheses.size()));
      beams = std::move(next);
    }
    QVERIFY(!lowest.empty() && std::ranges::min(lowest) >= 4);
    const RequestResult result = engine->takeResult(id);
    const auto chosen = watched.log.of<BeamChosen>();
    QCOMPARE(chosen.size(), std::size_t{4});
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      QCOMPARE(hypotheses.at(chosen[i].hypothesis).first, result.sequences[i].tokenIds);
      QCOMPARE(hypotheses.at(chosen[i].hypothesis).second, result.sequences[i].score);
      QVERIFY(i == 0 || result.sequences[i].score <= result.sequences[i - 1].score);
    }
    QVERIFY(!watched.log.of<SequenceReplaced>().empty());
  }

  // As a sampled token does.
  void anEndWithoutTextHasItsName() {
    const Tokens ends = {3, 30};
    EventLog log;
    EngineParts parts = withEnds(ends).parts();
    parts.tokenizer = std::make_unique<LetterTokenizer>(ends.front());
    const auto engine = assembleEngine(std::move(parts), tinyOptions(200), log);
    Request request = beamRequest({10, 13, 16}, 4, 12);
    request.ignoreEos = false;
    request.lengthPenalty = 0.5;
    request.earlyStopping = EarlyStopping::kNever;
    resultOf(*engine, request);
    const auto chosen = log.of<BeamChosen>();
    const auto isEnded = [&](const BeamChosen& one) {
      return std::ranges::find(ends, one.tokenIds.back()) != ends.end();
    };
    QVERIFY(std::ranges::any_of(chosen, isEnded) && !std::ranges::all_of(chosen, isEnded));
    for (const BeamChosen& one : chosen)
      QCOMPARE(one.piece, isEnded(one) ? LetterTokenizer().piece(one.tokenIds.back()) : std::string());
  }

  void beamsShareTheirPromptAndCopyWhatTheyWrite() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(64, 4), log);
    engine->submit(beamRequest({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 4, 6));  // two full blocks and a half
    while (engine->hasWork()) {
      engine->step();
      const MachineState state = engine->snapshot();
      if (state.running.size() < 4) continue;
      for (SequenceId id = 1; id <= 4; ++id)
        for (std::size_t i = 0; i < 2; ++i)
          QCOMPARE(state.sequences.at(id).blockTable[i], state.sequences.at(1).blockTable[i]);
      QCOMPARE(state.blocks[static_cast<std::size_t>(state.sequences.at(1).blockTable[0])].refCount, 4);
      QVERIFY(state.blocks.size() - state.freeQueue.size() <= std::size_t{2 + 4 * 2});
    }
    QVERIFY(log.of<BlockCopied>().size() >= 3);
    QCOMPARE(log.of<SequenceForked>().size(), std::size_t{3});
    int pruned = 0;
    for (const auto& finished : log.of<SequenceFinished>())
      pruned += finished.reason == FinishReason::kPruned ? 1 : 0;
    QCOMPARE(pruned, 0);  // all four were asked for
  }

  void aSearchIsPreemptedAndResumesWhole() {
    const Request search = beamRequest({20, 21, 22, 23, 24, 25, 26, 27, 28}, 3, 12);
    EventLog quiet;
    const RequestResult alone = resultOf(*tinyModel().engine(tinyOptions(64, 4), quiet), search);
    for (int budget : {64, 2}) {
      Watched watched;
      const auto engine = tinyModel().engine(tinyOptions(14, 4, budget), watched.both);
      engine->submit(tinyRequest(Tokens(25, 5), 30));  // older, and grows
      const RequestId id = engine->submit(search);
      runWatched(*engine, watched);
      std::map<int, std::set<SequenceId>> preempted;
      for (const Event& event : watched.log.events)
        if (const auto* body = std::get_if<SequencePreempted>(&event.body))
          preempted[event.step].insert(body->sequence);
      QVERIFY(!preempted.empty());
      for (const auto& [step, sequences] : preempted) QCOMPARE(sequences, (std::set<SequenceId>{2, 3, 4}));
      int waitedForTheFirst = 0, cameBack = 0;
      for (const auto& waiting : watched.log.of<SequenceWaiting>())
        waitedForTheFirst += waiting.reason == WaitReason::kBeams ? 1 : 0;
      for (const auto& admitted : watched.log.of<SequenceAdmitted>()) cameBack += admitted.resumed ? 1 : 0;
      QVERIFY(waitedForTheFirst > 0);
      QCOMPARE(cameBack, 3 * int(preempted.size()));
      const RequestResult result = engine->takeResult(id);
      for (std::size_t i = 0; i < 3; ++i) {
        QCOMPARE(result.sequences[i].tokenIds, alone.sequences[i].tokenIds);
        QVERIFY(result.sequences[i].score == alone.sequences[i].score);
      }
    }
  }

  // A stop string may end so many beams at once that sequences are left over. They are preempted and resume
  // like the others, and the search waits for them: it may want them in its next step.
  void sequencesWithoutABeamComeBackToo() {
    std::mt19937 random(4);
    int idle = 0, forImportance = 0;
    for (int i = 0; i < 300; ++i) {
      Request search = beamRequest(randomPrompt(random), 2 + static_cast<int>(random() % 4), 12);
      search.earlyStopping = EarlyStopping::kNever;
      for (int k = 0; k < 20; ++k) search.stop.emplace_back(1, LetterTokenizer::kLetters[random() % 61]);
      const auto resultWith = [&](const EngineOptions& options, EventSink& sink, bool company,
                                  const auto& watch) {
        EngineParts parts = tinyModel().parts();
        parts.tokenizer = std::make_unique<LetterTokenizer>(kNoEnd);
        const auto engine = assembleEngine(std::move(parts), options, sink);
        if (company) engine->submit(tinyRequest({5, 5, 5}, 24));
        const RequestId id = engine->submit(search);
        for (; engine->hasWork(); engine->step()) watch(*engine);
        return engine->takeResult(id);
      };
      EventLog quiet;
      const RequestResult alone = resultWith(tinyOptions(200), quiet, false, [](Engine&) {});
      const int prompt = static_cast<int>(search.tokenIds.size()), size = random() % 2 == 0 ? 2 : 4;
      const int shared = prompt / size, all = (prompt + search.maxTokens + size - 1) / size;
      const int least = std::max(shared + search.beamWidth * (all - shared), 28 / size);
      EngineOptions tight = tinyOptions(least, size, 4 + static_cast<int>(random() % 24));
      tight.chunkedPrefill = random() % 2 == 0;
      Watched watched;
      const RequestResult together = resultWith(tight, watched.both, true, [&](Engine& engine) {
        const MachineState state = engine.snapshot();
        QVERIFY(state == watched.replay.state);
        const RequestState& request = state.requests.at(2);
        idle += !request.beams.empty() && request.beams.size() < request.sequences.size() ? 1 : 0;
      });
      forImportance += watched.log.of<SequencePreempted>().empty() ? 0 : 1;
      for (std::size_t k = 0; k < alone.sequences.size(); ++k) {
        QCOMPARE(together.sequences[k].tokenIds, alone.sequences[k].tokenIds);
        QVERIFY(together.sequences[k].score == alone.sequences[k].score);
      }
    }
    QVERIFY(idle > 30 && forImportance > 30);
  }

  // Nine prompt tokens in blocks of four: two full blocks for all, three more for each of three beams.
  void thePoolMustHoldAllBeams() {
    Request search = beamRequest({20, 21, 22, 23, 24, 25, 26, 27, 28}, 3, 9);
    Watched watched;
    const auto engine = tinyModel().engine(tinyOptions(2 + 3 * 3, 4), watched.both);
    engine->submit(search);
    runWatched(*engine, watched);
    QVERIFY(watched.log.of<SequencePreempted>().empty());
    const auto small = tinyModel().engine(tinyOptions(2 + 3 * 3 - 1, 4), watched.both);
    VERIFY_REFUSED(small->submit(search), "out_of_memory", "11 KV blocks");
    VERIFY_REFUSED(small->submit(search), "out_of_memory", "3 beams");
  }

  void whatCannotBeSearchedIsRefused() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(200), log);
    const auto refused = [&](const char* word, const std::function<void(Request&)>& spoil) {
      Request request = beamRequest({1, 2, 3}, 3);
      spoil(request);
      VERIFY_REFUSED(engine->submit(request), "invalid_argument", word);
    };
    refused("-n 4", [](Request& r) { r.sequences = 4; });
    refused("--best-of", [](Request& r) { r.bestOf = 5; });
    refused("--temperature", [](Request& r) { r.sampling.temperature = 1; });
    refused("--beam-width", [](Request& r) { r.beamWidth = 17; });
    refused("--length-penalty", [](Request& r) { r.lengthPenalty = 11; });
    refused("--best-of", [](Request& r) { r.beamWidth = 1, r.bestOf = 2; });
    EngineOptions few = tinyOptions(200);
    few.maxSequences = 2;
    const auto narrow = tinyModel().engine(few, log);
    VERIFY_REFUSED(narrow->submit(beamRequest({1, 2, 3}, 3)), "invalid_argument", "3 beams");
    const RequestId id = engine->submit(beamRequest({1, 2, 3}, 3));
    SamplingOptions warm;
    warm.temperature = 1;
    VERIFY_REFUSED(engine->setSampling(id, warm), "invalid_argument", "--temperature");
  }

  void aCancelledSearchGivesItsBeams() {
    Watched watched;
    const auto engine = tinyModel().engine(tinyOptions(64), watched.both);
    const RequestId id = engine->submit(beamRequest({1, 2, 3}, 3, 20));
    for (int i = 0; i < 5; ++i) engine->step();
    engine->cancel(id);
    QVERIFY(engine->snapshot() == watched.replay.state);
    const RequestResult result = engine->takeResult(id);
    const BeamStep last = watched.log.of<BeamStep>().back();
    QCOMPARE(result.sequences.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i) {
      QVERIFY(result.sequences[i].reason == FinishReason::kCancelled);
      QCOMPARE(result.sequences[i].tokenIds.size(), std::size_t{5});
      QCOMPARE(result.sequences[i].score, last.candidates[i].score);
    }
    QCOMPARE(engine->snapshot().freeQueue.size(), std::size_t{64});
  }

  // What is written is read again as it was, and the replay of what was read is consistent after each step.
  void aTraceOfASearchVerifies() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("beams.vitrine").toStdString();
    TraceWriter writer(file);
    EventLog log;
    EventFanOut both;
    both.add(&writer);
    both.add(&log);
    const auto engine = tinyModel().engine(tinyOptions(20, 4, 8), both);
    engine->submit(tinyRequest(Tokens(25, 5), 30));
    engine->submit(beamRequest({20, 21, 22, 23, 24, 25, 26, 27, 28}, 4, 12));
    Request best = tinyRequest({1, 2, 3}, 6);
    best.sampling.temperature = 1;
    best.bestOf = 3;
    engine->submit(best);
    for (int i = 0; i < 8; ++i) engine->step();
    Event snapshot = log.events.back();
    const auto state = std::make_shared<const MachineState>(engine->snapshot());
    QVERIFY(!state->requests.at(2).beams.empty());
    snapshot.body = Snapshot{state};
    QVERIFY(*std::get<Snapshot>(eventFromJson(eventToJson(snapshot)).body).state == *state);
    engine->run();
    writer.finish();
    QVERIFY(verifyTrace(file).steps > 0);
    std::vector<Event> read;
    readTrace(file, [&](const Event& event) { read.push_back(event); });
    QCOMPARE(read.size(), log.events.size());
    for (std::size_t i = 0; i < read.size(); ++i) QCOMPARE(eventToJson(read[i]), eventToJson(log.events[i]));
    for (const auto& [bytes, found] : {std::pair("\"beam_step\"", log.of<BeamStep>().size()),
                                       std::pair("\"beam_chosen\"", log.of<BeamChosen>().size()),
                                       std::pair("\"answers_ranked\"", log.of<AnswersRanked>().size())})
      QVERIFY2(found > 0, bytes);
  }

  void scoresFollowFromLogprobs() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(64), log);
    Request request = beamRequest({1, 2, 3}, 3, 7);
    request.logprobs = 2;
    request.lengthPenalty = 2;
    const RequestResult result = resultOf(*engine, request);
    for (const SequenceResult& one : result.sequences) {
      QCOMPARE(one.logprobs.size(), one.tokenIds.size());
      double sum = 0;
      for (std::size_t i = 0; i < one.tokenIds.size(); ++i) {
        QCOMPARE(one.logprobs[i].token, one.tokenIds[i]);
        QCOMPARE(one.logprobs[i].top.size(), std::size_t{2});
        sum += one.logprobs[i].logprob;
      }
      QVERIFY(std::abs(sum - one.cumulativeLogprob) < 1e-9);
      QVERIFY(std::abs(sum / 49 - one.score) < 1e-9);
    }
    QCOMPARE(log.of<RequestFinished>().at(0).completionTokens, 21);
  }

  void theBestOfSeveralDrawnAnswers() {
    Request request = tinyRequest({1, 2, 3}, 9);
    request.sampling.temperature = 1.5;
    request.ignoreEos = false;
    request.sequences = 6;
    EventLog quiet;
    std::vector<SequenceResult> all =
        resultOf(*tinyModel().engine(tinyOptions(64), quiet), request).sequences;
    QVERIFY(quiet.of<AnswersRanked>().empty());
    for (const SequenceResult& one : all)
      QCOMPARE(one.score, one.cumulativeLogprob / static_cast<double>(one.tokenIds.size()));
    std::ranges::stable_sort(all, std::ranges::greater(), &SequenceResult::score);

    Watched watched;
    request.sequences = 2;
    request.bestOf = 6;
    const auto engine = tinyModel().engine(tinyOptions(64), watched.both);
    const RequestId id = engine->submit(request);
    runWatched(*engine, watched);
    const RequestResult best = engine->takeResult(id);
    QCOMPARE(best.sequences.size(), std::size_t{2});
    const AnswersRanked ranked = watched.log.of<AnswersRanked>().at(0);
    QCOMPARE(ranked.answers.size(), std::size_t{6});
    for (std::size_t i = 0; i < 6; ++i) {
      QCOMPARE(ranked.answers[i].score, all[i].score);
      QCOMPARE(ranked.answers[i].chosen, i < 2);
      QCOMPARE(engine->snapshot().sequences.at(ranked.answers[i].sequence).score, all[i].score);
      if (i < 2) QCOMPARE(best.sequences[i].tokenIds, all[i].tokenIds);
    }
  }
};

QTEST_APPLESS_MAIN(TestBeams)
#include "tst_beams.moc"
