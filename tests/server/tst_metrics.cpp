// GET /metrics over real connections with the built-in model: the figures are those of the engine's events
// and of the answers, and reading them disturbs nothing.
#include <QJsonArray>
#include <QTest>
#include <thread>

#include "server/metrics_page.h"
#include "server/model_service.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr const char* kText = "/v1/completions";

MetricsPage pageOf(const Service& service) {
  const RawAnswer answer = ask(service.port(), getText("/metrics"));
  if (answer.status != 200) return MetricsPage("");
  return MetricsPage(answer.body);
}
double figure(const MetricsPage& page, const char* name,
              const std::map<std::string, std::string>& labels = {}) {
  return page.value(std::string("vllm:") + name, labels);
}

std::string body(int seed, const std::string& fields) {
  const std::string number = std::to_string(seed);
  return R"({"prompt":"Question )" + number + R"(: what is a block?","seed":)" + number + "," + fields + "}";
}

struct Usage {
  int prompts = 0, completions = 0;
  void add(const QJsonObject& answer) {
    const QJsonObject usage = answer["usage"].toObject();
    prompts += usage["prompt_tokens"].toInt();
    completions += usage["completion_tokens"].toInt();
  }
};

// Seconds that are sums of the same numbers in another order.
bool near(double seconds, double ns) { return std::abs(seconds - ns / 1e9) < 1e-6; }

}  // namespace

class TestMetrics : public QObject {
  Q_OBJECT

