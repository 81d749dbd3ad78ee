// Copies of packed weights: the same bytes as packing gives for every format, whatever is wrong with a copy
// it is not used, and what the folder holds stays within its limits.
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "backends/cpu/mapped_copy.h"
#include "backends/cpu/packed_copies.h"
#include "core/checksum64.h"
#include "support/random_blocks.h"
#include "vitrine/error.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::cpu;
namespace fs = std::filesystem;

namespace {

constexpr CopyLimits kAll{.leastBytes = 1, .mostBytes = std::int64_t{1} << 30, .freePercent = 0};
constexpr CopyLimits kNone{};  // writes nothing as small as here
const CopyKey kKey{"a model\n", "of today"};

// Numbers that no library draws, so that a digest of what they become is the same everywhere.
std::vector<float> plainFloats(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(static_cast<std::int32_t>(state >> 8) - (1 << 23)) / (1 << 26);
  }
  return values;
}

struct Sample {
  std::string name;
  Compute compute = Compute::kF32;
  std::function<std::unique_ptr<PackedWeight>(ThreadPool&)> pack;
};

constexpr std::int64_t kOut = 70, kIn = 512;

// A matrix in every format, with the products that change how it lies.
std::vector<Sample> samples() {
  std::vector<Sample> all;
  const char* const formats[] = {"f32", "bf16", "f16", "int8", "int4"};
  for (int format = 0; format < kWeightFormats; ++format)
    for (const Compute compute : {Compute::kF32, Compute::kBf16, Compute::kInt8})
      all.push_back({std::string(formats[format]) + " " + nameOf(compute), compute, [=](ThreadPool& pool) {
                       const std::vector<float> floats = plainFloats(kOut * kIn);
                       const TensorView view(const_cast<float*>(floats.data()), DType::kF32, {kOut, kIn});
                       return std::make_unique<PackedWeight>(std::span(&view, 1), WeightFormat(format),
                                                             compute, pool);
                     }});
  for (int type = 0; type < kBlockTypes; ++type) {
    if (isFloat(BlockType(type))) continue;
    for (const Compute compute : {Compute::kF32, Compute::kInt8})
      all.push_back({std::string(blockTypeInfo(BlockType(type)).name) + " " + nameOf(compute), compute,
                     [=](ThreadPool& pool) {
                       std::mt19937 random(3);  // its numbers are the standard's
                       std::vector<std::byte> bytes(std::size_t(kOut * rowBytes(BlockType(type), kIn)));
                       for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
                       const WeightRows rows = rowsOf(BlockMatrix{BlockType(type), bytes.data(), kOut, kIn});
                       return std::make_unique<PackedWeight>(std::span(&rows, 1), compute, pool);
                     }});
  }
  // What a file keeps in several types, as q, k and v.
  all.push_back({"Q4_K over Q6_K over F16", Compute::kInt8, [](ThreadPool& pool) {
                   std::mt19937 random(4);
                   const RandomMatrix a(BlockType::kQ4K, 40, kIn, random),
                       b(BlockType::kQ6K, 33, kIn, random), c(BlockType::kF16, 7, kIn, random);
                   const WeightRows rows[] = {a.blocks(), b.blocks(), c.blocks()};
                   return std::make_unique<PackedWeight>(rows, Compute::kInt8, pool);
                 }});
  return all;
}

std::string bytesOf(const LinearWeight& weight, Compute compute) {
  std::string all;
  for (const PanelSegment& segment : static_cast<const PackedWeight&>(weight).segments()) {
    const SegmentBytes size = segmentBytes(segment.format, segment.outFeatures, weight.inFeatures, compute);
    all.append(static_cast<const char*>(segment.panels.get()), std::size_t(size.panels));
    if (size.scales > 0) all.append(static_cast<const char*>(segment.scales.get()), std::size_t(size.scales));
  }
  return all;
}

std::uint64_t digest(const std::string& bytes) { return checksum64(std::as_bytes(std::span(bytes)), 0); }

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path());
  return found;
}

class Folder {
 public:
  fs::path path() const { return fs::path(m_folder.path().toStdString()) / "packed"; }
  fs::path only() const { return filesIn(path()).at(0); }

 private:
  QTemporaryDir m_folder;
};

