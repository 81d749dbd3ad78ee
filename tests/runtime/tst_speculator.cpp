// The speculator alone, with a drafter that proposes what the test says and logits that choose what the test
// says: what is drawn, what is accepted, and what is reported.
#include "runtime/speculator.h"

// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

constexpr int kVocabulary = 8;

class ScriptedDrafter final : public Drafter {
 public:
  explicit ScriptedDrafter(const Tokens& tokens) : m_tokens(tokens) {}
  DraftOffer canPropose(const Sequence&, int most) override {
    if (m_tokens.front() >= 0) return {.tokens = most};
    return {.reason = NoDraftReason::kDraftBlocks, .needed = 3, .available = 2};  // it has no room
  }
  void propose(const StepPlan&, std::span<Draft> drafts) override {
    for (Draft& draft : drafts) draft.tokens.assign(m_tokens.begin(), m_tokens.begin() + draft.wanted);
  }

 private:
  const Tokens m_tokens;
};

struct Sink final : EventSink {
  void publish(const Event& event) override { events.push_back(event); }
  template <typename Body>
  std::vector<Body> all() const {
    std::vector<Body> found;
    for (const Event& event : events)
      if (const auto* body = bodyOf<Body>(event)) found.push_back(*body);
    return found;
  }
  std::vector<Event> events;
};

// One request with a prompt of two tokens and one generated token, that decodes with a draft.
struct Bench {
  explicit Bench(const Tokens& draft, int maxTokens = 100, int contextLength = 100,
                 DraftAcceptance acceptance = DraftAcceptance::kSameDraw)
      : speculator(std::make_unique<ScriptedDrafter>(draft),
                   options(static_cast<int>(draft.size()), acceptance),
                   {table, sampler, stream, contextLength, nullptr}) {
    auto made = std::make_unique<RequestRecord>();
    made->id = table.nextRequest();
    made->firstSequence = table.nextSequence();
    made->request.maxTokens = maxTokens;
    made->answers.push_back(std::make_unique<Answer>(*made, nullptr, std::vector<std::string>()));
    Sequence& sequence = made->answers.front()->sequence;
    sequence.id = made->firstSequence;
    sequence.request = made->id;
    sequence.tokens = {1, 2, 3};
    sequence.promptTokens = 2;
    sequence.computedTokens = 2;
    table.add(std::move(made), [] {});
  }

  static SpeculationOptions options(int length, DraftAcceptance acceptance) {
    SpeculationOptions options;
    options.acceptance = acceptance;
    options.drafter = DraftMethod::kNgram;
    options.draftLength = length;
    return options;
  }

  Answer& answer() { return *table.find(1)->answers.front(); }

  // A step whose logits choose `chosen`, one a row. Returns the tokens drawn.
  Tokens step(const Tokens& chosen) {
    Sequence& sequence = answer().sequence;
    Sequence* running[] = {&sequence};
    sampler.beginStep();
    speculator.askDrafter(running);
    StepPlan plan;
    const int drafted = sequence.wantedDraft;
    plan.work.push_back({&sequence, WorkKind::kDecode, 2, 1 + drafted, 0, false, true, drafted});
    plan.work.back().id = sequence.id;
    speculator.explain(plan);
    speculator.propose(plan);
    std::vector<float> logits(static_cast<std::size_t>((1 + drafted) * kVocabulary), 0.0f);
    for (int row = 0; row <= drafted; ++row)
      logits[static_cast<std::size_t>(row * kVocabulary + chosen[static_cast<std::size_t>(row)])] = 9;
    speculator.verify(answer(), logits);
    Tokens drawn;
    for (const DrawnToken& token : sampler.drawn()) drawn.push_back(token.token.token);
    for (TokenId token : drawn) sequence.tokens.push_back(token);
    speculator.report(plan);
    return drawn;
  }

  // What a plan without a draft says of the sequence.
  std::vector<DraftSkipped> explain(std::optional<NoDraftReason> limit = {}) {
    Sequence& sequence = answer().sequence;
    Sequence* running[] = {&sequence};
    speculator.askDrafter(running);
    StepPlan plan;
    plan.work.push_back({&sequence, WorkKind::kDecode, 2, 1, 0, false, true, 0, sequence.id});
    plan.work.back().draftLimit = limit;
    speculator.explain(plan);
    return sink.all<DraftSkipped>();
  }

