// Tiles of a GGUF file's blocks, as the CUDA backend keeps them: whatever a warp reads of one is, rounded to
// bfloat16, the number that decodeBlocks() gives, to the bit. The reading here is block_tile.cuh's, which no
// machine without a GPU can run.
#include "backends/cuda/block_tiles.h"

#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>

#include "formats/small_floats.h"
#include "support/random_blocks.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTest>

using namespace vitrine;
using namespace vitrine::cuda;
using namespace vitrine::test;

namespace {

using Matrix = RandomMatrix;

// Random bits; among the scales and minimums zeros of both signs, the smallest and the largest.
Matrix randomMatrix(BlockType type, std::int64_t out, std::int64_t in, std::mt19937& random) {
  Matrix matrix(type, out, in, random);
  if (isFloat(type) || type == BlockType::kMxfp4) return matrix;
  const BlockTypeInfo& info = blockTypeInfo(type);
  const std::size_t at = type == BlockType::kQ2K   ? 80
                         : type == BlockType::kQ3K ? 108
                         : type == BlockType::kQ6K ? 208
                                                   : 0;
  constexpr std::uint16_t kEdges[] = {0, 0x8000, 1, 0x8001, 0x7BFF, 0xFBFF, 0x03FF, 0x3555};
  for (std::size_t block = 0; block < matrix.bytes.size(); block += static_cast<std::size_t>(info.bytes))
    for (std::size_t half = 0; half < (info.hasOffset ? 2 : 1); ++half)
      if (random() % 3 == 0)
        std::memcpy(matrix.bytes.data() + block + at + 2 * half, &kEdges[random() % std::size(kEdges)], 2);
  return matrix;
}

// As block_tile.cuh reads it.
class ReadTile {
 public:
  ReadTile(TileFormat format, const std::byte* tile)
      : m_format(format), m_layout(blockTileLayout(format)), m_tile(tile) {}

  std::uint16_t weightAt(int output, int input) const {
    const int lane = output * 4 + input % 8 / 2, square = input / 8, half = square / 2,
              byte = input % 2 * 2 + square % 2;
    const float code = wholeNumber(wordOf(lane, half), byte, m_layout.bias);
    const std::byte* const scales = m_tile + m_layout.codeBytes();
    const float scale = halfAt(scales + output * (hasOffset() ? 4 : 2));
    if (!hasOffset()) return floatToBf16(scale * code);
    const float minimum = halfAt(scales + output * 4 + 2);
    float scaleBy, minimumBy;
    if (m_format == TileFormat::kOffset4) {
      const auto both = valueAt<std::uint16_t>(scales + 32 + 2 * output);
      scaleBy = wholeNumber(both, 0, 0);
      minimumBy = wholeNumber(both, 1, 0);
    } else {
      const auto all = valueAt<std::uint32_t>(scales + 32 + 4 * output);
      scaleBy = wholeNumber(all, half, kByteBias);
      minimumBy = wholeNumber(all, 2 + half, 0);
    }
    return floatToBf16(std::fmaf(scale * scaleBy, code, -(minimum * minimumBy)));
  }

 private:
  bool hasOffset() const { return m_format == TileFormat::kOffset4 || m_format == TileFormat::kOffset6; }
  template <class Value>
  static Value valueAt(const std::byte* at) {
    Value value;
    std::memcpy(&value, at, sizeof(Value));
    return value;
  }
  static float halfAt(const std::byte* at) { return halfToFloat(valueAt<std::uint16_t>(at)); }
  static float wholeNumber(std::uint32_t bytes, int i, int bias) {
    const std::uint32_t lifted = 0x4B000000u | (bytes >> (8 * i) & 0xFFu);
    return std::bit_cast<float>(lifted) - (8388608.0f + static_cast<float>(bias));
  }
  std::uint32_t wordOf(int lane, int half) const {
    if (m_layout.bits == 8) return valueAt<std::uint32_t>(m_tile + lane * 8 + half * 4);
    const auto pairs = valueAt<std::uint32_t>(m_tile + lane * 4);
    std::uint32_t word = pairs >> (4 * half) & 0x0F0F0F0Fu;
    if (m_layout.bits == 4) return word;
    const std::uint32_t upper = valueAt<std::uint16_t>(m_tile + 128 + lane * 2);
    word |= (half == 0 ? upper << 4 | upper << 18 : upper | upper << 14) & 0x30303030u;
    return word;
  }

