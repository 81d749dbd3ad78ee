// A preview draws what the engine draws: with a request's own options the token that was sampled, and with
// other ones the token that is sampled when they are in force.
#include "vitrine/sampling_preview.h"

#include "support/event_log.h"
#include "support/letter_tokenizer.h"
#include "support/refusal.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <map>
#include <random>

using namespace vitrine;

namespace {

constexpr int kCandidates = 16;

SamplingOptions randomSampling(std::mt19937& random) {
  SamplingOptions sampling;
  constexpr double kTemperatures[] = {0, 0.5, 1, 1.7};
  sampling.temperature = kTemperatures[random() % 4];
  sampling.seed = random();
  if (random() % 2 == 0) sampling.topK = 1 + static_cast<int>(random() % 20);
  if (random() % 2 == 0) sampling.topP = 0.5 + 0.1 * static_cast<double>(random() % 5);
  if (random() % 3 == 0) sampling.minP = 0.05;
  if (random() % 3 == 0) sampling.typicalP = 0.8;
  if (random() % 3 == 0) sampling.repetitionPenalty = 1.3;
  if (random() % 3 == 0) sampling.presencePenalty = 0.7;
  return sampling;
}

bool same(const std::vector<SamplingStage>& a, const std::vector<SamplingStage>& b) {
  return std::ranges::equal(a, b, [](const SamplingStage& one, const SamplingStage& other) {
    return one.name == other.name && one.kept == other.kept &&
           std::ranges::equal(one.top, other.top, [](const Candidate& x, const Candidate& y) {
             return x.token == y.token && x.probability == y.probability;
           });
  });
}

PreviewedDraw preview(Engine& engine, const SequenceState& sequence, std::size_t position,
                      const SamplingOptions& sampling, const Request& request = {}) {
  const std::span before = std::span(sequence.tokens).first(position);
  const std::vector<float> logits = engine.nextLogits(before).logits;
  const std::vector<TokenId> output(before.begin() + sequence.promptTokens, before.end());
  const auto allowed = engine.allowedNext(request, output);
  return previewDraw(
      {logits, before, sequence.promptTokens, engine.description().options.seed, sequence.index, allowed},
      sampling, kCandidates);
}

Request formedRequest(int number) {
  constexpr const char* kForms[] = {"root ::= [a-p]+", "root ::= (\"ab\" | \"cd\" | [e-j])* \"k\"",
                                    "root ::= [b-d]{2} root | [l-o]"};
  Request request;
  request.prompt = "Once";
  request.maxTokens = 14;
  request.grammar = kForms[number % 3];
  request.sequences = 1 + number % 2;
  return request;
}

}  // namespace

class TestSamplingPreview : public QObject {
  Q_OBJECT

 private slots:
  void ownOptionsGiveTheTokenThatWasSampled_data() {
    QTest::addColumn<bool>("drafts");
    QTest::newRow("plain") << false;
    QTest::newRow("with drafts") << true;
  }
  void ownOptionsGiveTheTokenThatWasSampled() {
    QFETCH(bool, drafts);
    std::mt19937 random(17);
    EngineOptions options = tinyOptions(24);  // few blocks: sequences are preempted
    options.seed = 91;
    if (drafts) options.speculation = {.drafter = DraftMethod::kEarlyExit, .exitLayer = 1};
    EventLog log;
    const auto engine = tinyModel().engine(options, log);
    engine->setDetail({kCandidates, {}, true});
    for (int i = 0; i < 6; ++i) {
      Request request = tinyRequest(tinyPrompt(3 + 2 * i, i), 10);
      request.sampling = randomSampling(random);
      request.sequences = 1 + i % 3;
      engine->submit(request);
    }
    std::map<RequestId, SamplingOptions> samplings;
    engine->run();
    const MachineState state = engine->snapshot();
    int compared = 0, drawn = 0;
    for (const Event& event : log.events) {
      if (const auto* submitted = bodyOf<RequestSubmitted>(event))
        samplings[submitted->request] = submitted->asked.sampling;
      const auto* detail = bodyOf<TokenCandidates>(event);
      if (detail == nullptr) continue;
      const SequenceState& sequence = state.sequences.at(detail->sequence);
      const auto position = static_cast<std::size_t>(detail->position);
      // A draft's last tokens may lie behind the end of the answer.
      if (position >= sequence.tokens.size()) continue;
      const PreviewedDraw draw = preview(*engine, sequence, position, samplings.at(sequence.request));
      QCOMPARE(draw.chosen, detail->chosen);
      QCOMPARE(draw.chosen, sequence.tokens[position]);
      QVERIFY(same(draw.stages, detail->stages));
      QCOMPARE(draw.isGreedy(), samplings.at(sequence.request).temperature == 0);
      ++compared;
      drawn += draw.isGreedy() ? 0 : 1;
    }
    QVERIFY2(compared >= 100 && drawn >= 40, qPrintable(QString("%1, %2 drawn").arg(compared).arg(drawn)));
  }

