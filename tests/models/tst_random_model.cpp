// Random models: the same seed gives the same bytes, shapes are the real models', and nothing half-written
// stays.
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "formats/small_floats.h"
#include "models/checkpoint.h"
#include "models/decoder_harness.h"
#include "models/host_tensor.h"
#include "models/random_weights.h"
#include "models/safetensors_writer.h"
#include "vitrine/random_model.h"

#include <QTemporaryDir>
#include <QTest>

#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool same(const ModelConfig& a, const ModelConfig& b) {
  return configJson(a) == configJson(b) && a.attentionBias == b.attentionBias &&
         a.outputBias == b.outputBias && a.qkNorm == b.qkNorm && a.layerSlides == b.layerSlides &&
         a.slidingWindow == b.slidingWindow;
}

}  // namespace

class TestRandomModel : public QObject {
  Q_OBJECT

 private slots:
  void tinyModelLoadsAndRuns() {
    QTemporaryDir scratch;
    const fs::path directory = fs::path(scratch.path().toStdString()) / "new" / "model";
    double last = 0;
    makeRandomModel("tiny", directory, {.seed = 5}, [&](double fraction, const char*) {
      const bool rises = fraction >= last;
      last = fraction;
      return rises;
    });
    QCOMPARE(last, 1.0);
    const ModelConfig config = loadModelConfig(directory);
    QCOMPARE(config.storedType, DType::kBf16);
    const auto bytes = static_cast<std::int64_t>(fs::file_size(directory / "model.safetensors"));
    QVERIFY(bytes > 2 * config.parameters() &&
            bytes < 2 * config.parameters() + 8192);  // the weights and a header
    const auto logits = DecoderHarness(config, *openCheckpoint(directory), DType::kBf16).whole({1, 2, 3});
    QVERIFY(DecoderHarness(config, RandomWeights(config, 5, DType::kBf16), DType::kBf16).whole({1, 2, 3}) ==
            logits);
    for (const float logit : logits.back()) QVERIFY(std::isfinite(logit));
  }

  void bytesDependOnSeedAndTypeAlone() {
    QTemporaryDir scratch;
    const fs::path root = scratch.path().toStdString();
    makeRandomModel("tiny", root / "a", {.seed = 5});
    makeRandomModel("tiny", root / "b", {.seed = 5});
    makeRandomModel("tiny", root / "c", {.seed = 6});
    makeRandomModel("tiny", root / "d", {.seed = 5, .type = RandomModelType::kF32});
    makeRandomModel("tiny", root / "e", {.seed = 5, .type = RandomModelType::kF16});
    const auto bytes = [&](const char* name) { return contents(root / name / "model.safetensors"); };
    QVERIFY(bytes("a") == bytes("b"));
    QVERIFY(bytes("a") != bytes("c"));
    QCOMPARE(loadModelConfig(root / "d").storedType, DType::kF32);
    QCOMPARE(loadModelConfig(root / "e").storedType, DType::kF16);
    QVERIFY(bytes("d").size() > 1.9 * bytes("a").size());
  }

