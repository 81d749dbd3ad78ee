#include "server/served_requests.h"

#include <algorithm>
#include <ctime>

#include "common/recommended_sampling.h"

namespace vitrine::server {
namespace {

// `done` hears of each error, so that no client waits in vain.
template <typename Work, typename Done>
void answering(const Work& work, const Done& done) {
  try {
    done(work(), nullptr);
  } catch (const EngineError& error) {
    done({}, &error);
  } catch (const std::exception& error) {
    const EngineError failure(ErrorCode::kIo, error.what());
    done({}, &failure);
  }
}

const Tokenizer& tokenizerOf(const ServedModel& model) {
  if (model.tokenizer != nullptr) return *model.tokenizer;
  throw EngineError(ErrorCode::kUnavailable, "the model has no tokenizer");
}

}  // namespace

ServedModel servedModel(const Engine& engine, const std::filesystem::path& path) {
  const EngineLoaded& loaded = engine.description();
  ServedModel model;
  model.name = loaded.model.name;
  model.contextLength = loaded.model.contextLength;
  model.loaded = static_cast<std::int64_t>(std::time(nullptr));
  SamplingOptions plain;
  plain.temperature = 1;  // the field's default
  model.sampling = recommendedSampling(path).value_or(plain);
  model.hasPriorities = kWithPriority.holds(loaded.options);
  model.tokenizer = engine.tokenizer();
  return model;
}

ServedRequests::ServedRequests(Engine& engine, AnswerEvents& events, std::shared_ptr<const ServedModel> model,
                               Finished finished, std::function<void()> over)
    : m_engine(engine),
      m_events(events),
      m_model(std::move(model)),
      m_finished(finished),
      m_over(std::move(over)) {}

void ServedRequests::begin(ServedId id, const std::shared_ptr<const ServedModel>& plannedFor,
                           const std::vector<RequestArguments>& prompts,
                           const std::shared_ptr<AnswerSink>& sink) {
  Group& group = m_groups[id];
  group.sink = sink;
  try {
    if (plannedFor != m_model) throw EngineError(ErrorCode::kCancelled, "another model was opened meanwhile");
    int answers = 0;
    for (const RequestArguments& prompt : prompts) {
      const int count = prompt.request.sequences;
      Request request = prompt.toRequest(m_engine);
      request.name.clear();
      const RequestId given = m_engine.submit(std::move(request));
      group.requests.push_back(given);
      m_running[given] = {id, answers, prompt.request.searches(),
                          std::vector<std::size_t>(static_cast<std::size_t>(count))};
      answers += count;
    }
  } catch (const EngineError& error) {
    return refuse(id, error);
  } catch (const std::exception& error) {  // no memory, for one
    return refuse(id, EngineError(ErrorCode::kIo, error.what()));
  }
  sink->accepted();
}

// The prompts before the one that was refused end unheard.
void ServedRequests::refuse(ServedId id, const EngineError& error) {
  Group& group = m_groups.at(id);
  group.sink->refused(error);
  group.sink.reset();
  if (group.requests.empty()) return end(id);
  cancel(group);
}

void ServedRequests::cancel(ServedId id) {
  const auto group = m_groups.find(id);
  if (group != m_groups.end()) cancel(group->second);
}

void ServedRequests::cancelAll() {
  for (auto& [id, group] : m_groups) cancel(group);
}

void ServedRequests::cancel(Group& group) {
  group.cancelled = true;
  for (const RequestId request : group.requests)
    m_engine.cancel(request);  // its events are kept until deliver()
}

void ServedRequests::end(ServedId id) {
  m_groups.erase(id);
  m_over();
}

void ServedRequests::encode(const RequestArguments& prompt, const Served::Encoded& done) const {
  answering(
      [&] {
        if (prompt.chat) return prompt.toRequest(m_engine).tokenIds;
        return tokenizerOf(*m_model).encode(prompt.request.prompt, prompt.request.addSpecialTokens);
      },
      done);
}

void ServedRequests::decode(const std::vector<TokenId>& ids, const Served::Decoded& done) const {
  answering(
      [&] {
        const Tokenizer& tokenizer = tokenizerOf(*m_model);
        const auto isUnknown = [&](TokenId id) { return id >= tokenizer.vocabularySize(); };
        if (std::ranges::any_of(ids, isUnknown))
          throw EngineError(ErrorCode::kInvalidArgument, "an id lies outside the model's vocabulary");
        return tokenizer.decode(ids, false);
      },
      done);
}

void ServedRequests::watch(const std::shared_ptr<EventSink>& sink) const {
  m_events.addWatcher(sink, m_engine.description(), m_engine.snapshot());
}

void ServedRequests::deliver() {
  for (AnswerEvents::News& news : m_events.takeNews()) {
    const auto running = m_running.find(news.request);
    if (running == m_running.end()) continue;
    const std::shared_ptr<AnswerSink>& sink = m_groups.at(running->second.group).sink;
    if (!sink) continue;
    const int index = news.written.answer;
    std::size_t& given = running->second.logprobs[static_cast<std::size_t>(index)];
    const std::span<const TokenLogprob> all = m_engine.logprobs(news.request, index);
    news.written.logprobs.assign(all.begin() + static_cast<std::ptrdiff_t>(std::min(given, all.size())),
                                 all.end());
    given = all.size();
    news.written.answer += running->second.firstAnswer;
    sink->wrote(std::move(news.written));
  }
  for (const RequestId request : m_events.takeFinished()) take(request);
}

void ServedRequests::take(RequestId request) {
  const auto running = m_running.find(request);
  if (running == m_running.end()) return;
  const Running ended = std::move(running->second);
  const ServedId id = ended.group;
  m_running.erase(running);
  RequestResult result = m_engine.takeResult(request);
  if (m_finished == Finished::kForgotten) m_engine.forget(request);  // a server runs for long
  Group& group = m_groups.at(id);
  std::erase(group.requests, request);
  group.usage.promptTokens += result.promptTokens;
  group.usage.cachedTokens += result.cachedTokens;
  for (const SequenceResult& sequence : result.sequences) {
    group.usage.completionTokens += static_cast<int>(sequence.tokenIds.size());
    group.failed = group.failed || sequence.reason == FinishReason::kFailed;
    // Also by the engine's host, such as a person at its window.
    group.cancelled = group.cancelled || sequence.reason == FinishReason::kCancelled;
  }
  const bool isWhole = !group.cancelled && !group.failed;
  if (ended.searches && isWhole && group.sink)
    giveSearched(std::move(result), ended.firstAnswer, *group.sink);
  if (!group.requests.empty()) return;
  if (const std::shared_ptr<AnswerSink> sink = group.sink) {
    if (group.cancelled)
      sink->failed(EngineError(ErrorCode::kCancelled, "the request was cancelled"));
    else if (group.failed)
      sink->failed(EngineError(ErrorCode::kIo, "the engine failed: " + m_events.failure()));
    else
      sink->finished(group.usage);
  }
  end(id);
}

void ServedRequests::giveSearched(RequestResult result, int firstAnswer, AnswerSink& sink) {
  for (SequenceResult& one : result.sequences)
    sink.wrote(
        {firstAnswer++, std::move(one.text), std::move(one.tokenIds), std::move(one.logprobs), one.reason});
}

void ServedRequests::failAll(const EngineError& why) {
  m_running.clear();
  while (!m_groups.empty()) {
    const auto first = m_groups.begin();
    if (const std::shared_ptr<AnswerSink> sink = first->second.sink) sink->failed(why);
    end(first->first);
  }
}

}  // namespace vitrine::server
