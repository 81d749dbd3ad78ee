// Speculation with rejection sampling through the engine: the answers follow the model's own distribution,
// proven by a chi-square test. (With the default rule they are the answers without drafts: tst_speculation.)
#include "support/chi_square.h"
#include "support/drafting.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <functional>
#include <map>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

// Instrumented code takes ten times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kSlow = true;
#else
constexpr bool kSlow = false;
#endif

}  // namespace

class TestSpeculationDistribution : public QObject {
  Q_OBJECT

 private slots:
  // Drawn tokens: 42 000 answers against the distribution that the engine itself gives for each position,
  // jointly over three of them; penalties make a position depend on the draft before it.
  void drawnAnswersFollowTheModel_data() {
    QTest::addColumn<int>("drafter");
    QTest::newRow("early exit") << static_cast<int>(DraftMethod::kEarlyExit);
    QTest::newRow("another model") << static_cast<int>(DraftMethod::kModel);
    QTest::newRow("n-grams") << static_cast<int>(DraftMethod::kNgram);
  }
  void drawnAnswersFollowTheModel() {
    QFETCH(int, drafter);
    constexpr int kAnswers = kSlow ? 8400 : 42000, kTogether = 420;
    SamplingOptions sampling;
    sampling.temperature = 0.3;
    sampling.topK = 8;
    sampling.frequencyPenalty = 0.2;
    Tokens prompt;  // every token once, so that n-grams always find one
    for (int i = 0; i < 61; ++i) prompt.push_back(7 * i % 61);
    EventSinkCounter counter;
    EngineOptions options = drafting(static_cast<DraftMethod>(drafter), 3);
    options.speculation.acceptance = DraftAcceptance::kRejection;
    options.maxSequences = 42;
    options.numBlocks = 1024;
    options.tokenBudget = 512;
    const auto engine = tinyModel().engine(options, counter, &otherTinyModel());
    std::map<Tokens, std::int64_t> seen;
    for (int first = 0; first < kAnswers; first += kTogether) {
      std::vector<Request> requests;
      for (int seed = first; seed < first + kTogether; ++seed) {
        Request request = tinyRequest(prompt, 4);
        request.sampling = sampling;
        request.sampling.seed = static_cast<std::uint64_t>(seed);
        requests.push_back(request);
      }
      for (const RequestResult& result : answer(*engine, requests)) {
        const Tokens& ids = result.sequences[0].tokenIds;
        ++seen[Tokens(ids.begin(), ids.begin() + 3)];
      }
    }
    QVERIFY2(counter.accepted > kAnswers / 140 && counter.rejected > kAnswers / 42,
             qPrintable(QString("%1 %2").arg(counter.accepted).arg(counter.rejected)));
    const double right = pValueOf(*engine, prompt, sampling, seen);
    QVERIFY2(right > 1e-3, qPrintable(QString::number(right)));
    if (kSlow) return;            // too few answers to distinguish two temperatures
    sampling.temperature = 0.33;  // and it is this distribution, not one nearby
    const double wrong = pValueOf(*engine, prompt, sampling, seen);
    QVERIFY2(wrong < 1e-6, qPrintable(QString::number(wrong)));
  }

 private:
  class EventSinkCounter final : public EventSink {
   public:
    void publish(const Event& event) override {
      if (const auto* verified = std::get_if<DraftVerified>(&event.body))
        for (const DraftJudgement& one : verified->judgements) {
          accepted += one.verdict == DraftVerdict::kWithin ? 1 : 0;
          rejected += one.verdict == DraftVerdict::kBeyond ? 1 : 0;
        }
    }
    int accepted = 0, rejected = 0;
  };

  static double pValueOf(Engine& engine, const Tokens& prompt, const SamplingOptions& sampling,
                         std::map<Tokens, std::int64_t> seen) {
    std::vector<std::int64_t> counts;
    std::vector<double> expected;
    const std::function<void(const Tokens&, double)> walk = [&](const Tokens& output, double probability) {
      if (output.size() == 3) {
        counts.push_back(seen[output]);
        expected.push_back(probability);
        seen.erase(output);
        return;
      }
      Tokens tokens = prompt;
      tokens.insert(tokens.end(), output.begin(), output.end());
      const auto stages = engine.distribution(tokens, static_cast<int>(output.size()), sampling);
      for (const Candidate& candidate : stages.back().top) {
        Tokens longer = output;
        longer.push_back(candidate.token);
        walk(longer, probability * static_cast<double>(candidate.probability));
      }
    };
    walk({}, 1);
    return seen.empty() ? chiSquarePValue(counts, expected) : 0;  // something impossible was drawn
  }
};

QTEST_APPLESS_MAIN(TestSpeculationDistribution)
#include "tst_speculation_distribution.moc"