  void aKnobGivesWhatItsPreviewSaid() {
    std::mt19937 random(4);
    int changed = 0;
    for (int round = 0; round < 60; ++round) {
      EngineOptions options = tinyOptions();
      options.seed = random();
      EventLog log;
      const auto engine = tinyModel().engine(options, log);
      Request request = tinyRequest(tinyPrompt(5, round), 12);
      request.sampling = randomSampling(random);
      const RequestId id = engine->submit(request);
      for (int step = 0; step < 1 + round % 8; ++step) engine->step();
      const SequenceState before = engine->snapshot().sequences.at(1);
      const std::size_t position = before.tokens.size();
      SamplingOptions knobs = randomSampling(random);
      if (round % 2 == 0) knobs.seed = request.sampling.seed;  // then it draws with the same number
      const PreviewedDraw own = preview(*engine, before, position, request.sampling);
      const PreviewedDraw draw = preview(*engine, before, position, knobs);
      if (round % 2 == 0 && !own.isGreedy() && !draw.isGreedy()) QCOMPARE(draw.number, own.number);
      engine->setSampling(id, knobs);
      engine->step();
      QCOMPARE(engine->snapshot().sequences.at(1).tokens.at(position), draw.chosen);
      changed += own.chosen != draw.chosen;
    }
    QVERIFY2(changed > 15, qPrintable(QString::number(changed)));
  }

  // With a grammar too: what it masks depends on the tokens before alone, and a request that is forgotten has
  // left its grammar in its event.
  void aGrammarMasksThePreview() {
    static const ModelConfig config = tinyConfig();
    TinyModel model(config);
    model.tokenizer = std::make_shared<LetterTokenizer>();
    std::mt19937 random(23);
    EngineOptions options = tinyOptions(32);
    options.seed = 5;
    EventLog log;
    const auto engine = model.engine(options, log, &model);
    engine->setDetail({kCandidates, {}, true});
    for (int i = 0; i < 9; ++i) {
      Request request = formedRequest(i);
      request.sampling = randomSampling(random);
      engine->submit(request);
    }
    engine->run();
    const MachineState state = engine->snapshot();
    for (RequestId id = 1; id <= 9; ++id) engine->forget(id);
    std::map<RequestId, Request> requests;
    int compared = 0, masked = 0;
    for (const Event& event : log.events) {
      if (const auto* submitted = bodyOf<RequestSubmitted>(event))
        requests[submitted->request] = submitted->asked;
      const auto* detail = bodyOf<TokenCandidates>(event);
      if (detail == nullptr) continue;
      const SequenceState& sequence = state.sequences.at(detail->sequence);
      const auto position = static_cast<std::size_t>(detail->position);
      if (position >= sequence.tokens.size()) continue;
      const Request& request = requests.at(sequence.request);
      const PreviewedDraw draw = preview(*engine, sequence, position, request.sampling, request);
      QCOMPARE(draw.chosen, detail->chosen);
      QVERIFY(same(draw.stages, detail->stages));
      masked += preview(*engine, sequence, position, request.sampling).chosen != draw.chosen;
      // With any other options it draws one that is allowed.
      const std::vector<TokenId> output(sequence.tokens.begin() + sequence.promptTokens,
                                        sequence.tokens.begin() + detail->position);
      const auto allowed = engine->allowedNext(request, output);
      QVERIFY(allowed && std::ranges::is_sorted(*allowed));
      const TokenId other = preview(*engine, sequence, position, randomSampling(random), request).chosen;
      QVERIFY(std::ranges::binary_search(*allowed, other));
      ++compared;
    }
    QVERIFY2(compared >= 40 && masked >= 20, qPrintable(QString("%1, %2 masked").arg(compared).arg(masked)));
  }

