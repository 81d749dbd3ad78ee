// A forced beginning of an answer: what follows is what the request would have written by itself after these
// tokens, and they are output to everything that looks at output.
#include "support/event_log.h"
#include "support/letter_tokenizer.h"
#include "support/random_workload.h"
#include "support/refusal.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

RequestResult resultOf(Engine& engine, Request request) {
  const RequestId id = engine.submit(std::move(request));
  engine.run();
  return engine.takeResult(id);
}

Request drawn(std::uint64_t seed, int maxTokens = 14) {
  Request request = tinyRequest(tinyPrompt(9), maxTokens);
  request.sampling.temperature = 1.3;
  request.sampling.seed = seed;
  request.sampling.repetitionPenalty = 1.4;
  request.sampling.presencePenalty = 0.6;
  request.sampling.frequencyPenalty = 0.8;
  request.logprobs = 3;
  return request;
}

std::unique_ptr<Engine> lettersEngine(EventSink& sink) {
  EngineParts parts = tinyModel().parts();
  parts.config.eosTokens.clear();  // then the tokenizer's is asked
  parts.tokenizer = std::make_unique<LetterTokenizer>(7);
  return assembleEngine(std::move(parts), tinyOptions(), sink);
}

}  // namespace

class TestForcedBeginning : public QObject {
  Q_OBJECT

 private slots:
  // Whatever prefix of an answer is given, the rest comes again: penalties and random numbers count it.
  void anAnswerGoesOnFromAnyOfItsTokens() {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      ReplayingSink sink;
      const auto engine = tinyModel().engine(tinyOptions(), sink);
      const SequenceResult whole = resultOf(*engine, drawn(seed)).sequences[0];
      for (std::size_t kept = 0; kept < whole.tokenIds.size(); ++kept) {
        Request request = drawn(seed);
        request.outputIds.assign(whole.tokenIds.begin(), whole.tokenIds.begin() + static_cast<int>(kept));
        const RequestResult again = resultOf(*engine, request);
        QCOMPARE(again.sequences[0].tokenIds, whole.tokenIds);
        QCOMPARE(again.promptTokens, 9);
        QCOMPARE(again.sequences[0].logprobs.size(), whole.logprobs.size() - kept);  // of drawn tokens alone
        for (std::size_t i = kept; i < whole.logprobs.size(); ++i)
          QVERIFY(again.sequences[0].logprobs[i - kept].top == whole.logprobs[i].top);
        QVERIFY(engine->snapshot() == sink.state);
      }
    }
  }

  // As a part of the prompt the same tokens would be no output, and the penalties would not count them.
  void itIsNoPartOfThePrompt() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    int differ = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Request begun = drawn(seed);
      begun.outputIds = {20, 21, 20, 21};
      Request longer = drawn(seed, 10);
      longer.tokenIds.insert(longer.tokenIds.end(), {20, 21, 20, 21});
      const Tokens output = resultOf(*engine, begun).sequences[0].tokenIds;
      QCOMPARE(output.size(), std::size_t{14});
      const Tokens rest(output.begin() + 4, output.end());
      differ += rest != resultOf(*engine, longer).sequences[0].tokenIds ? 1 : 0;
    }
    QVERIFY(differ > 0);
  }

  void severalAnswersBeginAlike() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    Request request = drawn(5);
    request.sequences = 2;
    request.bestOf = 3;
    request.outputIds = {30, 31, 32, 33, 34};
    const RequestResult result = resultOf(*engine, request);
    QCOMPARE(result.sequences.size(), std::size_t{2});
    for (const SequenceResult& one : result.sequences) {
      QCOMPARE(Tokens(one.tokenIds.begin(), one.tokenIds.begin() + 5), request.outputIds);
      // The score is a mean over what was drawn; the given tokens have no probability.
      QVERIFY(std::abs(one.score - one.cumulativeLogprob / 9) < 1e-12);
    }
    QVERIFY(result.sequences[0].tokenIds != result.sequences[1].tokenIds);
    QCOMPARE(log.of<RequestFinished>().back().completionTokens, 3 * 14);
    QCOMPARE(log.of<RequestFinished>().back().givenTokens, 3 * 5);
    QCOMPARE(result.givenTokens, 5);
  }

  void itsTextIsTheBeginningOfTheAnswers() {
    ReplayingSink sink;
    const auto engine = lettersEngine(sink);
    Request request = tinyRequest(tinyPrompt(6), 10);
    request.sampling.temperature = 1;
    const SequenceResult whole = resultOf(*engine, request).sequences[0];
    QVERIFY(whole.text.size() >= 8);
    request.outputIds.assign(whole.tokenIds.begin(), whole.tokenIds.begin() + 4);
    const RequestId id = engine->submit(request);
    const MachineState begun = engine->snapshot();
    QVERIFY(begun == sink.state);
    const SequenceState& first = begun.sequences.at(begun.requests.at(id).sequences.front());
    QVERIFY(!first.text.empty() && whole.text.starts_with(first.text));
    engine->run();
    QCOMPARE(engine->takeResult(id).sequences[0].text, whole.text);
  }

  // A stop string may begin in what is given; one that ends there leaves nothing to write.
  void stopStringsSeeIt() {
    ReplayingSink sink;
    const auto engine = lettersEngine(sink);
    Request request = tinyRequest(tinyPrompt(6), 10);
    request.sampling.temperature = 1;
    const SequenceResult whole = resultOf(*engine, request).sequences[0];
    const std::string stop = whole.text.substr(3, 2);  // a letter is a token
    request.stop = {stop};
    const std::string stopped = resultOf(*engine, request).sequences[0].text;
    request.outputIds.assign(whole.tokenIds.begin(), whole.tokenIds.begin() + 4);
    QCOMPARE(whole.text.find(stop), std::size_t{3});  // across the end of what is given
    QCOMPARE(resultOf(*engine, request).sequences[0].text, stopped);
    request.outputIds.assign(whole.tokenIds.begin(), whole.tokenIds.begin() + 6);
    VERIFY_REFUSED(engine->submit(request), "invalid_argument", "stop string");
  }

  // Two requests with the same beginning share its blocks as they share the prompt's.
  void itIsFoundInThePrefixCache() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    Request request = drawn(3, 24);
    const Tokens whole = resultOf(*engine, request).sequences[0].tokenIds;
    request.outputIds.assign(whole.begin(), whole.begin() + 16);
    QCOMPARE(resultOf(*engine, request).cachedTokens, 24);  // of 9 + 16 tokens, in blocks of 4
  }
};

QTEST_GUILESS_MAIN(TestForcedBeginning)
#include "tst_forced_beginning.moc"
