// What is open, and the way back, through loads that succeed, fail, are cancelled or are replaced.
#include "gui/machine/model_loading.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "catalog/model_reading.h"
#include "vitrine/random_model.h"

using namespace vitrine;

namespace {

constexpr int kPatience = 20000;

LoadOrder builtin(int blocks) {
  LoadOrder order;
  order.model = builtinModelDirectory();
  order.options.numBlocks = blocks;
  return order;
}

LoadOrder nowhere() {
  LoadOrder order;
  order.model = "no/such/folder";
  return order;
}

struct Bench {
  EngineHost host;
  ModelLoading loading{host};
  QSignalSpy begun{&loading, &ModelLoading::begun}, opened{&loading, &ModelLoading::opened},
      ended{&loading, &ModelLoading::ended}, failed{&loading, &ModelLoading::noticed},
      refused{&host, &EngineHost::noticed};

  // Until every load ordered has ended.
  bool settle() {
    return QTest::qWaitFor([&] { return !loading.isUnderWay(); }, kPatience);
  }
  bool open(int blocks) {
    loading.openModel(builtin(blocks));
    return settle() && loading.current().order.options.numBlocks == blocks;
  }
  bool openScenario(const char* name) {
    loading.openScenario(name);
    return settle() && loading.current().scenario && loading.current().scenario->name == name;
  }
  int blocks() const { return loading.current().order.options.numBlocks; }
  bool openModel(const std::filesystem::path& model, const EngineOptions& options = {}) {
    LoadOrder order;
    order.model = model;
    order.options = options;
    loading.openModel(std::move(order));
    return settle() && loading.current().order.model == model;
  }
};

// A small model with random weights and a large context.
std::filesystem::path longModel(const QTemporaryDir& folder) {
  const std::filesystem::path model = std::filesystem::path(folder.path().toStdString()) / "long";
  makeRandomModel("tiny", model);
  QFile config(QString::fromStdString((model / "config.json").string()));
  if (!config.open(QIODevice::ReadOnly)) return {};
  QJsonObject json = QJsonDocument::fromJson(config.readAll()).object();
  config.close();
  json["max_position_embeddings"] = 32768;
  if (!config.open(QIODevice::WriteOnly | QIODevice::Truncate)) return {};
  config.write(QJsonDocument(json).toJson());
  return model;
}

}  // namespace

class TestModelLoading : public QObject {
  Q_OBJECT

 private slots:
  void nothingIsOpenAtFirst() {
    Bench bench;
    QVERIFY(bench.loading.current().order.model.empty());
    QVERIFY(!bench.loading.isUnderWay());
    QVERIFY(!bench.loading.leaveScenario());
    QCOMPARE(bench.begun.count(), 0);
  }

  void aModelIsOpenWhenItsLoadHasSucceeded() {
    Bench bench;
    QSignalSpy progress(&bench.loading, &ModelLoading::progressed);
    bench.loading.openModel(builtin(64));
    QVERIFY(bench.loading.isUnderWay());
    QVERIFY(bench.loading.current().order.model.empty());
    QVERIFY(bench.settle());
    QCOMPARE(bench.begun.count(), 1);
    QCOMPARE(bench.opened.count(), 1);
    QCOMPARE(bench.ended.count(), 1);
    QVERIFY(progress.count() > 0);
    QCOMPARE(bench.blocks(), 64);
    QVERIFY(!bench.loading.current().scenario);
  }

  void aLoadThatFailsChangesNothing() {
    Bench bench;
    QVERIFY(bench.open(64));
    bench.loading.openModel(nowhere());
    QVERIFY(bench.settle());
    QCOMPARE(bench.refused.count(), 1);
    QCOMPARE(bench.opened.count(), 1);
    QCOMPARE(bench.ended.count(), 2);
    QCOMPARE(bench.blocks(), 64);
    bench.loading.reload({});
    QVERIFY(bench.settle());
    QCOMPARE(bench.opened.count(), 2);
    QCOMPARE(bench.blocks(), 64);
  }

  void aCancelledLoadChangesNothing() {
    Bench bench;
    QVERIFY(bench.open(64));
    bench.loading.openModel(builtin(96));
    bench.loading.cancel();
    QVERIFY(bench.settle());
    QCOMPARE(bench.opened.count(), 1);
    QCOMPARE(bench.blocks(), 64);
    QCOMPARE(bench.refused.count(), 1);
    QCOMPARE(bench.refused.at(0).at(0).value<Notice>().code,
             QLatin1String(errorCodeName(ErrorCode::kCancelled)));
  }

