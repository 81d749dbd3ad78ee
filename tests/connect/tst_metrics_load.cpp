// The load of an engine from pages as vLLM, SGLang, llama.cpp's server and our own write them; the rates
// between two loads, and their history.
#include "connect/engine_load.h"

#include <QFile>
#include <QTest>

#include "server/metrics_text.h"

using namespace vitrine;
using connect::EngineLoad;
using connect::LoadHistory;
using connect::LoadRates;
using connect::ServerKind;

namespace {

using Figure = std::optional<double>;

EngineLoad loadOf(const std::string& text) { return connect::engineLoad(connect::readMetrics(text)); }

EngineLoad fixture(const char* name) {
  QFile file(QString(VITRINE_SOURCE_DIR "/tests/connect/fixtures/") + name);
  if (!file.open(QIODevice::ReadOnly)) qFatal("no fixture %s", name);
  return loadOf(file.readAll().toStdString());
}

EngineLoad counted(double prompts, double generated, double queried, double hits) {
  EngineLoad load;
  load.kind = ServerKind::kVllm;
  load.promptTokens = prompts;
  load.generatedTokens = generated;
  load.queriedTokens = queried;
  load.hitTokens = hits;
  return load;
}

bool isEmpty(const LoadRates& rates) {
  return !rates.promptTokensPerSecond && !rates.generatedTokensPerSecond && !rates.hitShare;
}

}  // namespace

class TestMetricsLoad : public QObject {
  Q_OBJECT

 private slots:
  void twoEnginesOfVllmAreOneLoad() {
    const EngineLoad load = fixture("vllm.txt");
    QVERIFY(load.kind == ServerKind::kVllm);
    QCOMPARE(connect::traitsOf(*load.kind).name, "vLLM");
    QCOMPARE(load.running, Figure(21));
    QCOMPARE(load.waiting, Figure(3));  // those by reason are not counted again
    QCOMPARE(load.cacheShare, Figure(0.5));
    QCOMPARE(load.blocks, Figure(53900));
    QCOMPARE(load.blockTokens, Figure(16));
    QCOMPARE(load.cacheTokens, Figure(53900 * 16));
    QCOMPARE(load.promptTokens, Figure(300000));
    QCOMPARE(load.generatedTokens, Figure(2e6));
    QCOMPARE(load.queriedTokens, Figure(300000));
    QCOMPARE(load.hitTokens, Figure(120000));
    QCOMPARE(load.preemptions, Figure(2));
    QCOMPARE(load.finished, Figure(562));
    QVERIFY(!load.saidHitShare && !load.saidTokensPerSecond);
  }

  void olderNamesOfVllmAreRead() {
    const EngineLoad load = loadOf(
        "vllm:gpu_cache_usage_perc 0.25\n"
        "vllm:gpu_prefix_cache_queries 100\n"
        "vllm:gpu_prefix_cache_hits 40\n"
        "vllm:avg_generation_throughput_toks_per_s 31.5\n"
        "vllm:gpu_prefix_cache_hit_rate 0.4\n");
    QCOMPARE(load.cacheShare, Figure(0.25));
    QCOMPARE(load.queriedTokens, Figure(100));
    QCOMPARE(load.hitTokens, Figure(40));
    QCOMPARE(load.saidTokensPerSecond, Figure(31.5));
    QCOMPARE(load.saidHitShare, Figure(0.4));
    // Some versions have both: they are one figure.
    const EngineLoad both = loadOf(
        "vllm:gpu_prefix_cache_queries_total 100\n"
        "vllm:prefix_cache_queries_total 101\n");
    QCOMPARE(both.queriedTokens, Figure(101));
  }