  const TileFormat m_format;
  const BlockTileLayout m_layout;
  const std::byte* const m_tile;
};

std::vector<WeightRows> blocksOf(const std::vector<Matrix>& parts) {
  std::vector<WeightRows> rows;
  for (const Matrix& part : parts) rows.push_back(part.blocks());
  return rows;
}

// What is wrong with the matrix's tiles from row of tiles `first` on; empty: nothing.
QString differenceOf(const std::vector<Matrix>& parts, TileFormat format, std::int64_t first) {
  std::int64_t outputs = 0;
  for (const Matrix& part : parts) outputs += part.out;
  const std::int64_t depth = parts[0].in / kTileInputs, each = blockTileLayout(format).bytes();
  const std::int64_t rows = (outputs + kTileOutputs - 1) / kTileOutputs - first;
  std::vector<std::byte> tiles(static_cast<std::size_t>(rows * depth * each), std::byte{0xA5});
  ThreadPool pool(3);
  fillBlockTiles(blocksOf(parts), format, first, tiles, pool);
  std::int64_t output = 0;
  for (const Matrix& part : parts)
    for (std::int64_t row = 0; row < part.out; ++row, ++output) {
      const std::int64_t tileRow = output / kTileOutputs - first;
      if (tileRow < 0) continue;
      std::vector<float> floats(static_cast<std::size_t>(part.in));
      decodeBlocks(part.type, part.bytes.data() + row * rowBytes(part.type, part.in), floats);
      for (std::int64_t i = 0; i < part.in; ++i) {
        const ReadTile tile(format, tiles.data() + (tileRow * depth + i / kTileInputs) * each);
        const std::uint16_t got =
            tile.weightAt(static_cast<int>(output % kTileOutputs), static_cast<int>(i % kTileInputs));
        const std::uint16_t wanted = floatToBf16(floats[static_cast<std::size_t>(i)]);
        if (got != wanted)
          return QString("%1, output %2, input %3: %4, not %5")
              .arg(blockTypeInfo(part.type).name)
              .arg(output)
              .arg(i)
              .arg(got, 4, 16)
              .arg(wanted, 4, 16);
      }
    }
  return {};
}

}  // namespace

class TestBlockTiles : public QObject {
  Q_OBJECT

 private slots:
  void everyTypeAlone_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<double>("bits");  // of a weight; 0: it is kept as numbers
    const auto row = [](BlockType type, double bits) {
      QTest::addRow("%s", blockTypeInfo(type).name) << static_cast<int>(type) << bits;
    };
    using enum BlockType;
    row(kQ80, 8.5);
    row(kQ40, 4.5);
    row(kQ41, 5.5);
    row(kQ50, 8);
    row(kQ51, 8);
    row(kQ2K, 8);
    row(kQ3K, 8);
    row(kQ4K, 5.5);
    row(kQ5K, 8);
    row(kQ6K, 8);
    for (const BlockType type : {kF32, kF16, kBf16, kIq4Nl, kIq4Xs, kMxfp4}) row(type, 0);
  }
  void everyTypeAlone() {
    QFETCH(int, type);
    QFETCH(double, bits);
    std::mt19937 random(static_cast<unsigned>(type));
    // The second part begins within a tile, and the last tile is not full.
    std::vector<Matrix> parts;
    for (const std::int64_t out : {13, 3, 25})
      parts.push_back(randomMatrix(static_cast<BlockType>(type), out, 768, random));
    const auto format = tileFormatOf(blocksOf(parts));
    QCOMPARE(format.has_value(), bits > 0);
    if (!format) return;
    QCOMPARE(blockTileLayout(*format).bytes() * 8.0 / (kTileOutputs * kTileInputs), bits);
    for (const std::int64_t first : {0, 2}) {
      const QString difference = differenceOf(parts, *format, first);
      QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
  }

  void severalTypesTogether_data() {
    QTest::addColumn<QList<int>>("types");
    QTest::addColumn<int>("format");  // -1: none
    const auto row = [](const char* name, const QList<BlockType>& types, int format) {
      QList<int> numbers;
      for (const BlockType type : types) numbers.append(static_cast<int>(type));
      QTest::addRow("%s", name) << numbers << format;
    };
    using enum BlockType;
    const int six = static_cast<int>(TileFormat::kOffset6);
    row("Q4_K_M", {kQ4K, kQ4K, kQ6K}, six);
    row("Q5_K_M", {kQ5K, kQ5K, kQ6K}, six);
    row("Q3_K_M", {kQ3K, kQ3K, kQ5K}, six);
    row("Q2_K", {kQ2K, kQ2K, kQ3K}, six);
    row("old types", {kQ40, kQ41, kQ50, kQ51}, six);
    row("four bits and an offset", {kQ41, kQ4K}, static_cast<int>(TileFormat::kOffset4));
    row("without offsets", {kQ40, kQ80, kQ50}, static_cast<int>(TileFormat::kScaled8));
    row("eight bits beside a K type", {kQ80, kQ4K}, -1);
    row("floats beside blocks", {kQ40, kF16}, -1);
    row("values from a table", {kQ40, kIq4Nl}, -1);
  }
  void severalTypesTogether() {
    QFETCH(QList<int>, types);
    QFETCH(int, format);
    std::mt19937 random(7);
    std::vector<Matrix> parts;
    for (const int type : types) parts.push_back(randomMatrix(static_cast<BlockType>(type), 11, 512, random));
    const auto found = tileFormatOf(blocksOf(parts));
    QCOMPARE(found ? static_cast<int>(*found) : -1, format);
    if (!found) return;
    const QString difference = differenceOf(parts, *found, 0);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void anErrorInReadingComesThrough() {
    WeightRows rows{BlockType::kQ80, 64, 64, [](std::int64_t first, std::span<std::byte>) {
                      if (first >= 40) throw std::runtime_error("the file has ended");
                    }};
    std::vector<std::byte> tiles(
        static_cast<std::size_t>(8 * 2 * blockTileLayout(TileFormat::kScaled8).bytes()));
    ThreadPool pool(4);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error,
                             fillBlockTiles({&rows, 1}, TileFormat::kScaled8, 0, tiles, pool));
  }
};

QTEST_APPLESS_MAIN(TestBlockTiles)
#include "tst_block_tiles.moc"
