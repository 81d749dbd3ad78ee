// Groups of weights as int8 and int4: how far off they may be, and what must come out exactly.
#include "formats/quantize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "formats/small_floats.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>

using namespace vitrine;

namespace {

struct Group {
  float scale = 0;
  std::array<std::int8_t, kQuantGroup> values{};
};

Group quantize(const std::vector<float>& weights, int bits) {
  Group group;
  group.scale = bf16ToFloat(quantizeGroup(weights, bits, group.values.data()));
  return group;
}

std::vector<float> normals(std::mt19937& random, std::size_t count, float deviation) {
  std::normal_distribution<float> draw(0, deviation);
  std::vector<float> weights(count);
  std::ranges::generate(weights, [&] { return draw(random); });
  return weights;
}

}  // namespace

class TestQuantize : public QObject {
  Q_OBJECT

 private slots:
  void everyWeightIsWithinHalfAStep() {
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
      const std::vector<float> weights = normals(random, 1 + static_cast<std::size_t>(round) % kQuantGroup,
                                                 std::ldexp(1.0f, round % 60 - 30));
      for (const int bits : {8, 4}) {
        const Group group = quantize(weights, bits);
        const int least = bits == 8 ? -127 : -8, most = bits == 8 ? 127 : 7;
        for (std::size_t i = 0; i < weights.size(); ++i) {
          const int value = group.values[i];
          QVERIFY(value >= least && value <= most);
          // int4 reaches to +-8 on one side only; and a scale that was rounded down does not quite reach the
          // largest.
          const float step = std::abs(group.scale),
                      error = std::abs(group.scale * static_cast<float>(value) - weights[i]);
          const bool atTheEnd = value == least || value == most;
          QVERIFY2(error <= step * (atTheEnd ? 1.01f : 0.501f), qPrintable(QString::number(error / step)));
        }
      }
    }
  }

  // A GPU quantizes to the same bits.
  void zerosOfEitherSignAreTheSame() {
    for (const int bits : {8, 4}) {
      const Group zeros = quantize(std::vector<float>(kQuantGroup, 0.0f), bits),
                  negative = quantize(std::vector<float>(kQuantGroup, -0.0f), bits);
      QCOMPARE(std::signbit(negative.scale), std::signbit(zeros.scale));
      QCOMPARE(negative.scale, 0.0f);
      QCOMPARE(negative.values, zeros.values);
    }
  }

  void wholeNumbersComeBack() {
    std::vector<float> eights(kQuantGroup), fours(kQuantGroup);
    for (int i = 0; i < static_cast<int>(kQuantGroup); ++i) {
      eights[static_cast<std::size_t>(i)] = static_cast<float>(i * 4 - 64) * 0.25f;
      fours[static_cast<std::size_t>(i)] = static_cast<float>(i % 16 - 8) * 0.5f;
    }
    eights.back() = 127 * 0.25f;
    for (float sign : {1.0f, -1.0f}) {
      for (auto* weights : {&eights, &fours}) {
        std::vector<float> signedWeights = *weights;
        for (float& weight : signedWeights) weight *= sign;
        std::vector<float> back = signedWeights;
        quantizeInPlace(back, weights == &eights ? 8 : 4);
        QVERIFY(back == signedWeights);
      }
    }
  }

  void eachGroupHasAScaleOfItsOwn() {
    std::vector<float> weights(kQuantGroup + 3, 1000.0f);
    std::fill_n(weights.begin(), kQuantGroup, 0.001f);
    std::vector<float> back = weights;
    quantizeInPlace(back, 8);
    for (std::size_t i = 0; i < weights.size(); ++i) QVERIFY(std::abs(back[i] / weights[i] - 1) < 0.005f);
  }

  // The products in int8 have wider groups.
  void aWiderGroupHasOneScale() {
    std::vector<float> weights(160, 0.001f);
    weights.front() = 1000.0f;
    std::vector<float> back = weights;
    quantizeInPlace(back, 8, 128);
    QVERIFY(std::all_of(back.begin() + 1, back.begin() + 128, [](float weight) { return weight == 0; }));
    for (std::size_t i = 128; i < back.size(); ++i) QVERIFY(std::abs(back[i] / weights[i] - 1) < 0.005f);
  }

  void zerosStayZerosAndNoNumberIsHidden() {
    for (const int bits : {8, 4}) {
      std::vector<float> weights(kQuantGroup, 0.0f);
      quantizeInPlace(weights, bits);
      QVERIFY(std::ranges::all_of(weights, [](float weight) { return weight == 0; }));
      for (const float odd :
           {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        weights.assign(kQuantGroup, 1.0f);
        weights[7] = odd;
        quantizeInPlace(weights, bits);
        QVERIFY(std::ranges::all_of(weights, [](float weight) { return std::isnan(weight); }));
      }
      weights.assign(5, std::numeric_limits<float>::denorm_min());
      quantizeInPlace(weights, bits);
      QVERIFY(std::ranges::all_of(weights, [](float weight) { return std::isfinite(weight); }));
    }
  }
};

QTEST_APPLESS_MAIN(TestQuantize)
#include "tst_quantize.moc"
