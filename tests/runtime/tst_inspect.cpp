// What is inside a model: the groups that a tensor says it has are those that open, their bits give the
// weights, reading weights tells its progress and ends when it is asked to, and what follows from it adds up.
#include "vitrine/inspect.h"

#include <cmath>
#include <filesystem>

#include "models/gguf_of.h"
#include "support/refusal.h"
#include "vitrine/inspected_figures.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

const fs::path kGoldens = fs::path(VITRINE_SOURCE_DIR) / "tests/golden";

}  // namespace

class TestInspect : public QObject {
  Q_OBJECT

 private:
  static void addModels() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("bitWidth");  // of the packed tensors; 0: there are none
    QTest::newRow("Q4_0") << "gguf/qwen2.gguf" << 4;
    QTest::newRow("Q4_1") << "gguf/mistral.gguf" << 4;
    QTest::newRow("Q5_0") << "gguf/qwen3.gguf" << 5;
    QTest::newRow("Q5_1") << "gguf/llama-yarn.gguf" << 5;
    QTest::newRow("Q8_0") << "gguf/llama3-rope.gguf" << 8;
    QTest::newRow("F16") << "gguf/llama-yarn-tuned.gguf" << 0;
    QTest::newRow("folder") << "models/llama" << 0;
  }

 private slots:
  void everyGroupThatATensorHasOpens_data() { addModels(); }
  void everyGroupThatATensorHasOpens() {
    QFETCH(QString, model);
    QFETCH(int, bitWidth);
    const fs::path path = kGoldens / model.toStdString();
    for (const InspectedTensor& tensor : inspectModel(path).tensors) {
      QVERIFY2(tensor.groups() > 0 && tensor.rows() > 0, tensor.name.c_str());
      const InspectedGroup last = inspectGroup(path, tensor.name, tensor.rows() - 1, tensor.groups() - 1);
      QCOMPARE(static_cast<std::int64_t>(last.weights.size()), tensor.groupLength);
      QCOMPARE(last.firstInput, (tensor.groups() - 1) * tensor.groupLength);
      QCOMPARE(last.bitWidth, last.bits.empty() ? 0 : bitWidth);
      for (std::size_t i = 0; i < last.bits.size(); ++i) {
        QVERIFY(last.bits[i] < 1 << last.bitWidth);
        QVERIFY(std::abs(last.scale * last.values[i] + last.minimum - double{last.weights[i]}) < 1e-5);
      }
      VERIFY_REFUSED(inspectGroup(path, tensor.name, tensor.rows(), 0), "invalid_argument", tensor.name);
      VERIFY_REFUSED(inspectGroup(path, tensor.name, 0, tensor.groups()), "invalid_argument", tensor.name);
    }
  }

  // Types in blocks of 256, which no golden file has: a group's bits, scale and minimum give its weights.
  void groupsOfLongBlocks_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("bitWidth");
    using enum BlockType;
    for (const auto& [type, bits] :
         {std::pair(kQ2K, 2), {kQ3K, 3}, {kQ4K, 4}, {kQ5K, 5}, {kQ6K, 6}, {kIq4Xs, 4}})
      QTest::newRow(blockTypeInfo(type).name) << int(type) << bits;
  }
  void groupsOfLongBlocks() {
    QFETCH(int, type);
    QFETCH(int, bitWidth);
    const QTemporaryDir folder;
    const fs::path path = folder.filePath("long.gguf").toStdString();
    std::ofstream(path, std::ios::binary)
        << ggufOf(ggufTestConfig("llama"), [&](const std::string&) { return BlockType(type); });
    const InspectedModel inside = inspectModel(path);
    QVERIFY(!typeShares(inside).empty());
    QCOMPARE(typeShares(inside)[0].type, std::string(blockTypeInfo(BlockType(type)).name));
    for (const std::int64_t group : {0, 1, 5}) {
      const InspectedGroup found = inspectGroup(path, "blk.1.ffn_down.weight", 7, group);
      QCOMPARE(found.bitWidth, bitWidth);
      QCOMPARE(std::int64_t(found.bits.size()), blockTypeInfo(BlockType(type)).group);
      for (std::size_t i = 0; i < found.bits.size(); ++i) {
        QVERIFY(found.bits[i] < 1 << bitWidth);
        QVERIFY(std::abs(found.scale * found.values[i] + found.minimum - double{found.weights[i]}) < 1e-5);
      }
    }
  }

  void readingTellsItsProgressAndCanBeCancelled() {
    const fs::path path = kGoldens / "gguf/mistral.gguf";
    std::vector<double> told;
    const auto listen = [&](double fraction) {
      told.push_back(fraction);
      return true;
    };
    const InspectedWeights weights = inspectWeights(path, "blk.0.ffn_up.weight", 8, listen);
    QVERIFY(told.size() > 2 && std::ranges::is_sorted(told) && told.front() >= 0 && told.back() < 1);
    QVERIFY(told.back() > 0.9);
    const InspectedWeights quiet = inspectWeights(path, "blk.0.ffn_up.weight", 8);
    QCOMPARE(quiet.histogram, weights.histogram);
    int calls = 0;
    VERIFY_REFUSED(inspectWeights(path, "blk.0.ffn_up.weight", 8, [&](double) { return ++calls < 3; }),
                   "cancelled", "blk.0.ffn_up.weight");
    QCOMPARE(calls, 3);
  }

  void whatFollowsAddsUp_data() { addModels(); }
  void whatFollowsAddsUp() {
    QFETCH(QString, model);
    const InspectedModel inside = inspectModel(kGoldens / model.toStdString());
    double share = 0;
    std::int64_t bytes = 0;
    std::size_t tensors = 0;
    for (const TypeShare& one : typeShares(inside)) {
      QVERIFY(bytes == 0 || one.share <= share);  // the largest first
      share = one.share;
      bytes += one.bytes;
      tensors += static_cast<std::size_t>(one.tensors);
    }
    QCOMPARE(bytes, inside.bytes);
    QCOMPARE(tensors, inside.tensors.size());
    int most = -1;
    for (const InspectedTensor& tensor : inside.tensors) most = std::max(most, layerOf(tensor.name));
    QCOMPARE(most, inside.layers - 1);
    MachineRoof roof;
    roof.readings = {{1000, 100.0}, {2000, 10.0}};
    const double speed = tokensPerSecondAtMost(inside, 50, roof);
    QVERIFY(std::abs(speed * static_cast<double>(inside.bytesReadPerToken + 50 * inside.kvBytesPerToken) -
                     10e9) < 1);
  }

  void layersAreToldByNames() {
    QCOMPARE(layerOf("blk.3.attn_q.weight"), 3);
    QCOMPARE(layerOf("model.layers.11.mlp.up_proj.weight"), 11);
    for (const char* name : {"token_embd.weight", "blk.", "blk.x.y", "blk.3", "model.layers.", ""})
      QCOMPARE(layerOf(name), -1);
  }
};

QTEST_APPLESS_MAIN(TestInspect)
#include "tst_inspect.moc"