 private slots:
  void beforeTheFirstRequestAllIsThereAndZero() {
    const Service service;
    const RawAnswer answer = ask(service.port(), getText("/metrics"));
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.headers.at("content-type"), std::string("text/plain; version=0.0.4; charset=utf-8"));
    const MetricsPage page(answer.body);
    QVERIFY2(page.error.empty(), page.error.c_str());
    for (const MetricSample& sample : page.samples) {
      QVERIFY2(sample.value == 0, sample.name.c_str());
      QCOMPARE(sample.labels.at("engine"), std::string("0"));
      QCOMPARE(sample.labels.at("model_name"), service.served.model()->name);
    }
    QCOMPARE(page.types.at("vllm:prompt_tokens_total"), std::string("counter"));
    QCOMPARE(page.types.at("vllm:num_requests_running"), std::string("gauge"));
    QVERIFY(!page.types.contains("vllm:spec_decode_num_drafts_total"));  // there is no drafter
  }

  void theFiguresAreThoseOfTheEngineAndOfTheAnswers() {
    Service service;
    Usage usage;
    const auto post = [&](const std::string& text) { usage.add(service.post(kText, text).json()); };
    post(body(1, R"("temperature":0,"max_tokens":20,"ignore_eos":true)"));
    post(body(2, R"("temperature":1.1,"max_tokens":30)"));
    post(body(3, R"("temperature":0.9,"max_tokens":12,"n":3,"ignore_eos":true)"));
    post(body(4, R"("temperature":0,"max_tokens":1)"));
    usage.add(
        service.post(kText, R"({"prompt":["A block","The scheduler"],"max_tokens":8,"ignore_eos":true})")
            .json());
    const MetricsPage page = pageOf(service);
    QVERIFY2(page.error.empty(), page.error.c_str());
    const Statistics& statistics = service.tally.statistics;
    const RunTotals& totals = statistics.totals();
    QCOMPARE(totals.finished, std::int64_t{6});
    QVERIFY(usage.completions > 50);

    QCOMPARE(figure(page, "prompt_tokens_total"), double(usage.prompts));
    QCOMPARE(figure(page, "generation_tokens_total"), double(usage.completions));
    QCOMPARE(figure(page, "generation_tokens_total"), double(totals.sampledTokens));
    QCOMPARE(figure(page, "prefix_cache_queries_total"), double(totals.promptTokens));
    QCOMPARE(figure(page, "prefix_cache_hits_total"), double(totals.cachedTokens));
    double ended = 0;
    for (const char* reason : {"stop", "length", "abort", "error"})
      ended += figure(page, "request_success_total", {{"finished_reason", reason}});
    QCOMPARE(ended, 6.0);
    QVERIFY(figure(page, "request_success_total", {{"finished_reason", "length"}}) >= 4);

    for (const char* name :
         {"time_to_first_token_seconds", "request_time_per_output_token_seconds",
          "e2e_request_latency_seconds", "request_queue_time_seconds", "request_prefill_time_seconds",
          "request_decode_time_seconds", "request_inference_time_seconds", "request_prompt_tokens",
          "request_generation_tokens"})
      QVERIFY2(figure(page, (std::string(name) + "_count").c_str()) == 6, name);
    QCOMPARE(figure(page, "inter_token_latency_seconds_count"), double(statistics.itl().count()));
    QCOMPARE(figure(page, "inter_token_latency_seconds_count"), double(usage.completions - 8));  // 8 answers
    QVERIFY(near(figure(page, "inter_token_latency_seconds_sum"), statistics.itl().totalNs()));
    QVERIFY(near(figure(page, "time_to_first_token_seconds_sum"), statistics.ttft().totalNs()));
    QVERIFY(near(figure(page, "request_queue_time_seconds_sum"), statistics.queue().totalNs()));
    QVERIFY(near(figure(page, "e2e_request_latency_seconds_sum"), statistics.endToEnd().totalNs()));
    const double parts = figure(page, "request_queue_time_seconds_sum") +
                         figure(page, "request_prefill_time_seconds_sum") +
                         figure(page, "request_decode_time_seconds_sum");
    QVERIFY(near(parts, statistics.endToEnd().totalNs()));
    QVERIFY(near(
        figure(page, "request_queue_time_seconds_sum") + figure(page, "request_inference_time_seconds_sum"),
        statistics.endToEnd().totalNs()));
    QCOMPARE(figure(page, "request_prompt_tokens_sum"), double(usage.prompts));
    QCOMPARE(figure(page, "request_generation_tokens_sum"), double(usage.completions));
    QCOMPARE(figure(page, "iteration_tokens_total_count"), double(totals.steps));
    QCOMPARE(figure(page, "iteration_tokens_total_sum"), double(totals.prefillTokens + totals.decodeTokens));
    QCOMPARE(service.tally.wrong.load(), 0);
    QVERIFY(service.tally.steps > 20);
  }

  // A request of several beams is one; the one that ends with its first token has no beam that goes on.
  void searchesAreCounted() {
    Service service;
    Usage usage;
    const auto search = [&](const std::string& fields) {
      usage.add(
          service.post(kText, R"({"prompt":"A block is","use_beam_search":true,)" + fields + "}").json());
    };
    search(R"("n":4,"max_tokens":12,"ignore_eos":true)");
    search(R"("n":3,"max_tokens":1)");
    QCOMPARE(usage.completions, 4 * 12 + 3);
    const MetricsPage page = pageOf(service);
    QVERIFY2(page.error.empty(), page.error.c_str());
    QCOMPARE(figure(page, "request_success_total", {{"finished_reason", "length"}}), 2.0);
    QCOMPARE(figure(page, "prompt_tokens_total"), double(usage.prompts));
    QCOMPARE(figure(page, "request_prompt_tokens_sum"), double(usage.prompts));
    QCOMPARE(figure(page, "request_generation_tokens_sum"), double(usage.completions));
    QCOMPARE(figure(page, "time_to_first_token_seconds_count"), 2.0);
    QVERIFY(near(figure(page, "time_to_first_token_seconds_sum"), service.tally.statistics.ttft().totalNs()));
    QCOMPARE(figure(page, "generation_tokens_total"),
             double(service.tally.statistics.totals().sampledTokens));
    for (const char* name : {"num_requests_running", "num_requests_waiting", "kv_cache_usage_perc"})
      QVERIFY2(figure(page, name) == 0, name);
    QCOMPARE(service.tally.wrong.load(), 0);
  }

  void aPrefixThatIsFoundCounts() {
    const Service service;
    const std::string same =
        R"({"prompt":"Explain how the scheduler chooses which requests run in the next step, and why, please.",)"
        R"("temperature":0,"max_tokens":2})";
    service.post(kText, same);
    QCOMPARE(figure(pageOf(service), "prefix_cache_hits_total"), 0.0);
    const QJsonObject usage = service.post(kText, same).json()["usage"].toObject();
    const MetricsPage page = pageOf(service);
    const int cached = usage["prompt_tokens_details"].toObject()["cached_tokens"].toInt();
    QVERIFY(cached >= 16);
    QCOMPARE(figure(page, "prefix_cache_hits_total"), double(cached));
    QCOMPARE(figure(page, "prefix_cache_queries_total"), 2.0 * usage["prompt_tokens"].toInt());
  }

  // Four answers that fit a pool for two of them: some are preempted, and the states of sequences follow.
  void preemptionsCountAndStatesFollow() {
    EngineOptions options;
    options.numBlocks = 16;
    options.maxSequences = 4;
    Service service(options);
    std::atomic<int> done = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i)
      clients.emplace_back([&, i] {
        service.post(kText, body(i, R"("temperature":1,"max_tokens":80,"ignore_eos":true,"n":)" +
                                        std::to_string(1 + i % 2)));
        ++done;
      });
    while (service.tally.preempted == 0 && done < 4) std::this_thread::yield();
    const MetricsPage under = pageOf(service);
    for (std::thread& client : clients) client.join();
    const MetricsPage page = pageOf(service);
    QVERIFY(service.tally.preempted > 0);
    QCOMPARE(figure(page, "num_preemptions_total"), double(service.tally.preempted));
    const double used = figure(under, "kv_cache_usage_perc");
    QVERIFY(used >= 0 && used <= 1);
    QVERIFY(figure(under, "num_requests_running") + figure(under, "num_requests_waiting") <= 6);
    QCOMPARE(figure(page, "num_requests_running"), 0.0);
    QCOMPARE(figure(page, "num_requests_waiting"), 0.0);
    QCOMPARE(figure(page, "kv_cache_usage_perc"), 0.0);
    QCOMPARE(service.tally.wrong.load(), 0);
  }

  // It ends between two steps, and no further step tells.
  void aClientThatLeavesIsCountedAsAborted() {
    const Service service;
    RawClient client(service.port());
    QVERIFY(
        client.send(postText(kText, R"({"prompt":"Go","max_tokens":900,"ignore_eos":true,"stream":true})")));
    QVERIFY(client.readUntil("data: "));
    const MetricsPage under = pageOf(service);
    QCOMPARE(figure(under, "num_requests_running"), 1.0);
    QVERIFY(figure(under, "kv_cache_usage_perc") > 0);
    QCOMPARE(figure(under, "time_to_first_token_seconds_count"), 1.0);  // before the request ends
    client.close();
    while (service.served.underWay() > 0) std::this_thread::yield();
    const MetricsPage page = pageOf(service);
    QCOMPARE(figure(page, "request_success_total", {{"finished_reason", "abort"}}), 1.0);
    QCOMPARE(figure(page, "num_requests_running"), 0.0);
    QCOMPARE(figure(page, "kv_cache_usage_perc"), 0.0);
    QCOMPARE(figure(page, "generation_tokens_total"),
             double(service.tally.statistics.totals().sampledTokens));
  }

  void draftsAreCounted() {
    EngineOptions options;
    options.speculation.drafter = DraftMethod::kNgram;
    options.speculation.draftLength = 3;
    Service service(options);
    Usage usage;
    for (int i = 0; i < 4; ++i)
      usage.add(service.post(kText, body(i, R"("temperature":0,"max_tokens":120,"ignore_eos":true)")).json());
    const MetricsPage page = pageOf(service);
    QVERIFY2(page.error.empty(), page.error.c_str());
    const SpeculationReport& report = service.tally.speculation;
    QVERIFY(report.acceptedTokens > 0);
    QCOMPARE(figure(page, "spec_decode_num_drafts_total"), double(report.drafts));
    QCOMPARE(figure(page, "spec_decode_num_draft_tokens_total"), double(report.draftedTokens));
    QCOMPARE(figure(page, "spec_decode_num_accepted_tokens_total"), double(report.acceptedTokens));
    QCOMPARE(report.positions.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i)
      QCOMPARE(
          figure(page, "spec_decode_num_accepted_tokens_per_pos_total", {{"position", std::to_string(i)}}),
          double(report.positions[i].accepted));
    QCOMPARE(figure(page, "generation_tokens_total"), double(usage.completions));
    QCOMPARE(service.tally.wrong.load(), 0);
  }

  void aNameOfAModelIsWrittenAsALabel_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("label");
    QTest::newRow("marks") << QByteArray("a \"quoted\" \\ model\nof two lines, {1}")
                           << QByteArray("a \"quoted\" \\ model\nof two lines, {1}");
    QTest::newRow("no UTF-8") << QByteArray("a\xff") << QByteArray("a\xef\xbf\xbd");
  }
  void aNameOfAModelIsWrittenAsALabel() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, label);
    const Service service({}, name.toStdString());
    const MetricsPage page = pageOf(service);
    QVERIFY2(page.error.empty(), page.error.c_str());
    for (const MetricSample& sample : page.samples)
      QCOMPARE(QByteArray::fromStdString(sample.labels.at("model_name")), label);
  }

  // The law: the answers are those without a scraper; and no counter ever falls.
  void aScraperDisturbsNoStream() {
    constexpr int kClients = 16;
    Service service;
    const std::string fields = R"("temperature":1,"max_tokens":48,"ignore_eos":true,"return_token_ids":true)";
    std::vector<QJsonArray> alone, streamed(kClients);
    for (int i = 0; i < kClients; ++i)
      alone.push_back(service.post(kText, body(i, fields))
                          .json()["choices"]
                          .toArray()[0]
                          .toObject()["token_ids"]
                          .toArray());
    std::atomic<int> done = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < kClients; ++i)
      clients.emplace_back([&, i] {
        const RawAnswer answer = service.post(kText, body(i, fields + R"(,"stream":true)"));
        for (const std::string& event : answer.events()) {
          const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(event)).object();
          for (const auto& choice : json["choices"].toArray())
            for (const auto& id : choice.toObject()["token_ids"].toArray())
              streamed[static_cast<std::size_t>(i)].append(id);
        }
        ++done;
      });
    RawClient scraper(service.port());
    int scrapes = 0;
    double tokens = 0;
    std::string complaint;
    while (done < kClients && complaint.empty()) {
      if (!scraper.send(getText("/metrics"))) complaint = "the connection ended";
      const MetricsPage page(scraper.readAnswer().body);
      complaint += page.error;
      const double now = figure(page, "generation_tokens_total");
      if (!(now >= tokens)) complaint += "tokens that fall";
      tokens = now;
      ++scrapes;
    }
    for (std::thread& client : clients) client.join();
    QVERIFY2(complaint.empty(), complaint.c_str());
    QVERIFY(scrapes > 1);
    double all = 0;
    for (std::size_t i = 0; i < kClients; ++i) {
      QVERIFY(!alone[i].empty());
      QCOMPARE(streamed[i], alone[i]);
      all += 2.0 * static_cast<double>(alone[i].size());
    }
    QCOMPARE(figure(pageOf(service), "generation_tokens_total"), all);
  }
};

QTEST_APPLESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
