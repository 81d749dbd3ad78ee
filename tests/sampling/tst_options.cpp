// Every option outside its range is refused, by the name a user knows it by.
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "vitrine/error.h"
#include "vitrine/option_schema.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string refusal(const std::function<void()>& validate) {
  try {
    validate();
  } catch (const EngineError& error) {
    return error.code() == ErrorCode::kInvalidArgument ? error.what() : "another code";
  }
  return "";
}

// Written by hand, so that a slip in the schema shows. Without bounds: whatever the type holds.
struct Range {
  double least = -kInfinity, most = kInfinity;
  bool above = false;
  bool operator==(const Range&) const = default;
};
const std::map<std::string, Range> kEngineRanges = {{"max_sequences", {0, 65536}},
                                                    {"token_budget", {1, 16777216}},
                                                    {"window_ms", {0, 60000}},
                                                    {"aging_steps", {0, 1048576}},
                                                    {"num_blocks", {0, 1048576}},
                                                    {"kv_memory", {0}},
                                                    {"block_size", {1, 256}},
                                                    {"host_swap", {0}},
                                                    {"disk_swap", {0}},
                                                    {"sink_tokens", {0, 1048576}},
                                                    {"window_tokens", {1, 16777216}},
                                                    {"heavy_tokens", {0, 16777216}},
                                                    {"threads", {0, 1024}},
                                                    {"seed", {}},
                                                    {"draft_length", {1, 16}},
                                                    {"exit_layer", {0}},
                                                    {"ngram_length", {1, 16}}};
const std::map<std::string, Range> kRequestRanges = {{"max_tokens", {0}},
                                                     {"n", {1, 1024}},
                                                     {"best_of", {0, 1024}},
                                                     {"beam_width", {1, 16}},
                                                     {"length_penalty", {-10, 10}},
                                                     {"priority", {}},
                                                     {"deadline_ms", {0}},
                                                     {"logprobs", {0}},
                                                     {"cache_salt", {}},
                                                     {"repetition_penalty", {0, kInfinity, true}},
                                                     {"presence_penalty", {}},
                                                     {"frequency_penalty", {}},
                                                     {"temperature", {0}},
                                                     {"top_k", {0}},
                                                     {"top_p", {0, 1, true}},
                                                     {"min_p", {0, 1}},
                                                     {"typical_p", {0, 1, true}},
                                                     {"seed", {}}};

// The schema's ranges, as the table above writes them.
template <typename ForEach>
std::map<std::string, Range> rangesOf(const ForEach& forEach) {
  std::map<std::string, Range> ranges;
  forEach([&](const auto& info, const auto& access) {
    using Value = std::remove_cvref_t<decltype(access(std::declval<typename ForEach::Options&>()))>;
    if constexpr (Numeric<Value>) {
      using Limits = std::numeric_limits<typename OptionInfo<Value>::Bound>;
      Range& range = ranges[info.key];
      if (info.least != Limits::lowest()) range.least = static_cast<double>(info.least);
      if (info.most != Limits::max()) range.most = static_cast<double>(info.most);
      range.above = info.above;
    }
  });
  return ranges;
}
struct EachEngineOption {
  using Options = EngineOptions;
  void operator()(const auto& visit) const { forEachEngineOption(visit); }
};
struct EachRequestOption {
  using Options = Request;
  void operator()(const auto& visit) const { forEachRequestOption(visit); }
};

// The values beside an edge of a range: the last one inside, the first one outside.
template <typename Value>
Value beside(double edge, double direction) {
  if constexpr (std::is_floating_point_v<Value>)
    return std::nextafter(edge, direction);
  else
    return static_cast<Value>(edge) + (direction > 0 ? 1 : -1);
}