  Sink sink;
  EventStream stream{sink, 1};
  RequestTable table;
  AnswerSampler sampler{{6}, nullptr, stream};
  Speculator speculator;
};

}  // namespace

class TestSpeculator : public QObject {
  Q_OBJECT

 private slots:
  void allAcceptedGivesOneTokenMore() {
    Bench bench({4, 5, 4});
    QCOMPARE(bench.step({4, 5, 4, 7}), (Tokens{4, 5, 4, 7}));
    const auto verified = bench.sink.all<DraftVerified>();
    QCOMPARE(static_cast<int>(verified.size()), 1);
    QCOMPARE(verified[0].accepted, 3);
    QCOMPARE(verified[0].firstPosition, 3);
    const auto step = bench.sink.all<StepSpeculated>();
    QCOMPARE(step[0].draftedTokens, 3);
    QCOMPARE(step[0].acceptedTokens, 3);
    QCOMPARE(step[0].keptTokens, 4);
  }

  void theFirstDifferenceEndsTheDraft() {
    Bench bench({4, 5, 4});
    QCOMPARE(bench.step({4, 2, 4, 7}), (Tokens{4, 2}));
    const DraftVerified verified = bench.sink.all<DraftVerified>().front();
    QCOMPARE(verified.accepted, 1);
    QVERIFY(verified.judgements[0].verdict == DraftVerdict::kSame);
    QVERIFY(verified.judgements[1].verdict == DraftVerdict::kDiffers);
    QVERIFY(verified.judgements[2].verdict == DraftVerdict::kUndecided);
    QCOMPARE(verified.judgements[0].chosen, 4);
    QCOMPARE(verified.judgements[1].chosen, 2);
    QCOMPARE(verified.judgements[2].chosen, -1);
    QCOMPARE(verified.judgements[1].q, 0.0);
  }

  // Position 3 takes the number that plain sampling takes there; of eight tokens that are equally likely the
  // smaller id is drawn by the smaller number.
  void drawnDraftsStayWhereTheModelDrawsTheSame() {
    std::uint64_t seed = 0;
    const auto numberOf = [&] { return DrawKey{seed, 0, 3}.uniform(DrawUse::kSample); };
    while (numberOf() * kVocabulary > 5) ++seed;  // token 6 ends an answer
    const double number = numberOf();
    const auto drawn = static_cast<TokenId>(number * kVocabulary), other = drawn + 1;
    for (const TokenId proposed : {drawn, other}) {
      Bench bench({proposed});
      bench.answer().record.request.sampling.temperature = 1e9;
      bench.answer().record.seed = seed;
      const Tokens tokens = bench.step({0, 0});
      QCOMPARE(tokens.front(), drawn);
      QCOMPARE(tokens.size(), proposed == drawn ? std::size_t{2} : std::size_t{1});
      const DraftJudgement judgement = bench.sink.all<DraftVerified>().front().judgements.front();
      QVERIFY(judgement.verdict == (proposed == drawn ? DraftVerdict::kSame : DraftVerdict::kDiffers));
      QCOMPARE(judgement.token, proposed);
      QCOMPARE(judgement.chosen, drawn);
      QCOMPARE(judgement.uniform, number);
      QVERIFY(std::abs(judgement.p - 1.0 / kVocabulary) < 1e-6 && judgement.q == 1);
    }
  }

  void anEndTokenEndsTheDraft() {
    Bench bench({4, 6, 4});  // 6 ends an answer
    QCOMPARE(bench.step({4, 6, 4, 7}), (Tokens{4, 6}));
    QCOMPARE(bench.sink.all<DraftVerified>().front().accepted, 2);
  }

  void aDraftEndsBeforeTheAnswerAndTheContext() {
    Bench answer({4, 5, 4}, 4);  // one token is there, three may come
    answer.step({4, 5, 4, 7});
    QCOMPARE(static_cast<int>(answer.sink.all<DraftProposed>().front().tokens.size()), 2);
    Bench context({4, 5, 4}, 100, 5);  // three tokens are there, two may come
    context.step({4, 5, 4, 7});
    QCOMPARE(static_cast<int>(context.sink.all<DraftProposed>().front().tokens.size()), 1);
  }