// What one start does: asks for a matrix, and packs it if there is no copy.
struct Start {
  Start(const fs::path& folder, const Sample& sample, const CopyKey& key = kKey, CopyLimits limits = kAll)
      : copies(folder, sample.compute, pool, limits) {
    copies.open(key);
    weight = copies.find("w", kOut + (sample.name.starts_with("Q4_K over") ? 10 : 0), kIn);
    wasFound = weight != nullptr;
    if (!wasFound) {
      weight = sample.pack(pool);
      copies.add("w", *weight);
    }
    came = copies.close();
    bytes = bytesOf(*weight, sample.compute);
  }
  std::string wait() { return copies.wait(); }

  ThreadPool pool{2};
  PackedCopies copies;
  std::unique_ptr<LinearWeight> weight;
  bool wasFound = false;
  PackedCopy came{};
  std::string bytes;
};

const Sample& smallSample() {
  static const Sample sample = samples().at(0);
  return sample;
}

// What each sample's panels and scales are, and the file of the first. Where one differs, the packing has
// changed: raise kPackedLayout, and put the new numbers here.
constexpr std::uint64_t kLayoutOfDigests = 1;
const std::map<std::string, std::uint64_t> kDigests = {
    {"IQ4_NL f32", 0x77db938f8c37e308}, {"IQ4_NL int8", 0x77db938f8c37e308},
    {"IQ4_XS f32", 0xbc93867a01d7cb0c}, {"IQ4_XS int8", 0xbc93867a01d7cb0c},
    {"MXFP4 f32", 0x4de480678e03e2d9},  {"MXFP4 int8", 0x4de480678e03e2d9},
    {"Q2_K f32", 0x8ebad7eecf08d1cf},   {"Q2_K int8", 0x8ebad7eecf08d1cf},
    {"Q3_K f32", 0xb891a90748e8479b},   {"Q3_K int8", 0xb891a90748e8479b},
    {"Q4_0 f32", 0x77db938f8c37e308},   {"Q4_0 int8", 0x77db938f8c37e308},
    {"Q4_1 f32", 0x56c3e05a86bf2448},   {"Q4_1 int8", 0x56c3e05a86bf2448},
    {"Q4_K f32", 0xa5ceefc8ebbd44a2},   {"Q4_K int8", 0xa5ceefc8ebbd44a2},
    {"Q5_0 f32", 0x1b2a45392766ed27},   {"Q5_0 int8", 0x1b2a45392766ed27},
    {"Q5_1 f32", 0xa018390459e0ef2a},   {"Q5_1 int8", 0xa018390459e0ef2a},
    {"Q5_K f32", 0x75d3f9008c609ec9},   {"Q5_K int8", 0x75d3f9008c609ec9},
    {"Q6_K f32", 0x6809f75011005e63},   {"Q6_K int8", 0x6809f75011005e63},
    {"Q8_0 f32", 0x0ca2f20028b12408},   {"Q8_0 int8", 0x0ca2f20028b12408},
    {"bf16 bf16", 0x90e12b4985ee732e},  {"bf16 f32", 0x182b631588f84a1d},
    {"bf16 int8", 0x182b631588f84a1d},  {"f16 bf16", 0x0630201ae49f1c5b},
    {"f16 f32", 0x0630201ae49f1c5b},    {"f16 int8", 0x0630201ae49f1c5b},
    {"f32 bf16", 0xa1f970940a005cbc},   {"f32 f32", 0xa1f970940a005cbc},
    {"f32 int8", 0xa1f970940a005cbc},   {"file", 0x66e805e33a0dba58},
    {"int4 bf16", 0xb04155fcd0010b51},  {"int4 f32", 0xb04155fcd0010b51},
    {"int4 int8", 0x8e80f3ea12238388},  {"int8 bf16", 0x3c5a8eaae5ad8874},
    {"int8 f32", 0x3c5a8eaae5ad8874},   {"int8 int8", 0xbfb071ba9b0f9449},
};

}  // namespace

class TestPackedCopies : public QObject {
  Q_OBJECT

