#include "connect/engine_load.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace vitrine::connect {
namespace {

struct MetricNames {
  ServerKind kind;
  std::string_view prefix;
};
constexpr std::array<MetricNames, 3> kMetricNames = {
    {{ServerKind::kVllm, "vllm:"}, {ServerKind::kSglang, "sglang:"}, {ServerKind::kLlamaCpp, "llamacpp:"}}};

using Figure = std::optional<double> EngineLoad::*;
enum class Fold { kSum, kShare, kSame };  // kSame: said where all series agree

// One name of a figure: without the prefix, and without the "_total" of a counter.
struct FigureSource {
  ServerKind kind;
  Figure figure;
  Fold fold;
  std::string_view name;
  std::string_view label = {};  // has the figure; empty: the sample's value is it
  std::string_view plus = {};   // another name, whose figure is added
};

// Of two rows with one figure the first that a page says is read: a newer name, mostly.
using enum ServerKind;
using enum Fold;
constexpr FigureSource kFigureSources[] = {
    {kVllm, &EngineLoad::running, kSum, "num_requests_running"},
    {kVllm, &EngineLoad::waiting, kSum, "num_requests_waiting"},
    {kVllm, &EngineLoad::cacheShare, kShare, "kv_cache_usage_perc"},
    {kVllm, &EngineLoad::cacheShare, kShare, "gpu_cache_usage_perc"},
    {kVllm, &EngineLoad::blocks, kSum, "cache_config_info", "num_gpu_blocks"},
    {kVllm, &EngineLoad::blockTokens, kSame, "cache_config_info", "block_size"},
    {kVllm, &EngineLoad::cacheTokens, kSum, "cache_config_info", "kv_cache_size_tokens"},
    {kVllm, &EngineLoad::saidHitShare, kShare, "gpu_prefix_cache_hit_rate"},
    {kVllm, &EngineLoad::saidTokensPerSecond, kSum, "avg_generation_throughput_toks_per_s"},
    {kVllm, &EngineLoad::promptTokens, kSum, "prompt_tokens"},
    {kVllm, &EngineLoad::generatedTokens, kSum, "generation_tokens"},
    {kVllm, &EngineLoad::queriedTokens, kSum, "prefix_cache_queries"},
    {kVllm, &EngineLoad::queriedTokens, kSum, "gpu_prefix_cache_queries"},
    {kVllm, &EngineLoad::hitTokens, kSum, "prefix_cache_hits"},
    {kVllm, &EngineLoad::hitTokens, kSum, "gpu_prefix_cache_hits"},
    {kVllm, &EngineLoad::preemptions, kSum, "num_preemptions"},
    {kVllm, &EngineLoad::finished, kSum, "request_success"},

    {kSglang, &EngineLoad::running, kSum, "num_running_reqs"},
    {kSglang, &EngineLoad::waiting, kSum, "num_queue_reqs"},
    {kSglang, &EngineLoad::cacheShare, kShare, "token_usage"},
    {kSglang, &EngineLoad::blockTokens, kSame, "cache_config_info", "page_size"},
    {kSglang, &EngineLoad::cacheTokens, kSum, "max_total_num_tokens"},
    {kSglang, &EngineLoad::saidHitShare, kShare, "cache_hit_rate"},
    {kSglang, &EngineLoad::saidTokensPerSecond, kSum, "gen_throughput"},
    {kSglang, &EngineLoad::promptTokens, kSum, "prompt_tokens"},
    {kSglang, &EngineLoad::generatedTokens, kSum, "generation_tokens"},
    {kSglang, &EngineLoad::queriedTokens, kSum, "prompt_tokens"},
    {kSglang, &EngineLoad::hitTokens, kSum, "cached_tokens"},
    {kSglang, &EngineLoad::preemptions, kSum, "num_retracted_requests"},
    {kSglang, &EngineLoad::finished, kSum, "num_requests"},

    {kLlamaCpp, &EngineLoad::running, kSum, "requests_processing"},
    {kLlamaCpp, &EngineLoad::waiting, kSum, "requests_deferred"},
    {kLlamaCpp, &EngineLoad::cacheShare, kShare, "kv_cache_usage_ratio"},
    {kLlamaCpp, &EngineLoad::promptTokens, kSum, "prompt_tokens"},
    {kLlamaCpp, &EngineLoad::generatedTokens, kSum, "tokens_predicted"},
    {kLlamaCpp, &EngineLoad::queriedTokens, kSum, "prompt_tokens", {}, "prompt_tokens_cached"},
    {kLlamaCpp, &EngineLoad::hitTokens, kSum, "prompt_tokens_cached"},
};

constexpr Figure kCounters[] = {&EngineLoad::promptTokens,  &EngineLoad::generatedTokens,
                                &EngineLoad::queriedTokens, &EngineLoad::hitTokens,
                                &EngineLoad::preemptions,   &EngineLoad::finished};

using Series = std::vector<const MetricSample*>;

// Empty: its metrics have no names of their own.
std::string_view prefixOf(ServerKind kind) {
  const auto found = std::ranges::find(kMetricNames, kind, &MetricNames::kind);
  return found == kMetricNames.end() ? std::string_view() : found->prefix;
}

std::optional<ServerKind> kindOf(std::span<const MetricSample> samples) {
  for (const MetricSample& sample : samples)
    for (const MetricNames& names : kMetricNames)
      if (sample.name.starts_with(names.prefix)) return names.kind;
  return {};
}

// The same for series that differ in a rank inside of one engine. A byte that no UTF-8 text has ends each
// part.
std::string keyOf(const MetricSample& sample) {
  std::string key;
  for (const auto& [name, value] : sample.labels)
    if (name != "tp_rank" && name != "pp_rank" && name != "moe_ep_rank")
      key += name + '\xff' + value + '\xff';
  return key;
}

// The series of one engine by their names, which are without prefix and "_total": those that a figure needs.
class EngineSeries {
 public:
  EngineSeries(std::span<const MetricSample> samples, ServerKind kind) {
    for (const FigureSource& source : kFigureSources)
      if (source.kind == kind) m_byName[source.name], m_byName[source.plus];
    std::map<std::string_view, std::set<std::string>> keys;
    for (const MetricSample& sample : samples) {
      std::string_view name = sample.name;
      if (!name.starts_with(prefixOf(kind))) continue;
      name.remove_prefix(prefixOf(kind).size());
      if (name.ends_with("_total")) name.remove_suffix(6);
      const auto place = m_byName.find(name);
      if (place != m_byName.end() && keys[place->first].insert(keyOf(sample)).second)
        place->second.push_back(&sample);
    }
  }

