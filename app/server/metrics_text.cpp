#include "server/metrics_text.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/api_error.h"

// Of prometheus-cpp the families and their text alone: its registry has a lock in each histogram, for which a
// step of the engine would wait.
namespace vitrine::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

class MetricsPage {
 public:
  explicit MetricsPage(const std::string& model) : m_labels{{"model_name", model}, {"engine", "0"}} {}

  void gauge(const char* name, const char* help, double value) {
    addFamily(name, help, MetricType::Gauge);
    addMetric().gauge.value = value;
  }
  // `name` without the "_total" that a counter's samples have.
  void counter(const std::string& name, const char* help, const LiveNumber& number) {
    addFamily(name + "_total", help, MetricType::Counter);
    addMetric().counter.value = static_cast<double>(number.read());
  }
  template <typename Numbers, typename ValueOf>
  void counters(const std::string& name, const char* help, const Numbers& numbers, const char* label,
                ValueOf valueOf) {
    addFamily(name + "_total", help, MetricType::Counter);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ClientMetric& metric = addMetric();
      metric.label.push_back({label, valueOf(i)});
      metric.counter.value = static_cast<double>(numbers[i].read());
    }
  }
  void histogram(const char* name, const char* help, const LiveHistogram& from) {
    addFamily(name, help, MetricType::Histogram);
    ClientMetric::Histogram& to = addMetric().histogram;
    to.sample_sum = from.sum();
    std::vector<double> bounds = from.bounds();
    bounds.push_back(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      to.sample_count += static_cast<std::uint64_t>(from.count(i));
      to.bucket.push_back({to.sample_count, bounds[i]});
    }
  }

  std::string text() const { return prometheus::TextSerializer().Serialize(m_families); }

 private:
  void addFamily(const std::string& name, const char* help, MetricType type) {
    m_families.push_back({"vllm:" + name, help, type, {}});
  }
  ClientMetric& addMetric() {
    ClientMetric& metric = m_families.back().metric.emplace_back();
    metric.label = m_labels;
    return metric;
  }

  const std::vector<ClientMetric::Label> m_labels;
  std::vector<MetricFamily> m_families;
};

void addState(MetricsPage& page, const EngineFigures& figures) {
  page.gauge("num_requests_running", "Sequences that run.", static_cast<double>(figures.running.read()));
  page.gauge("num_requests_waiting", "Sequences that wait.", static_cast<double>(figures.waiting.read()));
  page.gauge("kv_cache_usage_perc", "KV blocks that sequences hold, as a share of the pool: 0 to 1.",
             1 - static_cast<double>(figures.freeBlocks.read()) / figures.blocks);
}

void addCounters(MetricsPage& page, const EngineFigures& figures) {
  page.counter("prefix_cache_queries", "Prompt tokens looked up in the prefix cache.", figures.queriedTokens);
  page.counter("prefix_cache_hits", "Prompt tokens found in the prefix cache.", figures.hitTokens);
  page.counter("num_preemptions", "Preemptions of sequences.", figures.preemptions);
  page.counter("prompt_tokens", "Prompt tokens of requests that have a first token.", figures.promptTokens);
  page.counter("generation_tokens", "Tokens that were generated.", figures.generatedTokens);
  page.counters("request_success", "Requests that ended, by the reason.", figures.finished, "finished_reason",
                [](std::size_t i) { return EngineFigures::kFinishedReasons[i]; });
  if (!figures.drafts) return;
  page.counter("spec_decode_num_drafts", "Drafts that were verified.", figures.draftCount);
  page.counter("spec_decode_num_draft_tokens", "Tokens of these drafts.", figures.draftTokens);
  page.counter("spec_decode_num_accepted_tokens", "Those of them that were accepted.",
               figures.acceptedTokens);
  page.counters("spec_decode_num_accepted_tokens_per_pos",
                "Accepted tokens by their position in the draft, from 0.", figures.acceptedAt, "position",
                [](std::size_t i) { return std::to_string(i); });
}

void addHistograms(MetricsPage& page, const EngineFigures& figures) {
  page.histogram("time_to_first_token_seconds", "From submission to the first token.", figures.firstToken);
  page.histogram("inter_token_latency_seconds", "Between two consecutive tokens of an answer.",
                 figures.interToken);
  page.histogram("request_time_per_output_token_seconds",
                 "From the first token to the end, over the tokens behind the first.", figures.perToken);
  page.histogram("e2e_request_latency_seconds", "From submission to the end.", figures.endToEnd);
  page.histogram("request_queue_time_seconds", "From submission to the first admission.", figures.queue);
  page.histogram("request_prefill_time_seconds", "From the first admission to the first token.",
                 figures.prefill);
  page.histogram("request_decode_time_seconds", "From the first token to the end.", figures.decode);
  page.histogram("request_inference_time_seconds", "From the first admission to the end.", figures.inference);
  page.histogram("request_prompt_tokens", "Tokens of a prompt.", figures.promptLength);
  page.histogram("request_generation_tokens", "Tokens generated for a request.", figures.answerLength);
  page.histogram("iteration_tokens_total", "Tokens computed in a step.", figures.stepTokens);
}

}  // namespace

std::string metricsText(const EngineFigures& figures, const std::string& model) {
  // With a byte that is not UTF-8, no scraper would take the text.
  MetricsPage page(parseJson(textOf(model)).get<std::string>());
  addState(page, figures);
  addCounters(page, figures);
  addHistograms(page, figures);
  return page.text();
}

}  // namespace vitrine::server