  // All ranks of two engines speak; those of one engine say the same.
  void sglangIsRead() {
    const EngineLoad load = fixture("sglang.txt");
    QVERIFY(load.kind == ServerKind::kSglang);
    QCOMPARE(connect::traitsOf(*load.kind).name, "SGLang");
    QCOMPARE(load.running, Figure(12));
    QCOMPARE(load.waiting, Figure(3));
    QCOMPARE(load.cacheShare, Figure(0.2));
    QVERIFY(!load.blocks);
    QCOMPARE(load.blockTokens, Figure(1));
    QCOMPARE(load.cacheTokens, Figure(800000));
    QCOMPARE(load.saidHitShare, Figure(0.4));
    QCOMPARE(load.saidTokensPerSecond, Figure(1500));
    QCOMPARE(load.promptTokens, Figure(8128902));
    QCOMPARE(load.generatedTokens, Figure(7557572));
    QCOMPARE(load.queriedTokens, Figure(8128902));
    QCOMPARE(load.hitTokens, Figure(4064451));
    QCOMPARE(load.preemptions, Figure(4));
    QCOMPARE(load.finished, Figure(9000));
  }

  void llamaCppIsRead() {
    const EngineLoad load = fixture("llamacpp.txt");
    QVERIFY(load.kind == ServerKind::kLlamaCpp);
    QCOMPARE(connect::traitsOf(*load.kind).name, "llama.cpp");
    QCOMPARE(load.running, Figure(4));
    QCOMPARE(load.waiting, Figure(1));
    QCOMPARE(load.promptTokens, Figure(48210));
    QCOMPARE(load.generatedTokens, Figure(1234570));
    QCOMPARE(load.queriedTokens, Figure(64280));
    QCOMPARE(load.hitTokens, Figure(16070));
    QVERIFY(!load.cacheShare && !load.blocks && !load.preemptions && !load.finished);
  }

  // It said how full its cache is, and not how much of a prompt came from there.
  void olderLlamaCppIsRead() {
    const EngineLoad load = loadOf(
        "llamacpp:prompt_tokens_total 100\n"
        "llamacpp:kv_cache_usage_ratio 0.5\n");
    QCOMPARE(load.cacheShare, Figure(0.5));
    QCOMPARE(load.promptTokens, Figure(100));
    QVERIFY(!load.queriedTokens && !load.hitTokens);
  }

  void ourOwnPageIsRead() {
    EngineLoaded loaded;
    loaded.options.numBlocks = 40;
    server::EngineFigures figures(loaded);
    figures.running.set(5);
    figures.waiting.set(2);
    figures.freeBlocks.set(10);
    figures.queriedTokens.set(1000);
    figures.hitTokens.set(250);
    figures.preemptions.set(3);
    figures.promptTokens.set(900);
    figures.generatedTokens.set(123456789);
    figures.finished[0].set(7);
    figures.finished[2].set(4);
    figures.stepTokens.observe(17);
    const EngineLoad load = loadOf(server::metricsText(figures, "a \"model\"\\\nof two lines"));
    QVERIFY(load.kind == ServerKind::kVllm);
    QCOMPARE(load.running, Figure(5));
    QCOMPARE(load.waiting, Figure(2));
    QCOMPARE(load.cacheShare, Figure(0.75));
    QCOMPARE(load.queriedTokens, Figure(1000));
    QCOMPARE(load.hitTokens, Figure(250));
    QCOMPARE(load.preemptions, Figure(3));
    QCOMPARE(load.promptTokens, Figure(900));
    QCOMPARE(load.generatedTokens, Figure(123456789));
    QCOMPARE(load.finished, Figure(11));
    QVERIFY(!load.blocks && !load.blockTokens);
  }

  void aPageOfNoEngineSaysNothing() {
    const EngineLoad load =
        loadOf("process_cpu_seconds_total 5\nvllm_num_requests_running 3\nnum_requests_running 1\n");
    QVERIFY(!load.kind && !load.running && !load.generatedTokens);
    QVERIFY(!loadOf("").kind);
  }

  void theFirstEngineOfAPageIsRead() {
    const EngineLoad load =
        loadOf("sglang:num_queue_reqs 2\nvllm:num_requests_running 3\nsglang:num_running_reqs 1\n");
    QVERIFY(load.kind == ServerKind::kSglang);
    QCOMPARE(load.running, Figure(1));
  }