  const Series& of(std::string_view name) const { return m_byName.at(name); }

 private:
  std::map<std::string_view, Series> m_byName;
};

std::optional<double> valueOf(const MetricSample& sample, std::string_view label) {
  if (label.empty()) return sample.value;
  const std::string* text = sample.label(label);
  if (!text) return {};
  double value = 0;
  const char* const textEnd = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), textEnd, value);
  if (error != std::errc() || end != textEnd) return {};  // "None", too
  return value;
}

std::optional<double> folded(const Series& series, Fold fold, std::string_view label) {
  if (series.empty()) return {};
  double sum = 0;
  std::optional<double> first;
  for (const MetricSample* sample : series) {
    const std::optional<double> value = valueOf(*sample, label);
    if (!value || !std::isfinite(*value) || *value < 0 || (fold == kShare && *value > 1)) return {};
    if (!first) first = value;
    if (fold == kSame && *value != *first) return {};
    sum += *value;
  }
  if (fold == kSame) return first;
  return fold == kShare ? std::min(sum / static_cast<double>(series.size()), 1.0) : sum;
}

// How far a counter went; none: it is not said in both.
std::optional<double> stepOf(const EngineLoad& before, const EngineLoad& after, Figure counter) {
  if (!(before.*counter) || !(after.*counter)) return {};
  return *(after.*counter) - *(before.*counter);
}

}  // namespace

EngineLoad engineLoad(std::span<const MetricSample> samples) {
  EngineLoad load;
  load.kind = kindOf(samples);
  if (!load.kind) return load;
  const EngineSeries series(samples, *load.kind);
  for (const FigureSource& source : kFigureSources) {
    if (source.kind != *load.kind || load.*source.figure) continue;
    std::optional<double> value = folded(series.of(source.name), source.fold, source.label);
    if (value && !source.plus.empty()) {
      const std::optional<double> more = folded(series.of(source.plus), source.fold, source.label);
      value = more ? std::optional(*value + *more) : std::nullopt;
    }
    if (value && std::isfinite(*value)) load.*source.figure = value;
  }
  return load;
}

LoadRates ratesBetween(const EngineLoad& before, const EngineLoad& after, double seconds) {
  if (before.kind != after.kind || !(seconds > 0)) return {};
  for (Figure counter : kCounters)
    if (stepOf(before, after, counter).value_or(0) < 0) return {};
  const auto perSecond = [&](Figure counter) {
    std::optional<double> step = stepOf(before, after, counter);
    if (step) *step /= seconds;
    return step;
  };
  LoadRates rates;
  rates.promptTokensPerSecond = perSecond(&EngineLoad::promptTokens);
  rates.generatedTokensPerSecond = perSecond(&EngineLoad::generatedTokens);
  const auto queried = stepOf(before, after, &EngineLoad::queriedTokens);
  const auto hits = stepOf(before, after, &EngineLoad::hitTokens);
  if (queried && hits && *queried > 0 && *hits <= *queried) rates.hitShare = *hits / *queried;
  return rates;
}

void LoadHistory::add(double seconds, const EngineLoad& load) {
  LoadMoment moment{seconds, load, {}, m_hasGap};
  if (!m_moments.empty()) {
    const LoadMoment& last = m_moments.back();
    if (!(seconds > last.seconds)) return;
    if (!m_hasGap) moment.rates = ratesBetween(last.load, load, seconds - last.seconds);
  }
  m_hasGap = false;
  m_moments.push_back(std::move(moment));
  if (m_moments.size() > m_most) m_moments.pop_front();
}

}  // namespace vitrine::connect