  void noDraftHasItsReason() {
    const auto only = [](const std::vector<DraftSkipped>& said, NoDraftReason reason, int needed,
                         int available) {
      return said.size() == 1 && said[0].sequence == 1 && said[0].reason == reason &&
             said[0].needed == needed && said[0].available == available;
    };
    using enum NoDraftReason;
    const Tokens draft = {4, 5, 4};
    QVERIFY(only(Bench(draft, 2).explain(), kAnswerEnd, 2, 1));
    QVERIFY(only(Bench(draft, 100, 4).explain(), kContextEnd, 2, 1));
    QVERIFY(only(Bench({-1}).explain(), kDraftBlocks, 3, 2));
    QVERIFY(only(Bench(draft).explain(kBlocks), kBlocks, 1, 0));
    QVERIFY(only(Bench(draft).explain(kTokenBudget), kTokenBudget, 1, 0));
    QVERIFY(Bench(draft).explain().empty());  // the plan of a recorded run may grant less
    Bench beam(draft, 2);
    beam.answer().sequence.beams = 2;
    QVERIFY(only(beam.explain(kBlocks), kBeams, 0, 0));  // never drafted, so nothing else counts
    Bench plain(draft);
    for (int step = 0; step < 8; ++step) QVERIFY(plain.explain().empty());
    QVERIFY(only(plain.explain(kBlocks), kComparison, 64, 0));
    Bench drafted(draft);
    drafted.step({4, 5, 4, 7});
    QVERIFY(drafted.sink.all<DraftSkipped>().empty());
  }

  // Penalties count accepted tokens as output: after an accepted 4, a heavy penalty forbids another 4.
  void acceptedTokensCountForPenalties() {
    Bench bench({4, 4});
    bench.answer().record.request.sampling.presencePenalty = 100;
    const Tokens drawn = bench.step({4, 4, 4});
    QCOMPARE(static_cast<int>(drawn.size()), 2);
    QCOMPARE(drawn[0], 4);
    QVERIFY(drawn[1] != 4);
  }

  // A drafter that is certain (q = 1) of a token that the model gives almost all probability.
  void rejectionSamplingTestsDrawnDraftsAgainstP() {
    Bench bench({4, 5}, 100, 100, DraftAcceptance::kRejection);
    bench.answer().record.request.sampling.temperature = 0.1;
    QCOMPARE(bench.step({4, 5, 7}), (Tokens{4, 5, 7}));
    const DraftVerified verified = bench.sink.all<DraftVerified>().front();
    for (const DraftJudgement& judgement : verified.judgements) {
      QVERIFY(judgement.verdict == DraftVerdict::kWithin);
      QVERIFY(judgement.p > 0.999 && judgement.q == 1);
      QCOMPARE(judgement.chosen, judgement.token);
    }
  }

  // A token that the model never draws is replaced, and the judgement names its replacement.
  void rejectionSamplingReplacesWhatTheModelNeverDraws() {
    Bench bench({4, 5}, 100, 100, DraftAcceptance::kRejection);
    bench.answer().record.request.sampling.temperature = 0.1;
    QCOMPARE(bench.step({2, 5, 7}), (Tokens{2}));
    const DraftJudgement judgement = bench.sink.all<DraftVerified>().front().judgements.front();
    QVERIFY(judgement.verdict == DraftVerdict::kBeyond);
    QCOMPARE(judgement.token, 4);
    QCOMPARE(judgement.chosen, 2);
  }

  void memoryOfAnEarlierDraftLeavesNoTrace() {
    Bench bench({4, 5, 4});
    bench.step({4, 5, 4, 7});
    bench.answer().sequence.computedTokens = bench.answer().sequence.totalTokens() - 1;
    bench.sink.events.clear();
    QCOMPARE(bench.step({1, 5, 4, 7}), (Tokens{1}));
    QCOMPARE(bench.sink.all<DraftProposed>().front().tokens, (Tokens{4, 5, 4}));
  }
};

QTEST_APPLESS_MAIN(TestSpeculator)
#include "tst_speculator.moc"
