#include "desk/chat_run.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "common/chat_prompt.h"
#include "vitrine/engine.h"
#include "vitrine/place_name.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

constexpr double kLoadShare = 0.2;  // of the whole work, on the bar alone
constexpr int kCandidates = 20;     // of each stage of the sampler, as many as its panel shows at once

// Writes the trace, and remembers what the report and the bookmarks need of it.
class Recorder final : public EventSink {
 public:
  explicit Recorder(const std::filesystem::path& file) : m_writer(file) {}

  void publish(const Event& event) override {
    m_writer.publish(event);
    m_step = event.step;
    if (const auto* failed = bodyOf<EngineFailed>(event)) m_failure = *failed;
    if (isA<TokenSampled>(event)) ++m_tokens;
  }
  void markNextStep() { m_bookmarks.insert(m_step + 1); }
  std::int64_t tokens() const { return m_tokens; }
  const std::optional<EngineFailed>& failure() const { return m_failure; }
  void finish() { m_writer.finish(m_bookmarks); }

 private:
  TraceWriter m_writer;
  std::set<int> m_bookmarks;
  std::optional<EngineFailed> m_failure;
  std::int64_t m_tokens = 0;
  int m_step = 0;
};

EngineError cancelled() { return {ErrorCode::kCancelled, "the trace was cancelled"}; }

// The prompt as the chat had it, with room for as long an answer as then. An answer that was stopped ends
// where it was stopped.
Request requestOf(const Engine& engine, const AnswerTurn& turn, std::size_t number) {
  Request request = fittingChatRequest(engine, turn.dialogue, turn.request).request;
  request.name = "answer-" + std::to_string(number);
  if (turn.answer.state == MessageState::kStopped)
    request.maxTokens = static_cast<int>(std::max(turn.answer.tokens.size(), request.outputIds.size() + 1));
  return request;
}

// Where the tokens differ, from 1; 0: nowhere.
int firstDifference(const std::vector<AnswerToken>& kept, const std::vector<TokenId>& computed) {
  const auto [then, now] = std::ranges::mismatch(kept, computed, {}, &AnswerToken::id);
  if (then == kept.end() && now == computed.end()) return 0;
  return static_cast<int>(then - kept.begin()) + 1;
}

// Answers of an older program have the name of the model's file.
bool isCalled(const ModelInfo& model, const std::string& name) {
  const std::string file = placeName(model.path);
  return name == model.name || name == file || name + ".gguf" == file;
}

}  // namespace

ChatRun chatRun(const ChatRecord& chat, const EngineLoaded& engine, const EngineOptions& options) {
  ChatRun run{engine.model.path, options, {}};
  for (const MessageId id : chat.shownPath()) {
    std::optional<AnswerTurn> turn = answerTurn(chat, id);
    if (!turn || turn->answer.state == MessageState::kFailed) continue;
    if (const std::string then = turn->answer.provenance.model.toStdString(); !isCalled(engine.model, then))
      throw EngineError(
          ErrorCode::kUnavailable,
          "an answer of this chat comes from the model " + then + ", and " + engine.model.name + " is open",
          "Open " + then + ", then export the trace again.");
    run.answers.push_back(std::move(*turn));
  }
  if (run.answers.empty())
    throw EngineError(ErrorCode::kInvalidArgument,
                      "no answer of this chat was computed here, so there is no run to compute again",
                      "Export the chat as Markdown, as a web page, or with all its branches.");
  return run;
}

ChatRunReport recordChatRun(const ChatRun& run, const std::filesystem::path& file,
                            const ChatRunProgress& progress) {
  std::size_t expected = 0;
  for (const AnswerTurn& turn : run.answers) expected += turn.answer.tokens.size();
  Recorder recorder(file);
  const auto engine = Engine::load(run.model, run.options, recorder, [&](double fraction, const char*) {
    return progress(fraction * kLoadShare, 0);
  });
  engine->setDetail({kCandidates, {}, true});
  ChatRunReport report;
  for (std::size_t i = 0; i < run.answers.size(); ++i) {
    const AnswerTurn& turn = run.answers[i];
    const RequestId request = engine->submit(requestOf(*engine, turn, i + 1));
    recorder.markNextStep();
    while (!engine->isFinished(request)) {
      const double part = static_cast<double>(recorder.tokens()) / static_cast<double>(expected);
      if (!progress(kLoadShare + (1 - kLoadShare) * std::min(part, 1.0), static_cast<int>(i) + 1))
        throw cancelled();
      engine->passTime(engine->idleNs());
      engine->step();
      if (const auto& failure = recorder.failure())
        throw EngineError(ErrorCode::kOutOfMemory, failure->message, failure->hint);
    }
    const RequestResult result = engine->takeResult(request);
    const int differs = firstDifference(turn.answer.tokens, result.sequences.front().tokenIds);
    if (differs > 0 && report.differsIn == 0) report = {static_cast<int>(i) + 1, differs};
  }
  recorder.finish();
  return report;
}

}  // namespace vitrine