 private slots:
  // Hit and miss, and every packed byte.
  void everyFormat() {
    for (const Sample& sample : samples()) {
      const Folder folder;
      Start packed(folder.path(), sample);
      QVERIFY2(!packed.wasFound && packed.came == PackedCopy::kKept, sample.name.c_str());
      QCOMPARE(packed.wait(), std::string());
      Start read(folder.path(), sample);
      QVERIFY2(read.wasFound && read.came == PackedCopy::kRead, sample.name.c_str());
      QVERIFY2(read.bytes == packed.bytes, sample.name.c_str());
      QCOMPARE(read.weight->bytes, packed.weight->bytes);
      QCOMPARE(read.weight->outFeatures, packed.weight->outFeatures);
      QCOMPARE(read.weight->arithmetic, packed.weight->arithmetic);
      const auto a = static_cast<const PackedWeight&>(*read.weight).segments(),
                 b = static_cast<const PackedWeight&>(*packed.weight).segments();
      QCOMPARE(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        QVERIFY(a[i].format == b[i].format && a[i].firstColumn == b[i].firstColumn &&
                a[i].compute == b[i].compute);
      QCOMPARE(filesIn(folder.path()).size(), std::size_t(1));
    }
  }

  void layoutHasItsNumber() {
    QCOMPARE(kPackedLayout, kLayoutOfDigests);
    ThreadPool pool(2);
    std::map<std::string, std::uint64_t> found;
    for (const Sample& sample : samples())
      if (sample.name.find("over") == std::string::npos)
        found[sample.name] = digest(bytesOf(*sample.pack(pool), sample.compute));
    const Folder folder;
    Start(folder.path(), smallSample()).wait();
    found["file"] = digest(contents(folder.only()));
    if (found != kDigests)
      for (const auto& [name, sum] : found)
        qWarning("    {\"%s\", 0x%016llx},", name.c_str(), (unsigned long long)sum);
    QVERIFY(found == kDigests);
  }

  // While one thread moves it, others see the same bytes, and then the file may go.
  void movesWhileItIsRead() {
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "copy";
    std::string bytes((std::size_t{40} << 20) + 4097, '\0');  // two stretches, and a part of one
    std::mt19937 random(5);
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      const auto number = static_cast<std::uint32_t>(random());
      std::memcpy(bytes.data() + i, &number, sizeof number);
    }
    put(path, bytes);
    MappedCopy copy{InputFile(path)};
    QCOMPARE(copy.bytes().size(), bytes.size());
    const std::uint64_t sum = digest(bytes);
    std::atomic<bool> isMoved = false, isSame = true;
    std::vector<std::thread> readers;
    for (int i = 0; i < 2; ++i)
      readers.emplace_back([&] {
        do {
          if (checksum64(copy.bytes(), 0) != sum) isSame = false;
        } while (!isMoved);
      });
    int stretches = 0;
    while (copy.moveNext()) ++stretches;
    isMoved = true;
    for (std::thread& reader : readers) reader.join();
    QVERIFY(isSame);
    QCOMPARE(stretches, 3);
    QCOMPARE(copy.movedBytes(), bytes.size());
    fs::resize_file(path, 1);
    QCOMPARE(checksum64(copy.bytes(), 0), sum);
    QVERIFY(!copy.moveNext());
  }

  // Each model has its copy; of another state, it is replaced.
  void otherKeys() {
    const Folder folder;
    Start first(folder.path(), smallSample());
    first.wait();
    QVERIFY(!Start(folder.path(), smallSample(), {"another model\n", "of today"}).wasFound);
    Start changed(folder.path(), smallSample(), {kKey.model, "of tomorrow"});
    QVERIFY(!changed.wasFound);
    changed.wait();
    QVERIFY(!Start(folder.path(), smallSample()).wasFound);
    Sample other = smallSample();
    other.compute = Compute::kInt8;
    QVERIFY(!Start(folder.path(), other).wasFound);
  }

  void otherNamesAndShapes() {
    const Folder folder;
    Start(folder.path(), smallSample()).wait();
    ThreadPool pool(1);
    PackedCopies copies(folder.path(), Compute::kF32, pool, kAll);
    copies.open(kKey);
    QVERIFY(copies.find("v", kOut, kIn) == nullptr);
    QVERIFY(copies.find("w", kOut + 1, kIn) == nullptr);
    QVERIFY(copies.find("w", kOut, kIn / 2) == nullptr);
    QVERIFY(copies.find("w", kOut, kIn) != nullptr);
  }

  // One matrix of two is missed: the new copy has both.
  void aMissedMatrixIsAdded() {
    const Folder folder;
    ThreadPool pool(2);
    const auto start = [&](std::initializer_list<const char*> names) {
      PackedCopies copies(folder.path(), Compute::kF32, pool, kAll);
      copies.open(kKey);
      std::string came;
      for (const char* name : names) {
        auto weight = copies.find(name, kOut, kIn);
        came += weight ? "read " : "packed ";
        if (!weight) copies.add(name, *(weight = smallSample().pack(pool)));
      }
      came += nameOf(copies.close());
      return came + copies.wait();
    };
    QCOMPARE(start({"a"}), std::string("packed kept"));
    QCOMPARE(start({"a", "b"}), std::string("read packed kept"));
    QCOMPARE(start({"a", "b"}), std::string("read read read"));
  }

