// A forward opened: attention maps and exits against Hugging Face on every golden model, over both kinds of
// kernels, in chunks; norms against the hidden states; and what looking must refuse.
#include "vitrine/inside.h"

#include "support/golden_engine.h"
#include "vitrine/event_sink.h"
// Engine headers stand before Qt's, whose macros take the name `slots`.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace vitrine;
using namespace vitrine::test;

Q_DECLARE_METATYPE(vitrine::Kernels)

namespace {

const std::filesystem::path kModels = VITRINE_SOURCE_DIR "/tests/golden/models";
constexpr int kTop = 3;
constexpr double kTolerance = 1e-4;

std::unique_ptr<Engine> load(const QString& model, Kernels kernels, EventSink& sink,
                             const std::string& attention = {}) {
  return loadGolden(kModels / model.toStdString(), kernels, sink, attention);
}

std::vector<TokenId> promptOf(const QString& model) {
  return tokensOf(Golden::load(kModels / model.toStdString() / "expected.safetensors"), "input_ids");
}

// The largest error of a row's sum; what lies behind the token itself must be 0.
double worstSum(const std::vector<float>& map, int from, int tokens) {
  double worst = 0;
  for (int row = from; row < tokens; ++row) {
    double sum = 0;
    for (int column = 0; column < tokens; ++column) {
      const float share = map[static_cast<std::size_t>((row - from) * tokens + column)];
      if (column > row && share != 0) return INFINITY;
      sum += share;
    }
    worst = std::max(worst, std::abs(sum - 1));
  }
  return worst;
}

// The exits' tokens are those of the golden, unless two are as likely as each other.
QString differenceOfExit(const std::vector<std::vector<ExitGuess>>& mine, const Golden& golden, int layer) {
  const std::string name = "exit." + std::to_string(layer);
  const auto& ids = golden.integers(name + ".ids").values;
  const auto& probabilities = golden.floats(name + ".probabilities").values;
  if (mine.size() * kTop != ids.size()) return QStringLiteral("another number of tokens");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::vector<ExitGuess>& guesses = mine[i / kTop];
    if (guesses.size() != kTop) return QStringLiteral("another number of guesses");
    const ExitGuess& guess = guesses[i % kTop];
    if (std::abs(std::exp(guess.logprob) - double{probabilities[i]}) > kTolerance)
      return QString("token %1: probability %2, not %3")
          .arg(i / kTop)
          .arg(std::exp(guess.logprob))
          .arg(double{probabilities[i]});
    const auto at =
        std::ranges::find(guesses, ids[i], [](const ExitGuess& one) { return std::int64_t{one.token}; });
    const bool tied = at == guesses.end() && i % kTop == kTop - 1;  // the last one may have lost a tie
    if (!tied &&
        (at == guesses.end() || std::abs(std::exp(at->logprob) - double{probabilities[i]}) > kTolerance))
      return QString("token %1: another guess").arg(i / kTop);
  }
  return {};
}

}  // namespace

class TestInside : public QObject {
  Q_OBJECT