  void presetsHaveTheRealSizes() {
    const std::map<std::string, std::int64_t> published = {{"qwen3-0.6b", 596'049'920},
                                                           {"qwen2-0.5b", 494'032'768},
                                                           {"tinyllama-1.1b", 1'100'048'384},
                                                           {"llama-3.2-1b", 1'235'814'400},
                                                           {"mistral-7b", 7'241'732'096}};
    std::map<std::string, std::int64_t> seen;
    for (const std::string& name : randomModelPresets()) {
      QTemporaryDir scratch;
      const fs::path directory = scratch.path().toStdString();
      // Stopped at the first chunk, so that gigabytes stay unwritten: what was begun must be gone.
      VERIFY_REFUSED(makeRandomModel(name, directory, {}, [](double, const char*) { return false; }),
                     "cancelled", "");
      QVERIFY(fs::is_empty(directory));
      seen[name] = randomModelConfig(name).parameters();
    }
    for (const auto& [name, parameters] : published) QCOMPARE(seen.at(name), parameters);
    QVERIFY(seen.contains("tiny"));
  }

  void configsSurviveTheirFile() {
    for (const std::string& name : randomModelPresets()) {
      const ModelConfig config = randomModelConfig(name);
      QVERIFY2(same(parseModelConfig(configJson(config), "config.json"), config), name.c_str());
    }
    ModelConfig config = randomModelConfig("qwen3-0.6b");
    config.slidingWindow = 64;
    config.layerSlides[3] = config.layerSlides[9] = true;
    config.attentionBias = config.outputBias = true;
    config.rope = {.kind = RopeKind::kYarn,
                   .theta = 1e6,
                   .factor = 4,
                   .betaFast = 16,
                   .attentionFactor = 1.25,
                   .mscale = 0.5,
                   .truncate = false,
                   .originalContextLength = 128};
    const ModelConfig read = parseModelConfig(configJson(config), "config.json");
    QVERIFY(same(read, config));
    QCOMPARE(read.rope.attentionFactor, 1.25);
    QCOMPARE(read.rope.truncate, false);
  }

  void refusals() {
    QTemporaryDir scratch;
    const fs::path root = scratch.path().toStdString();
    VERIFY_REFUSED(makeRandomModel("gpt-9", root / "x"), "invalid_argument", "gpt-9");
    QVERIFY(!fs::exists(root / "x"));
    std::ofstream(root / "precious") << "mine";
    VERIFY_REFUSED(makeRandomModel("tiny", root), "invalid_argument", "is not empty");
    QCOMPARE(contents(root / "precious"), std::string("mine"));
    VERIFY_REFUSED(makeRandomModel("tiny", root / "precious" / "x"), "io", "precious");
  }

  void cancellingHalfWayLeavesNothing() {
    QTemporaryDir scratch;
    const fs::path directory = scratch.path().toStdString();
    int calls = 0;
    VERIFY_REFUSED(makeRandomModel("tiny", directory, {}, [&](double, const char*) { return ++calls < 8; }),
                   "cancelled", "");
    QCOMPARE(calls, 8);
    QVERIFY(fs::is_empty(directory));
  }

  void aFullDiskIsSaidAndLeavesNothing() {
    // A limit on the size of files stands in for a full disk; its signal would end the program.
    QTemporaryDir scratch;
    const fs::path directory = scratch.path().toStdString();
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{40'000, before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string said = refusal([&] { makeRandomModel("tiny", directory); });
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    QVERIFY2(said.starts_with("io: ") && said.find("model.safetensors") != std::string::npos, said.c_str());
    QVERIFY(fs::is_empty(directory));
    if (fs::exists("/dev/full")) {
      OutputFile full("/dev/full");
      VERIFY_REFUSED((full.write("bytes"), full.finish()), "io", "/dev/full");
    }
  }

  void theNoiseIsNormal() {
    const ModelConfig config = randomModelConfig("tiny");
    const TensorSpec tensor{"model.layers.0.mlp.up_proj.weight", 1000, 400};
    std::vector<float> values(tensor.elements());
    fillRandomWeights(tensor, config, 1, 0, values);
    double mean = 0, square = 0, fourth = 0;
    const double scale = 1.5 / std::sqrt(400.0);
    for (const float value : values) {
      const double z = value / scale;
      mean += z, square += z * z, fourth += z * z * z * z;
    }
    const double n = static_cast<double>(values.size());
    QVERIFY(std::abs(mean / n) < 0.01);
    QVERIFY(std::abs(square / n - 1) < 0.01);
    QVERIFY(std::abs(fourth / n - 3) < 0.05);
    std::vector<float> part(1000);
    fillRandomWeights(tensor, config, 1, 12345, part);
    QVERIFY(std::equal(part.begin(), part.end(), values.begin() + 12345));
  }

  void halvesRoundAsTheStandardSays() {
    for (int bits = 0; bits < 0x10000; ++bits) {
      const auto half = static_cast<std::uint16_t>(bits);
      const float wide = halfToFloat(half);
      if (std::isnan(wide)) {
        QVERIFY((half & 0x7c00) == 0x7c00 && (half & 0x3ff) != 0 &&
                std::isnan(halfToFloat(floatToHalf(wide))));
        continue;
      }
      QCOMPARE(floatToHalf(wide), half);
      if (!std::isinf(wide)) QCOMPARE(wide, bits & 0x8000 ? -std::abs(wide) : std::abs(wide));
      const float brain = bf16ToFloat(half);
      if (!std::isnan(brain)) QCOMPARE(floatToBf16(brain), half);
    }
    QCOMPARE(halfToFloat(0x3c00), 1.0f);
    QCOMPARE(halfToFloat(0xc580), -5.5f);
    QCOMPARE(halfToFloat(0x0001), 0x1p-24f);
    QCOMPARE(halfToFloat(0x7bff), 65504.0f);
    QCOMPARE(floatToHalf(1.0f + 0x1p-11f), std::uint16_t{0x3c00});  // a tie, to even
    QCOMPARE(floatToHalf(1.0f + 3 * 0x1p-11f), std::uint16_t{0x3c02});
    QCOMPARE(floatToHalf(2.0f - 0x1p-12f), std::uint16_t{0x4000});  // carries into the exponent
    QCOMPARE(floatToHalf(65519.0f), std::uint16_t{0x7bff});
    QCOMPARE(floatToHalf(65520.0f), std::uint16_t{0x7c00});
    QCOMPARE(floatToHalf(0x1p-25f), std::uint16_t{0});  // a tie, to even
    QCOMPARE(floatToHalf(-0x1.8p-25f), std::uint16_t{0x8001});
    QCOMPARE(floatToBf16(1.0f + 0x1p-8f), std::uint16_t{0x3f80});
    QCOMPARE(floatToBf16(1.0f + 3 * 0x1p-8f), std::uint16_t{0x3f82});
    QVERIFY(std::isnan(bf16ToFloat(floatToBf16(std::nanf("")))));
  }
};

QTEST_APPLESS_MAIN(TestRandomModel)
#include "tst_random_model.moc"
