// The rotary angles against closed formulas in double precision, and the places where a scaling changes its
// mind.
#include "models/rope.h"

#include <cmath>
#include <numbers>

#include <QTest>

using namespace vitrine;

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

bool close(double got, double wanted, double relative = 1e-6) {
  return std::abs(got - wanted) <= relative * std::abs(wanted);
}

RopeFrequencies plain(double theta, int headDim) { return ropeFrequencies({.theta = theta}, headDim); }

}  // namespace

class TestRope : public QObject {
  Q_OBJECT

 private slots:
  void defaultFrequencies() {
    for (const double theta : {10000.0, 500000.0, 1000000.0})
      for (const int headDim : {2, 12, 64, 128}) {
        const RopeFrequencies got = plain(theta, headDim);
        QCOMPARE(static_cast<int>(got.inverse.size()), headDim / 2);
        QCOMPARE(got.inverse[0], 1.0f);
        QCOMPARE(got.attentionScaling, 1.0f);
        for (int i = 0; i < headDim / 2; ++i)
          QVERIFY(close(got.inverse[i], std::pow(theta, -2.0 * i / headDim)));
      }
  }

  void linearDividesEveryFrequency() {
    const auto base = plain(1e4, 64);
    const auto got = ropeFrequencies({.kind = RopeKind::kLinear, .factor = 3}, 64);
    for (int i = 0; i < 32; ++i) QCOMPARE(got.inverse[i], base.inverse[i] / 3.0f);
  }

  // Within the context, which is all that is computed, dynamic stretches nothing.
  void dynamicIsPlain() {
    const RopeConfig rope = {
        .kind = RopeKind::kDynamic, .theta = 5e5, .factor = 4, .originalContextLength = 16};
    QCOMPARE(ropeFrequencies(rope, 64).inverse, plain(5e5, 64).inverse);
    QCOMPARE(ropeFrequencies(rope, 64).attentionScaling, 1.0f);
  }

  void longRopeDividesByOneOfTwoLists() {
    RopeConfig rope = {
        .kind = RopeKind::kLongRope, .theta = 1e4, .factor = 32, .originalContextLength = 4096};
    rope.shortFactors = {1, 1.25f, 1.5f, 2};
    rope.longFactors = {1, 4, 16, 64};
    for (const bool takesLong : {false, true}) {
      rope.takesLong = takesLong;
      const RopeFrequencies got = ropeFrequencies(rope, 8);
      QCOMPARE(got.inverse.size(), std::size_t{4});
      for (int i = 0; i < 4; ++i)
        QVERIFY(close(
            got.inverse[i],
            std::pow(1e4, -i / 4.0) / (takesLong ? rope.longFactors : rope.shortFactors)[std::size_t(i)]));
      QVERIFY(close(got.attentionScaling, std::sqrt(1 + std::log(32.0) / std::log(4096.0))));
    }
    rope.attentionFactor = 1.5;
    QCOMPARE(ropeFrequencies(rope, 8).attentionScaling, 1.5f);
    rope.attentionFactor = 0;
    rope.factor = 1;
    QCOMPARE(ropeFrequencies(rope, 8).attentionScaling, 1.0f);
  }

  void llama3StretchesLongWavesOnly() {
    // Llama 3.2's own numbers: waves shorter than 8192/4 stay, longer than 8192/1 are stretched 32 times.
    const RopeConfig rope = {
        .kind = RopeKind::kLlama3, .theta = 5e5, .factor = 32, .originalContextLength = 8192};
    const auto base = plain(5e5, 64), got = ropeFrequencies(rope, 64);
    int kept = 0, stretched = 0, between = 0;
    for (int i = 0; i < 32; ++i) {
      const double wave = kTurn / base.inverse[i], ratio = got.inverse[i] / base.inverse[i];
      if (wave < 2048) {
        ++kept;
        QCOMPARE(got.inverse[i], base.inverse[i]);
      } else if (wave > 8192) {
        ++stretched;
        QVERIFY(close(ratio, 1.0 / 32));
      } else {
        ++between;
        const double blend = (8192 / wave - 1) / 3;
        QVERIFY(close(ratio, (1 - blend) / 32 + blend, 1e-5));
      }
    }
    QVERIFY(kept > 5 && stretched > 5 && between > 1);
  }