  void ofSeveralOrdersTheNewestIsOpenInTheEnd() {
    Bench bench;
    bench.loading.openModel(builtin(64));
    bench.loading.openModel(nowhere());
    bench.loading.openModel(builtin(96));
    QVERIFY(bench.settle());
    QCOMPARE(bench.begun.count(), 3);
    QCOMPARE(bench.opened.count(), 1);
    QCOMPARE(bench.ended.count(), 1);
    QCOMPARE(bench.blocks(), 96);
  }

  void otherOptionsLoadTheSameModel() {
    Bench bench;
    QVERIFY(bench.openScenario("six-blocks"));
    EngineOptions options = bench.loading.current().order.options;
    options.numBlocks = 48;
    bench.loading.reloadWith(options);
    QVERIFY(bench.settle());
    QCOMPARE(bench.blocks(), 48);
    QCOMPARE(bench.loading.current().scenario->name, std::string("six-blocks"));
  }

  // A model of one's own gets what the free memory holds; the built-in one and scenarios keep theirs.
  void aModelOfOnesOwnHasItsContext() {
    const QTemporaryDir folder;
    const std::filesystem::path model = longModel(folder);
    const FoundModel sizes = sizesOf(model);
    QCOMPARE(sizes.contextLength, 32768);
    const qint64 perBlock = sizes.cacheBytesPerToken * 16;
    qint64 available = sizes.weightBytes + 2 * 3000 * perBlock;
    Bench bench;
    bench.host.setAvailableMemory([&] { return available; });
    QVERIFY(bench.openModel(model));
    QCOMPARE(bench.blocks(), 3000);
    QVERIFY(bench.loading.current().poolIsFitted);
    available = sizes.weightBytes + 2 * 500 * perBlock;
    bench.loading.reload({});  // the same machine again
    QVERIFY(bench.settle());
    QCOMPARE(bench.blocks(), 3000);
    bench.loading.setKvShare(KvShare::kQuarter);
    bench.loading.reloadWith({});  // without a number of blocks: chosen anew, beside the weights that go
    QVERIFY(bench.settle());
    QVERIFY2(bench.blocks() >= 250 && bench.blocks() < 3000, qPrintable(QString::number(bench.blocks())));
    available = qint64{1} << 50;
    QVERIFY(bench.openModel(model));
    QCOMPARE(bench.blocks(), 16384);
    EngineOptions two;
    two.maxSequences = 2;
    QVERIFY(bench.openModel(model, two));
    QCOMPARE(bench.blocks(), 2 * 32768 / 16);
    EngineOptions mine;
    mine.numBlocks = 77;
    QVERIFY(bench.openModel(model, mine));
    QCOMPARE(bench.blocks(), 77);
    QVERIFY(!bench.loading.current().poolIsFitted);
    QVERIFY(bench.openScenario("six-blocks"));
    QCOMPARE(bench.blocks(), 6);
    QVERIFY(bench.openModel(builtinModelDirectory()));
    QCOMPARE(bench.blocks(), kBuiltinBlocks);
  }

  // From one scenario to the next, the way back stays the same.
  void leavingScenariosOpensWhatWasOpenBeforeTheFirst() {
    Bench bench;
    QVERIFY(bench.open(64));
    QVERIFY(bench.openScenario("six-blocks"));
    QCOMPARE(bench.blocks(), 6);
    bench.loading.reload({});
    QVERIFY(bench.settle());
    QVERIFY(bench.loading.current().scenario);
    QVERIFY(bench.openScenario("one-request"));
    QVERIFY(bench.loading.leaveScenario());
    QVERIFY(bench.settle());
    QVERIFY(!bench.loading.current().scenario);
    QCOMPARE(bench.blocks(), 64);
  }

  void aScenarioThatCannotBeReadIsNotOrdered() {
    QTemporaryDir folder;
    QFile file(folder.filePath("wrong.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"requests\":[]}");
    file.close();
    Bench bench;
    QVERIFY(bench.open(64));
    bench.loading.openScenario("no-such-scenario");
    bench.loading.openScenario(file.fileName());
    QCOMPARE(bench.failed.count(), 2);
    const Notice missing = bench.failed.at(0).at(0).value<Notice>();
    const Notice wrong = bench.failed.at(1).at(0).value<Notice>();
    QVERIFY(missing.message.contains("no-such-scenario") && !missing.hint.isEmpty());
    QVERIFY(wrong.message.contains("requests") && !wrong.hint.isEmpty());
    QVERIFY(!bench.loading.isUnderWay());
    QCOMPARE(bench.blocks(), 64);
  }
};

QTEST_MAIN(TestModelLoading)
#include "tst_model_loading.moc"