  void aFigureThatCannotBeIsNotSaid() {
    const EngineLoad load = loadOf(
        "vllm:num_requests_running{engine=\"0\"} 1\n"
        "vllm:num_requests_running{engine=\"1\"} NaN\n"
        "vllm:num_requests_waiting -1\n"
        "vllm:kv_cache_usage_perc 75\n"
        "vllm:prompt_tokens_total +Inf\n"
        "vllm:generation_tokens_total{engine=\"0\"} 1e308\n"
        "vllm:generation_tokens_total{engine=\"1\"} 1e308\n"
        "vllm:cache_config_info{engine=\"0\",num_gpu_blocks=\"10\",block_size=\"16\"} 1\n"
        "vllm:cache_config_info{engine=\"1\",num_gpu_blocks=\"None\",block_size=\"32\"} 1\n");
    QVERIFY(load.kind == ServerKind::kVllm);
    QVERIFY(!load.running && !load.waiting && !load.cacheShare && !load.promptTokens &&
            !load.generatedTokens);
    QVERIFY(!load.blocks && !load.blockTokens && !load.cacheTokens);
  }

  void ratesAreThoseInBetween() {
    const LoadRates rates =
        connect::ratesBetween(counted(1000, 500, 1200, 300), counted(1400, 1500, 1600, 600), 2);
    QCOMPARE(rates.promptTokensPerSecond, Figure(200));
    QCOMPARE(rates.generatedTokensPerSecond, Figure(500));
    QCOMPARE(rates.hitShare, Figure(0.75));
    const EngineLoad idle = counted(1000, 500, 1200, 300);
    const LoadRates none = connect::ratesBetween(idle, idle, 1);
    QCOMPARE(none.generatedTokensPerSecond, Figure(0));
    QVERIFY(!none.hitShare);
    EngineLoad quiet = idle;
    quiet.generatedTokens.reset();
    const LoadRates less = connect::ratesBetween(quiet, idle, 1);
    QVERIFY(!less.generatedTokensPerSecond);
    QCOMPARE(less.promptTokensPerSecond, Figure(0));
  }

  void aSpanOfTwoRunsHasNoRates() {
    const EngineLoad before = counted(1000, 500, 1200, 300);
    QVERIFY(isEmpty(connect::ratesBetween(before, counted(2000, 400, 2400, 600), 1)));
    EngineLoad other = counted(2000, 1000, 2400, 600);
    QVERIFY(!isEmpty(connect::ratesBetween(before, other, 1)));
    QVERIFY(isEmpty(connect::ratesBetween(before, other, 0)));
    other.kind = ServerKind::kSglang;
    QVERIFY(isEmpty(connect::ratesBetween(before, other, 1)));
    // More hits than tokens looked up: two readings that do not fit together.
    QVERIFY(!connect::ratesBetween(before, counted(1000, 500, 1210, 320), 1).hitShare);
  }

  void aHistoryHasTheLastLoads() {
    LoadHistory history(3);
    QVERIFY(history.moments().empty());
    for (int second = 0; second < 5; ++second) history.add(second, counted(0, 10.0 * second * second, 0, 0));
    QCOMPARE(history.moments().size(), std::size_t{3});
    QCOMPARE(history.moments().front().seconds, 2.0);
    QCOMPARE(history.moments().front().rates.generatedTokensPerSecond, Figure(30));
    QCOMPARE(history.moments().back().load.generatedTokens, Figure(160));
    QCOMPARE(history.moments().back().rates.generatedTokensPerSecond, Figure(70));
    history.add(4, counted(0, 1000, 0, 0));  // no later
    QCOMPARE(history.moments().back().load.generatedTokens, Figure(160));
  }

  void aGapHasNoRates() {
    LoadHistory history;
    history.addGap();
    history.add(0, counted(0, 10, 0, 0));
    history.add(1, counted(0, 30, 0, 0));
    history.addGap();
    history.add(5, counted(0, 70, 0, 0));
    history.add(6, counted(0, 75, 0, 0));
    QVERIFY(isEmpty(history.moments()[0].rates));
    QCOMPARE(history.moments()[1].rates.generatedTokensPerSecond, Figure(20));
    QVERIFY(isEmpty(history.moments()[2].rates));
    QCOMPARE(history.moments()[3].rates.generatedTokensPerSecond, Figure(5));
    for (const std::size_t moment : {0, 1, 2, 3})
      QCOMPARE(history.moments()[moment].isBehindGap, moment == 0 || moment == 2);
  }
};

QTEST_APPLESS_MAIN(TestMetricsLoad)
#include "tst_metrics_load.moc"