// Sets the option at its edges and beyond them, and returns what validate() answers wrongly.
template <typename Options, typename Value>
std::vector<std::string> wrongAtEdges(const Range& range, const std::string& key, const auto& access) {
  std::vector<std::string> wrong;
  std::string option = "--" + key;
  std::ranges::replace(option, '_', '-');
  const auto expect = [&](Value value, bool taken) {
    Options options;
    access(options) = value;
    const std::string message = refusal([&] { options.validate(); });
    if (taken ? !message.empty() : !message.starts_with(option + " must be "))
      wrong.push_back(option + " " + std::to_string(value) + ": " + message);
  };
  if (std::isfinite(range.least)) {
    expect(static_cast<Value>(range.least), !range.above);
    if (range.above) expect(beside<Value>(range.least, kInfinity), true);
    expect(beside<Value>(range.least, -kInfinity), false);
  }
  if (std::isfinite(range.most)) {
    expect(static_cast<Value>(range.most), true);
    expect(beside<Value>(range.most, kInfinity), false);
  }
  if constexpr (std::is_floating_point_v<Value>)
    for (const double value : {kNan, kInfinity, -kInfinity}) expect(value, false);
  return wrong;
}

struct Case {
  const char* option;
  std::function<void(Request&)> spoil;
};

}  // namespace

class TestOptions : public QObject {
  Q_OBJECT

 private slots:
  void defaultsAreValid() {
    Request().validate();
    EngineOptions().validate();
    Request edge;
    edge.sampling = {.repetitionPenalty = 1e-9,
                     .presencePenalty = -2,
                     .frequencyPenalty = 2,
                     .temperature = 0,
                     .topK = 0,
                     .topP = 1,
                     .minP = 1,
                     .typicalP = 1e-9,
                     .seed = ~std::uint64_t{0}};
    edge.validate();
  }

  void theRangesAreThese() {
    QVERIFY(rangesOf(EachEngineOption()) == kEngineRanges);
    QVERIFY(rangesOf(EachRequestOption()) == kRequestRanges);
  }

