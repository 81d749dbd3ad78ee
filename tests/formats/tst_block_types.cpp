// Blocks of quantized weights against gguf-py: the floats of tests/golden/gguf/blocks.safetensors, to the
// bit.
#include "formats/block_types.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>
#include <vector>

#include "formats/block_encode.h"
#include "support/golden.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::vector<std::byte> bytesOf(const Golden& golden, const std::string& type) {
  std::vector<std::byte> bytes;
  for (const std::int64_t byte : golden.integers(type + ".bytes").values)
    bytes.push_back(static_cast<std::byte>(byte));
  return bytes;
}

}  // namespace

class TestBlockTypes : public QObject {
  Q_OBJECT

  const Golden m_golden =
      Golden::load(std::filesystem::path(VITRINE_SOURCE_DIR) / "tests/golden/gguf/blocks.safetensors");

 private slots:
  void decodesAsGgufPyDoes_data() {
    QTest::addColumn<int>("type");
    for (int type = 1; type < kBlockTypes; ++type)  // float32 is itself
      QTest::addRow("%s", blockTypeInfo(static_cast<BlockType>(type)).name) << type;
  }
  void decodesAsGgufPyDoes() {
    QFETCH(int, type);
    const auto kind = static_cast<BlockType>(type);
    const BlockTypeInfo& info = blockTypeInfo(kind);
    const std::vector<std::byte> bytes = bytesOf(m_golden, info.name);
    const std::vector<float>& wanted = m_golden.floats(std::string(info.name) + ".floats").values;
    QVERIFY(wanted.size() >= 128);
    QCOMPARE(rowBytes(kind, static_cast<std::int64_t>(wanted.size())), std::int64_t(bytes.size()));
    std::vector<float> got(wanted.size());
    decodeBlocks(kind, bytes.data(), got);
    for (std::size_t i = 0; i < got.size(); ++i)
      if (std::memcmp(&got[i], &wanted[i], sizeof(float)) != 0 && !(got[i] == 0 && wanted[i] == 0))
        QFAIL(qPrintable(QString("weight %1 is %2, not %3").arg(i).arg(got[i]).arg(wanted[i])));
    if (!isFloat(kind)) QCOMPARE(firstUnfitBlock(kind, bytes.data(), std::int64_t(wanted.size())), -1);
  }

  void float32IsItself() {
    const float values[] = {1.5f, -0.25f};
    float got[2];
    decodeBlocks(BlockType::kF32, reinterpret_cast<const std::byte*>(values), got);
    QVERIFY(std::memcmp(got, values, sizeof got) == 0);
  }

  // A scale that is no number makes weights that are none; the check finds it by its block.
  void unfitScalesAreFound() {
    for (int type = int(BlockType::kQ80); type < kBlockTypes; ++type) {
      const auto kind = static_cast<BlockType>(type);
      const BlockTypeInfo& info = blockTypeInfo(kind);
      std::vector<std::byte> bytes = bytesOf(m_golden, info.name);
      const std::int64_t count = std::int64_t(bytes.size()) / info.bytes * info.length;
      std::byte* const second = bytes.data() + info.bytes;
      const std::vector<std::int64_t> places = kind == BlockType::kMxfp4 ? std::vector<std::int64_t>{0}
                                               : kind == BlockType::kQ2K ? std::vector<std::int64_t>{81, 83}
                                               : kind == BlockType::kQ3K ? std::vector<std::int64_t>{109}
                                               : kind == BlockType::kQ6K ? std::vector<std::int64_t>{209}
                                               : info.hasOffset          ? std::vector<std::int64_t>{1, 3}
                                                                         : std::vector<std::int64_t>{1};
      for (const std::int64_t place : places) {
        const std::byte kept = second[place];
        second[place] = kind == BlockType::kMxfp4 ? std::byte{253} : std::byte{0x7c};
        QCOMPARE(firstUnfitBlock(kind, bytes.data(), count), 1);
        second[place] = kept;
      }
      std::vector<float> floats(static_cast<std::size_t>(count));
      decodeBlocks(kind, bytes.data(), floats);
      for (const float value : floats) QVERIFY(std::isfinite(value));
    }
  }

  void encodesAsGgufPyDoes() {
    const std::vector<float>& plain = m_golden.floats("plain").values;
    for (const BlockType type : {BlockType::kQ80, BlockType::kQ40}) {
      std::vector<std::byte> got(static_cast<std::size_t>(rowBytes(type, std::int64_t(plain.size()))));
      encodeBlocks(type, plain, got.data());
      std::vector<std::byte> wanted;
      for (const std::int64_t byte :
           m_golden.integers(std::string(blockTypeInfo(type).name) + ".encoded").values)
        wanted.push_back(static_cast<std::byte>(byte));
      QVERIFY(got == wanted);
    }
  }

  // Weights like a model's come back from Q4_K nearer than from Q4_0, and what it can hold comes back whole.
  void q4kIsNearerThanQ40() {
    std::mt19937 random(4);
    std::normal_distribution<float> draw(0.002f, 0.03f);
    std::vector<float> weights(256 * 64), back(weights.size());
    for (float& weight : weights) weight = draw(random);
    double errors[2] = {};
    for (const BlockType type : {BlockType::kQ40, BlockType::kQ4K}) {
      std::vector<std::byte> bytes(static_cast<std::size_t>(rowBytes(type, std::int64_t(weights.size()))));
      encodeBlocks(type, weights, bytes.data());
      decodeBlocks(type, bytes.data(), back);
      for (std::size_t i = 0; i < back.size(); ++i)
        errors[type == BlockType::kQ4K] += std::pow(double(back[i]) - double(weights[i]), 2);
    }
    const double root = std::sqrt(errors[1] / double(weights.size()));
    QVERIFY2(errors[1] < errors[0] && root < 0.08 * 0.03, qPrintable(QString::number(root / 0.03)));
    std::vector<std::byte> block(144);
    encodeBlocks(BlockType::kQ4K, std::vector<float>(256, 0.0f), block.data());
    decodeBlocks(BlockType::kQ4K, block.data(), std::span(back).first(256));
    for (int i = 0; i < 256; ++i) QCOMPARE(back[std::size_t(i)], 0.0f);
  }

  void floatsAreEncodedToo() {
    const std::vector<float> weights = {1.0f, -2.5f, 0.1f};
    for (const BlockType type : {BlockType::kF32, BlockType::kF16, BlockType::kBf16}) {
      std::vector<std::byte> bytes(static_cast<std::size_t>(rowBytes(type, 3)));
      std::vector<float> back(3);
      encodeBlocks(type, weights, bytes.data());
      decodeBlocks(type, bytes.data(), back);
      for (std::size_t i = 0; i < 3; ++i)
        QVERIFY(std::abs(back[i] - weights[i]) <= 0.004f * std::abs(weights[i]));
    }
  }

  void namesAndNumbers() {
    QCOMPARE(blockTypeName(12), std::string("Q4_K"));
    QCOMPARE(blockTypeName(10), std::string("Q2_K"));
    QCOMPARE(blockTypeName(21), std::string("IQ3_S"));
    QCOMPARE(blockTypeName(99), std::string("number 99"));
    QVERIFY(!blockTypeOf(21));
    QVERIFY(blockTypeOf(10) == BlockType::kQ2K && blockTypeOf(11) == BlockType::kQ3K &&
            blockTypeOf(23) == BlockType::kIq4Xs);
    QVERIFY(blockTypeOf(39) == BlockType::kMxfp4);
  }
};

QTEST_APPLESS_MAIN(TestBlockTypes)
#include "tst_block_types.moc"
