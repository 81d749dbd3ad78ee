// Blocks of quantized weights against gguf-py: the floats of tests/golden/gguf/blocks.safetensors, to the
// bit.
#include "core/block_types.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <vector>

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
    for (int type = 3; type < kBlockTypes; ++type) {
      const auto kind = static_cast<BlockType>(type);
      const BlockTypeInfo& info = blockTypeInfo(kind);
      std::vector<std::byte> bytes = bytesOf(m_golden, info.name);
      const std::int64_t count = std::int64_t(bytes.size()) / info.bytes * info.length;
      std::byte* const second = bytes.data() + info.bytes;
      const std::vector<std::int64_t> places = kind == BlockType::kMxfp4 ? std::vector<std::int64_t>{0}
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

  void namesAndNumbers() {
    QCOMPARE(blockTypeName(12), std::string("Q4_K"));
    QCOMPARE(blockTypeName(10), std::string("Q2_K"));
    QCOMPARE(blockTypeName(99), std::string("number 99"));
    QVERIFY(!blockTypeOf(10));
    QVERIFY(blockTypeOf(39) == BlockType::kMxfp4);
  }
};

QTEST_APPLESS_MAIN(TestBlockTypes)
#include "tst_block_types.moc"