  void everyEdgeIsKept() {
    std::size_t seen = 0;
    const auto check = [&]<typename ForEach>(const ForEach& forEach, const auto& ranges) {
      forEach([&](const auto& info, const auto& access) {
        using Options = typename ForEach::Options;
        using Value = std::remove_cvref_t<decltype(access(std::declval<Options&>()))>;
        if constexpr (Numeric<Value>) {
          const auto wrong = wrongAtEdges<Options, Value>(ranges.at(info.key), info.key, access);
          QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong.front().c_str());
          ++seen;
        }
      });
    };
    check(EachEngineOption(), kEngineRanges);
    check(EachRequestOption(), kRequestRanges);
    QCOMPARE(seen, kEngineRanges.size() + kRequestRanges.size());
  }

  void aMessageNamesTheRange() {
    const auto said = [](const auto& spoil) {
      Request request;
      spoil(request);
      return refusal([&] { request.validate(); });
    };
    QCOMPARE(said([](Request& r) { r.sampling.topP = 2; }),
             std::string("--top-p must be above 0 and at most 1, not 2"));
    QCOMPARE(said([](Request& r) { r.sampling.temperature = -1; }),
             std::string("--temperature must be a number of 0 (greedy) or more, not -1"));
    QCOMPARE(said([](Request& r) { r.sampling.repetitionPenalty = 0; }),
             std::string("--repetition-penalty must be a number above 0, not 0"));
    QCOMPARE(said([](Request& r) { r.sampling.presencePenalty = kNan; }),
             std::string("--presence-penalty must be a finite number, not nan"));
    QCOMPARE(said([](Request& r) { r.lengthPenalty = 11; }),
             std::string("--length-penalty must be from -10 to 10, not 11"));
    QCOMPARE(said([](Request& r) { r.maxTokens = -1; }),
             std::string("--max-tokens must be 0 (no limit) or more, not -1"));
    QCOMPARE(said([](Request& r) { r.sequences = 1025; }),
             std::string("--n must be from 1 to 1024, not 1025"));
  }

  // A form, a file and the command line need all of it; keys and accelerators must not meet twice.
  void everyOptionIsDescribed() {
    std::set<std::string> keys;
    std::map<OptionPage, std::set<char>> letters;
    const auto check = [&](const auto& info, const auto&) {
      const std::string label = info.label, help = info.help;
      QVERIFY2(!label.empty() && !help.empty() && !help.ends_with('.'), info.key);
      QVERIFY2(std::string(info.key).find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos,
               info.key);
      QVERIFY2(keys.insert(std::string(nameOf(info.page)) + "/" + info.key).second, info.key);
      for (const char* word : info.labels) QVERIFY2(word != nullptr, info.key);
      if (const auto at = label.find('&'); at != std::string::npos)
        QVERIFY2(letters[info.page].insert(static_cast<char>(std::tolower(label[at + 1]))).second, info.key);
    };
    forEachEngineOption(check);
    forEachRequestOption(check);
  }

  void requestsOutsideTheirRangeAreRefused() {
    const std::vector<Case> cases = {
        {"--temperature", [](Request& r) { r.sampling.temperature = -0.1; }},
        {"--temperature", [](Request& r) { r.sampling.temperature = kNan; }},
        {"--temperature", [](Request& r) { r.sampling.temperature = kInfinity; }},
        {"--top-k", [](Request& r) { r.sampling.topK = -1; }},
        {"--top-p", [](Request& r) { r.sampling.topP = 0; }},
        {"--top-p", [](Request& r) { r.sampling.topP = 1.01; }},
        {"--top-p", [](Request& r) { r.sampling.topP = kNan; }},
        {"--min-p", [](Request& r) { r.sampling.minP = -0.01; }},
        {"--min-p", [](Request& r) { r.sampling.minP = kNan; }},
        {"--typical-p", [](Request& r) { r.sampling.typicalP = 0; }},
        {"--typical-p", [](Request& r) { r.sampling.typicalP = 1.01; }},
        {"--typical-p", [](Request& r) { r.sampling.typicalP = kNan; }},
        {"--repetition-penalty", [](Request& r) { r.sampling.repetitionPenalty = 0; }},
        {"--repetition-penalty", [](Request& r) { r.sampling.repetitionPenalty = kInfinity; }},
        {"--presence-penalty", [](Request& r) { r.sampling.presencePenalty = kNan; }},
        {"--frequency-penalty", [](Request& r) { r.sampling.frequencyPenalty = -kInfinity; }},
        {"--max-tokens", [](Request& r) { r.maxTokens = -1; }},
        {"--n", [](Request& r) { r.sequences = 0; }},
        {"--n", [](Request& r) { r.sequences = 1 << 30; }},
        {"--logprobs", [](Request& r) { r.logprobs = -1; }},
        {"--beam-width", [](Request& r) { r.beamWidth = kMaxBeams + 1; }},
        {"--length-penalty", [](Request& r) { r.lengthPenalty = kNan; }},
        {"--length-penalty", [](Request& r) { r.lengthPenalty = -10.5; }},
        {"--best-of",
         [](Request& r) {
           r.sequences = 3;
           r.bestOf = 2;
         }},
        {"--stop",
         [](Request& r) {
           r.stop = {"a", ""};
         }},
    };
    for (const Case& item : cases) {
      Request request;
      item.spoil(request);
      const std::string message = refusal([&] { request.validate(); });
      QVERIFY2(message.starts_with(std::string(item.option) + " must"),
               (item.option + (": " + message)).c_str());
    }
  }

  void engineOptionsOutsideTheirRangeAreRefused() {
    EngineOptions options;
    const auto expect = [&](const char* option) {
      const std::string message = refusal([&] { options.validate(); });
      options = {};
      QVERIFY2(message.starts_with(option), (option + (": " + message)).c_str());
    };
    options.threads = -1;
    expect("--threads");
    options.blockSize = 0;
    expect("--block-size");
    options.blockSize = 257;
    expect("--block-size");
    options.numBlocks = -1;
    expect("--num-blocks");
    options.kvMemoryBytes = -1;
    expect("--kv-memory");
    options.maxSequences = -1;
    expect("--max-sequences");
    options.tokenBudget = 0;
    expect("--token-budget");
  }
};

QTEST_APPLESS_MAIN(TestOptions)
#include "tst_options.moc"