  void yarnKeepsFastWavesAndStretchesSlowOnes() {
    RopeConfig rope = {.kind = RopeKind::kYarn, .theta = 1e6, .factor = 4, .originalContextLength = 32768};
    const auto base = plain(1e6, 128), got = ropeFrequencies(rope, 128);
    // Pair at which a wave turns r times in the original context.
    const auto pairAt = [](double r) { return 128 * std::log(32768 / (r * kTurn)) / (2 * std::log(1e6)); };
    const double low = std::floor(pairAt(32)), high = std::ceil(pairAt(1));
    QVERIFY(low > 0 && high < 63);
    for (int i = 0; i < 64; ++i) {
      const double stretch = std::min(1.0, std::max(0.0, (i - low) / (high - low)));
      QVERIFY(close(got.inverse[i], base.inverse[i] * (1 - stretch + stretch / 4), 1e-5));
    }
    QCOMPARE(got.inverse[0], base.inverse[0]);
    QVERIFY(close(got.attentionScaling, 0.1 * std::log(4.0) + 1));

    rope.truncate = false;
    const auto exact = ropeFrequencies(rope, 128);
    const double exactLow = pairAt(32), exactHigh = pairAt(1);
    const int middle = static_cast<int>((exactLow + exactHigh) / 2);
    const double stretch = (middle - exactLow) / (exactHigh - exactLow);
    QVERIFY(close(exact.inverse[middle], base.inverse[middle] * (1 - stretch + stretch / 4), 1e-5));
    QVERIFY(exact.inverse[middle] != got.inverse[middle]);
  }

  void yarnAttentionScaling() {
    RopeConfig rope = {.kind = RopeKind::kYarn, .factor = 40, .originalContextLength = 4096};
    const auto scaling = [&] { return double{ropeFrequencies(rope, 64).attentionScaling}; };
    rope.mscale = 0.707;  // only one of the two: passed over
    QVERIFY(close(scaling(), 0.1 * std::log(40.0) + 1));
    rope.mscaleAllDim = 1;
    QVERIFY(close(scaling(), (0.0707 * std::log(40.0) + 1) / (0.1 * std::log(40.0) + 1)));
    rope.attentionFactor = 1.25;
    QCOMPARE(scaling(), 1.25);
    rope = {.kind = RopeKind::kYarn, .factor = 0.5, .originalContextLength = 4096};
    QCOMPARE(scaling(), 1.0);  // nothing was stretched
  }

  void yarnRampOfNoWidth() {
    // So short a context that both ends of the ramp fall on pair 0: the first pair keeps its pace, the others
    // stretch.
    const auto got = ropeFrequencies({.kind = RopeKind::kYarn, .factor = 2, .originalContextLength = 2}, 16);
    const auto base = plain(1e4, 16);
    QCOMPARE(got.inverse[0], base.inverse[0]);
    for (int i = 1; i < 8; ++i) QCOMPARE(got.inverse[i], base.inverse[i] / 2);
  }

  void tablesHoldCosAndSinOfEachPosition() {
    const RopeFrequencies frequencies = {{1.0f, 0.25f, 0.001f}, 1.5f};
    std::vector<float> cos(4 * 3), sin(4 * 3);
    fillRopeTable(frequencies, 1000, cos, sin);
    for (int row = 0; row < 4; ++row)
      for (int i = 0; i < 3; ++i) {
        const double angle = (1000.0 + row) * frequencies.inverse[i];
        QVERIFY(std::abs(cos[row * 3 + i] - 1.5 * std::cos(angle)) < 1e-4);
        QVERIFY(std::abs(sin[row * 3 + i] - 1.5 * std::sin(angle)) < 1e-4);
      }
    fillRopeTable(frequencies, 0, cos, sin);
    QCOMPARE(cos[0], 1.5f);
    QCOMPARE(sin[0], 0.0f);
  }
};

QTEST_APPLESS_MAIN(TestRope)
#include "tst_rope.moc"
