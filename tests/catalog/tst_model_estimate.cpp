// What a model will need, from its figures and the machine's.
#include <QTemporaryFile>
#include <QTest>

#include "catalog/model_estimate.h"

using namespace vitrine;

namespace {

constexpr qint64 kGiB = qint64{1} << 30;

// Weights of 4 GiB, a cache of 1 GiB for the whole context.
FoundModel sevenBillion() {
  FoundModel model{"m", ModelProgram::kOllama, "/m.gguf"};
  model.opens = true;
  model.contextLength = 8192;
  model.weightBytes = 4 * kGiB;
  model.bytesReadPerToken = 3 * kGiB;
  model.cacheBytesPerToken = kGiB / 8192;
  return model;
}

}  // namespace

class TestModelEstimate : public QObject {
  Q_OBJECT

 private slots:
  void memoryIsWeightsAndCache() {
    const ModelEstimate whole = estimateModel(sevenBillion(), 0, {16 * kGiB, 0});
    QCOMPARE(whole.contextTokens, 8192);
    QCOMPARE(whole.weightBytes, 4 * kGiB);
    QCOMPARE(whole.cacheBytes, kGiB);
    QCOMPARE(whole.bytes(), 5 * kGiB);
    QCOMPARE(whole.tokensPerSecond, 0.0);
    const ModelEstimate half = estimateModel(sevenBillion(), 4096, {16 * kGiB, 0});
    QCOMPARE(half.cacheBytes, kGiB / 2);
    QCOMPARE(estimateModel(sevenBillion(), 1'000'000, {16 * kGiB, 0}).contextTokens, 8192);
  }

  void speedIsBandwidthOverBytesRead() {
    const ModelEstimate estimate = estimateModel(sevenBillion(), 0, {16 * kGiB, double(12 * kGiB) / 1e9});
    QCOMPARE(estimate.tokensPerSecond, 4.0);
    QCOMPARE(estimate.tokensPerSecondFull, 3.0);
  }

  // Blocks of a GGUF file are codes on a GPU, of about the size that they have in the file.
  void blocksAreCodesOnAGpu() {
    const auto weightsOf = [](const char* type, WeightType weightType = WeightType::kAsStored) {
      EngineOptions options;
      options.device = Device::kCuda;
      options.weightType = weightType;
      FoundModel model = sevenBillion();
      model.quantization = type;
      model.parameters = 7 * kGiB;
      return estimateModel(model, 0, {.availableBytes = 64 * kGiB, .memoryGbps = 0, .options = options})
          .weightBytes;
    };
    QCOMPARE(weightsOf("Q8_0"), 4 * kGiB);
    QCOMPARE(weightsOf("Q4_0"), 4 * kGiB);
    QCOMPARE(weightsOf("Q4_K"), qRound64(4 * kGiB * 5.5 / 4.5));
    QCOMPARE(weightsOf("IQ4_NL"), qRound64(4 * kGiB * 16 / 4.5));  // from a table: numbers
    // Numbers where a type is asked for, and for a name that says nothing.
    QCOMPARE(weightsOf("Q4_K", WeightType::kF16), 14 * kGiB);
    QCOMPARE(weightsOf(""), 14 * kGiB);
  }

  void theAnswerIsYesTightOrNo_data() {
    QTest::addColumn<qint64>("available");
    QTest::addColumn<ModelFit>("fit");
    QTest::addColumn<QString>("words");
    QTest::newRow("plenty") << 16 * kGiB << ModelFit::kYes << "5.0 GiB of the 16.0 GiB";
    QTest::newRow("a sixth left") << 6 * kGiB << ModelFit::kYes << "5.0 GiB";
    QTest::newRow("less than a sixth left") << 6 * kGiB - 10 << ModelFit::kTight << "little is left";
    QTest::newRow("exactly") << 5 * kGiB << ModelFit::kTight << "little is left";
    QTest::newRow("the context does not fit") << 5 * kGiB - 1 << ModelFit::kNo << "with this context";
    QTest::newRow("the weights do not fit") << 3 * kGiB << ModelFit::kNo << "weights alone need 4.0 GiB";
    QTest::newRow("not known") << qint64{0} << ModelFit::kTight << "not known";
  }
  void theAnswerIsYesTightOrNo() {
    QLocale::setDefault(QLocale::c());
    QFETCH(qint64, available);
    QFETCH(QString, words);
    const ModelEstimate estimate = estimateModel(sevenBillion(), 0, {available, 50});
    QTEST(estimate.fit, "fit");
    QVERIFY2(estimate.reason.contains(words), qPrintable(estimate.reason));
  }

  void whatDoesNotOpenDoesNotFit() {
    FoundModel model = sevenBillion();
    model.opens = false;
    model.reason = "an unknown architecture";
    const ModelEstimate estimate = estimateModel(model, 0, {16 * kGiB, 50});
    QCOMPARE(estimate.fit, ModelFit::kNo);
    QCOMPARE(estimate.reason, model.reason);
    QCOMPARE(estimate.bytes(), 0);
  }

  void memoryIsReadFromTheSystem() {
    QTemporaryFile meminfo;
    QVERIFY(meminfo.open());
    meminfo.write(
        "MemTotal:       32000000 kB\nMemFree:  1 kB\nMemAvailable:   12345678 kB\nBuffers: 5 kB\n");
    meminfo.close();
    QCOMPARE(availableMemory(meminfo.fileName()), qint64{12345678} * 1024);
    QCOMPARE(availableMemory("/no/such/file"), 0);
    QVERIFY(availableMemory() > 0);
  }
};

QTEST_GUILESS_MAIN(TestModelEstimate)
#include "tst_model_estimate.moc"