  // A byte that is not as it was written is noticed where it counts; the padding between parts is never read.
  void damage() {
    const Folder folder;
    Start packed(folder.path(), smallSample());
    packed.wait();
    const fs::path copy = folder.only();
    const std::string whole = contents(copy);
    const std::size_t payload = packed.bytes.size();
    std::size_t noticed = 0;
    for (std::size_t at = 0; at < whole.size();
         at = at + 1999 < payload ? at + 1999 : std::max(at + 1, payload)) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 16);
      put(copy, damaged);
      ThreadPool pool(1);
      PackedCopies copies(folder.path(), Compute::kF32, pool, kAll);
      copies.open(kKey);
      const auto weight = copies.find("w", kOut, kIn);
      const bool counts =
          at < payload || at >= (payload + kCopyAlignment - 1) / kCopyAlignment * kCopyAlignment;
      QVERIFY2((weight == nullptr) == counts, std::to_string(at).c_str());
      if (weight) QVERIFY(bytesOf(*weight, Compute::kF32) == packed.bytes);
      noticed += weight ? 0 : 1;
    }
    QVERIFY(noticed > 200);
    // What is not used is replaced.
    Start again(folder.path(), smallSample());
    QVERIFY(!again.wasFound && again.came == PackedCopy::kKept);
    QCOMPARE(again.wait(), std::string());
    QVERIFY(contents(copy) == whole);
  }

  void cutOffOrLonger() {
    const Folder folder;
    Start(folder.path(), smallSample()).wait();
    const fs::path copy = folder.only();
    const std::string whole = contents(copy);
    for (std::size_t length = 0; length < whole.size(); length += length + 300 < whole.size() ? 1777 : 1) {
      put(copy, whole.substr(0, length));
      QVERIFY2(!Start(folder.path(), smallSample(), kKey, kNone).wasFound, std::to_string(length).c_str());
    }
    for (const std::string& odd : {whole + '\0', whole + whole, '\0' + whole}) {
      put(copy, odd);
      QVERIFY(!Start(folder.path(), smallSample(), kKey, kNone).wasFound);
    }
  }

  // An index that another program made, its checksum right: refused, or all of it lies in the file.
  void foreignIndex() {
    const Folder folder;
    Start(folder.path(), samples().back()).wait();
    const std::string whole = contents(folder.only());
    constexpr std::size_t kTrailer = 32;
    std::uint64_t indexBytes = 0;
    std::memcpy(&indexBytes, whole.data() + whole.size() - 16, 8);
    const std::size_t begin = whole.size() - kTrailer - indexBytes;
    const std::string key = kKey.model + "products int8\n" + kKey.state;
    std::mt19937 random(11);
    int accepted = 0, refused = 0;
    for (int round = 0; round < 20000; ++round) {
      std::string bytes = whole;
      for (int change = round == 0 ? 0 : 1 + int(random() % 3); change > 0; --change) {
        const std::uint64_t odd[] = {0,       1, 255, 256, 260, 1u << 24, (1u << 24) + 1, ~std::uint64_t{0},
                                     random()};
        const std::uint64_t value = odd[random() % std::size(odd)];
        std::memcpy(bytes.data() + begin + random() % (indexBytes - 7), &value, random() % 8 + 1);
      }
      const std::uint64_t sum =
          checksum64(std::as_bytes(std::span(bytes)).subspan(begin, indexBytes), kPackedLayout);
      std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
      const ReadBytes read = [&](std::size_t offset, std::span<std::byte> out) {
        QVERIFY(offset <= bytes.size() && out.size() <= bytes.size() - offset);
        std::memcpy(out.data(), bytes.data() + offset, out.size());
      };
      try {
        const PackedIndex index = readPackedIndex(bytes.size(), read, "copy", key, Compute::kInt8);
        ++accepted;
        for (const CopyMatrix& matrix : index.matrices)
          for (const CopySegment& segment : matrix.segments)
            for (const CopyPart* part : {&segment.panels, &segment.scales})
              QVERIFY(part->bytes >= 0 && part->offset >= 0 &&
                      part->offset + part->bytes <= std::int64_t(begin) &&
                      part->sums.size() == std::size_t(part->pieces()));
      } catch (const EngineError&) {
        ++refused;
      }
    }
    QVERIFY2(accepted > 100 && refused > 1000, std::to_string(accepted).c_str());
  }

  void smallOnesAreNotKept() {
    const Folder folder;
    Start start(folder.path(), smallSample());
    start.wait();
    const auto bytes = std::int64_t(start.bytes.size());
    const Folder other;
    QVERIFY(Start(other.path(), smallSample(), kKey, {.leastBytes = bytes + 1}).came == PackedCopy::kNone);
    QVERIFY(!fs::exists(other.path()));
    QVERIFY(Start(other.path(), smallSample(), kKey, {.leastBytes = bytes}).came == PackedCopy::kKept);
  }

  // The copies that were used least recently go first; use is what a start reads, too.
  void limitOfAll() {
    const Folder folder;
    const auto start = [&](const char* model, std::int64_t most) {
      Start one(folder.path(), smallSample(), {model, "of today"}, {1, most, 0});
      if (!one.wait().empty()) return std::string("not kept");
      // Clocks of file systems tick slowly.
      for (const fs::path& path : filesIn(folder.path()))
        fs::last_write_time(path, fs::last_write_time(path) - std::chrono::seconds(1));
      return std::string(one.wasFound ? "found" : "packed");
    };
    start("a", 1 << 30);
    const auto each = std::int64_t(fs::file_size(folder.only()));
    const std::int64_t two = 2 * each + each / 2;
    QCOMPARE(start("b", two), std::string("packed"));
    QCOMPARE(start("a", two), std::string("found"));
    QCOMPARE(start("c", two), std::string("packed"));  // b goes
    QCOMPARE(filesIn(folder.path()).size(), std::size_t(2));
    QCOMPARE(start("a", two), std::string("found"));
    QCOMPARE(start("c", two), std::string("found"));
    QCOMPARE(start("b", two), std::string("packed"));  // a goes
    QCOMPARE(start("c", two), std::string("found"));
    QCOMPARE(start("a", each / 2), std::string("not kept"));
    QCOMPARE(filesIn(folder.path()).size(), std::size_t(2));  // and nothing goes for it
  }

  void noRoomOnTheDisk() {
    const Folder folder;
    Start start(folder.path(), smallSample(), kKey, {.leastBytes = 1, .freePercent = 101});
    const std::string said = start.wait();
    QVERIFY2(said.find("101 % of the disk free") != std::string::npos, said.c_str());
    QVERIFY(filesIn(folder.path()).empty());
  }

  void noFolder() {
    const Folder folder;
    put(folder.path(), "a file in the folder's place");
    Start start(folder.path(), smallSample());
    QVERIFY(!start.wasFound);
    const std::string said = start.wait();
    QVERIFY2(said.find(folder.path().string()) != std::string::npos, said.c_str());
  }

  // An end without wait(): the whole copy or nothing, and no part of one.
  void givenUp() {
    for (int i = 0; i < 20; ++i) {
      const Folder folder;
      std::string packed;
      {
        Start start(folder.path(), smallSample());
        packed = start.bytes;
      }
      if (!fs::exists(folder.path())) continue;
      for (const fs::path& path : filesIn(folder.path()))
        QCOMPARE(path.extension().string(), std::string(".packed"));
      const Start next(folder.path(), smallSample());
      QVERIFY(next.bytes == packed);
    }
  }

  void partsOfKilledProcesses() {
    const Folder folder;
    Start(folder.path(), smallSample()).wait();
    const std::string copy = folder.only().string();
    const fs::path old = copy + ".4711-1.part", young = copy + ".4712-1.part";
    put(old, "x");
    put(young, "x");
    fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(7));
    Start(folder.path(), smallSample(), {"another\n", ""}).wait();
    QVERIFY(!fs::exists(old) && fs::exists(young));
  }

  // Starts of the same model side by side, each with its own state of another's copy.
  void severalAtOnce() {
    const Folder folder;
    ThreadPool one(1);
    const std::string right = bytesOf(*smallSample().pack(one), Compute::kF32);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&, thread] {
        for (int round = 0; round < 15; ++round) {
          Start start(folder.path(), smallSample(), {kKey.model, std::to_string((thread + round) % 2)});
          if (!start.wait().empty() || start.bytes != right) ++wrong;
        }
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
    QCOMPARE(filesIn(folder.path()).size(), std::size_t(1));
    QVERIFY(Start(folder.path(), smallSample(), {kKey.model, "0"}).wasFound ||
            Start(folder.path(), smallSample(), {kKey.model, "1"}).wasFound);
  }
};

QTEST_APPLESS_MAIN(TestPackedCopies)
#include "tst_packed_copies.moc"