  void whatAGrammarAllows() {
    static const ModelConfig config = tinyConfig();
    TinyModel model(config);
    model.tokenizer = std::make_shared<LetterTokenizer>();
    EventLog log;
    const auto engine = model.engine(tinyOptions(), log, &model);
    Request request;
    request.grammar = "root ::= \"ab\" | \"ac\"";
    const auto after = [&](const char* text) {
      return *engine->allowedNext(request, model.tokenizer->encode(text, false));
    };
    const auto ids = [&](const char* text) {
      std::vector<TokenId> tokens = model.tokenizer->encode(text, false);
      std::ranges::sort(tokens);
      return tokens;
    };
    QCOMPARE(after(""), ids("a"));
    QCOMPARE(after("a"), ids("bc"));
    QVERIFY(after("x").empty());  // no beginning of an answer
    QVERIFY(after("xy").empty());
    QVERIFY(!engine->allowedNext({}, {}).has_value());
    VERIFY_REFUSED(engine->allowedNext(request, std::vector<TokenId>{-1}), "invalid_argument", "-1");
    request.grammar = "root ::= (";
    VERIFY_REFUSED(engine->allowedNext(request, {}), "invalid_argument", "grammar");
  }

  // The number lies in the interval that the chosen token has in the last stage's cumulative distribution.
  void theNumberFallsOnTheChosenToken() {
    std::vector<float> logits;
    for (int i = 0; i < 50; ++i) logits.push_back(static_cast<float>((i * 37) % 11) * 0.5f);
    const std::vector<TokenId> tokens = tinyPrompt(9);
    SamplingOptions sampling;
    sampling.temperature = 1;
    for (sampling.seed = 0; sampling.seed < 200; ++sampling.seed) {
      const PreviewedDraw draw = previewDraw({logits, tokens, 5, 3, 2}, sampling, 0);
      QCOMPARE(draw.number, drawnNumber({3, 2, 9}, sampling.seed));
      double begin = 0, end = 0;
      for (const Candidate& one : draw.stages.back().top) {
        begin = end;
        end += static_cast<double>(one.probability);
        if (one.token == draw.chosen) break;
      }
      QVERIFY(draw.number >= begin - 1e-6 && draw.number <= end + 1e-6);  // probabilities are floats
    }
  }

  void refusals() {
    const std::vector<float> logits(8, 1);
    const std::vector<TokenId> tokens = {1, 2};
    SamplingOptions wrong;
    wrong.topP = 0;
    const auto draw = [](const PreviewInput& input, const SamplingOptions& sampling) {
      return previewDraw(input, sampling, 0);
    };
    VERIFY_REFUSED(draw({logits, tokens, 1}, wrong), "invalid_argument", "top-p");
    VERIFY_REFUSED(draw({{}, tokens, 1}, {}), "invalid_argument", "logits");
    VERIFY_REFUSED(draw({logits, tokens, 3}, {}), "invalid_argument", "prompt tokens");
    VERIFY_REFUSED(draw({logits, tokens, -1}, {}), "invalid_argument", "prompt tokens");
    const std::vector<TokenId> none, outside = {3, 8};
    VERIFY_REFUSED(draw({logits, tokens, 1, 0, 0, none}, {}), "invalid_argument", "no token");
    VERIFY_REFUSED(draw({logits, tokens, 1, 0, 0, outside}, {}), "invalid_argument", "no logit");
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    VERIFY_REFUSED(engine->nextLogits({}), "invalid_argument", "tokens");
    VERIFY_REFUSED(engine->nextLogits(std::vector<TokenId>(400, 1)), "context_too_long", "400");
  }
};

QTEST_APPLESS_MAIN(TestSamplingPreview)
#include "tst_sampling_preview.moc"