 private slots:
  void everyModel_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<Kernels>("kernels");
    int models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kModels)) {
      const QString name = QString::fromStdString(entry.path().filename().string());
      QTest::addRow("%s, ours", qPrintable(name)) << name << Kernels::kNative;
      QTest::addRow("%s, libtorch's", qPrintable(name)) << name << Kernels::kReference;
      ++models;
    }
    QVERIFY2(models >= 14, "goldens are missing: see tests/golden/README.md");
  }
  void everyModel() {
    QFETCH(QString, model);
    QFETCH(Kernels, kernels);
    if (kernels == Kernels::kReference) {
      NEEDS_TORCH();
    }
    const Golden golden = Golden::load(kModels / model.toStdString() / "inside.safetensors");
    const std::vector<TokenId> prompt = promptOf(model);
    const int tokens = static_cast<int>(prompt.size());
    EventQueue unheard;
    const auto engine = load(model, kernels, unheard);
    const int layers = engine->description().model.layers, heads = engine->description().model.heads;
    for (int layer = 0; layer < layers; ++layer) {
      const auto map = engine->lookInside(prompt, {.layer = layer, .head = layer % heads}).attention;
      const double worst = worstDifference(map, golden.floats("attention." + std::to_string(layer)).values);
      QVERIFY2(worst <= kTolerance, qPrintable(QString("attention of layer %1: %2").arg(layer).arg(worst)));
      QVERIFY(worstSum(map, 0, tokens) <= 1e-5);
    }
    const InsideReport last = engine->lookInside(prompt, {.exitTop = kTop, .layer = layers - 1, .head = -1});
    QVERIFY(worstDifference(last.attention, golden.floats("attention.mean").values) <= kTolerance);
    QCOMPARE(last.exits.size(), static_cast<std::size_t>(layers) + 1);
    for (int layer = 0; layer <= layers; ++layer) {
      const QString wrong = differenceOfExit(last.exits[static_cast<std::size_t>(layer)], golden, layer);
      QVERIFY2(wrong.isEmpty(), qPrintable(QString("exit %1: %2").arg(layer).arg(wrong)));
    }
  }

  // The flash kernel never holds the map: it is computed beside it, and is the same.
  void bothKernelsHaveOneMap() {
    EventQueue unheard;
    const std::vector<TokenId> prompt = promptOf(QStringLiteral("qwen3"));
    const InsideOptions options{.layer = 1, .head = 2};
    const auto flash = load(QStringLiteral("qwen3"), Kernels::kNative, unheard, "flash");
    const auto plain = load(QStringLiteral("qwen3"), Kernels::kNative, unheard, "reference");
    const double worst = worstDifference(flash->lookInside(prompt, options).attention,
                                         plain->lookInside(prompt, options).attention);
    QVERIFY2(worst <= kTolerance, qPrintable(QString::number(worst)));
  }

  // A part of the tokens gives the same rows as all of them.
  void aPartIsAPartOfTheWhole() {
    EventQueue unheard;
    const QString model = QStringLiteral("qwen2-sliding");
    const auto engine = load(model, Kernels::kNative, unheard);
    const std::vector<TokenId> prompt = promptOf(model);
    const int tokens = static_cast<int>(prompt.size());
    const InsideReport whole = engine->lookInside(prompt, {.exitTop = 2, .layer = 2, .head = 1});
    for (const int from : {1, 6, 7, 20, tokens - 1}) {
      const InsideReport part = engine->lookInside(
          prompt, {.exitTop = 2, .exitsFrom = from, .layer = 2, .head = 1, .attentionFrom = from});
      QCOMPARE(part.attention.size(), static_cast<std::size_t>((tokens - from) * tokens));
      QVERIFY(
          std::equal(part.attention.begin(), part.attention.end(), whole.attention.begin() + from * tokens));
      for (std::size_t layer = 0; layer < whole.exits.size(); ++layer) {
        QCOMPARE(part.exits[layer].size(), static_cast<std::size_t>(tokens - from));
        for (std::size_t row = 0; row < part.exits[layer].size(); ++row)
          for (std::size_t k = 0; k < 2; ++k) {
            const ExitGuess &mine = part.exits[layer][row][k],
                            &all = whole.exits[layer][row + static_cast<std::size_t>(from)][k];
            QVERIFY(mine.token == all.token && mine.logprob == all.logprob);
          }
      }
    }
  }

  // The last exit is the model itself, and the norms are those of the hidden states.
  void agreesWithExamine() {
    EventQueue unheard;
    const QString model = QStringLiteral("llama");
    const auto engine = load(model, Kernels::kNative, unheard);
    const std::vector<TokenId> prompt = promptOf(model);
    const ForwardReport report = engine->examine(prompt, true);
    const InsideReport inside = engine->lookInside(prompt, {.exitTop = 1, .hiddenStates = true});
    QCOMPARE(inside.hidden, report.hidden);
    for (std::size_t t = 0; t < prompt.size(); ++t) {
      const auto& row = report.logits[t];
      QCOMPARE(inside.exits.back()[t].front().token,
               static_cast<TokenId>(std::ranges::max_element(row) - row.begin()));
    }
    const auto width = report.hidden[0].size() / prompt.size();
    for (std::size_t layer = 0; layer < report.hidden.size(); ++layer)
      for (std::size_t t = 0; t < prompt.size(); ++t) {
        double square = 0;
        for (std::size_t i = 0; i < width; ++i)
          square += std::pow(double{report.hidden[layer][t * width + i]}, 2);
        QVERIFY(std::abs(std::sqrt(square) - double{inside.norms[layer][t]}) <= 1e-5 * std::sqrt(square));
      }
  }

  void differencesAreTheLargestOfEachLayer() {
    InsideReport a, b;
    a.hidden = {{1, 2, 3}, {4, 5, 6}};
    b.hidden = {{1, 2.5, 3}, {4, 4, 8}};
    QCOMPARE(largestDifferences(a, b), (std::vector<double>{0.5, 2}));
    b.hidden[1].pop_back();
    QVERIFY(largestDifferences(a, b).empty());
    QVERIFY(largestDifferences(a, {}).empty());
  }

  void refusesWhatIsNotThere() {
    EventQueue unheard;
    const auto engine = load(QStringLiteral("llama"), Kernels::kNative, unheard);
    const std::vector<TokenId> prompt{5, 6, 7};
    for (const InsideOptions& options :
         {InsideOptions{.exitTop = -1}, InsideOptions{.exitTop = 1, .exitsFrom = 3},
          InsideOptions{.exitTop = 1, .exitsFrom = -1}, InsideOptions{.layer = 3}, InsideOptions{.layer = -2},
          InsideOptions{.layer = 0, .head = 4}, InsideOptions{.layer = 0, .head = -2},
          InsideOptions{.layer = 0, .attentionFrom = 3}})
      QVERIFY_EXCEPTION_THROWN(engine->lookInside(prompt, options), EngineError);
    QVERIFY_EXCEPTION_THROWN(engine->lookInside({}, {}), EngineError);
    QVERIFY_EXCEPTION_THROWN(engine->lookInside(std::vector<TokenId>{100'000}, {}), EngineError);
  }

  void canBeCancelled() {
    EventQueue unheard;
    const auto engine = load(QStringLiteral("llama"), Kernels::kNative, unheard);
    const std::vector<TokenId> prompt = promptOf(QStringLiteral("llama"));
    double done = 0;
    const auto stopHalfway = [&](double fraction, const char*) { return (done = fraction) < 0.5; };
    QVERIFY_EXCEPTION_THROWN(engine->lookInside(prompt, {.exitTop = 1}, stopHalfway), EngineError);
    QVERIFY(done >= 0.5 && done < 0.6);
    engine->lookInside(prompt, {.exitTop = 1}, [&](double fraction, const char*) {
      done = fraction;
      return true;
    });
    QCOMPARE(done, 1.0);
  }
};

QTEST_APPLESS_MAIN(TestInside)
#include "tst_inside.moc"
