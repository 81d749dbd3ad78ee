// Every option outside its range is refused, by the name a user knows it by.
#include "vitrine/options.h"

#include <QTest>
#include <functional>
#include <limits>

#include "vitrine/error.h"

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
    edge.sampling = {1e-9, -2, 2, 0, 0, 1, 1, ~std::uint64_t{0}};
    edge.validate();
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
        {"--repetition-penalty", [](Request& r) { r.sampling.repetitionPenalty = 0; }},
        {"--repetition-penalty", [](Request& r) { r.sampling.repetitionPenalty = kInfinity; }},
        {"--presence-penalty", [](Request& r) { r.sampling.presencePenalty = kNan; }},
        {"--frequency-penalty", [](Request& r) { r.sampling.frequencyPenalty = -kInfinity; }},
        {"--max-tokens", [](Request& r) { r.maxTokens = 0; }},
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
