// Answers of the API as a client reads them, and as the engine alone gives them.
#pragma once

#include <QJsonArray>
#include <map>
#include <nlohmann/json.hpp>

#include "server/api_plan.h"
#include "server/model_service.h"

namespace vitrine::test {

inline constexpr const char *kChat = "/v1/chat/completions", *kText = "/v1/completions";

inline QJsonObject firstChoice(const QJsonObject& answer) {
  return answer["choices"].toArray().at(0).toObject();
}
inline QString messageOf(const QJsonObject& choice) {
  return choice["message"].toObject()["content"].toString();
}
inline QJsonObject chunk(const std::string& event) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(event)).object();
}

inline std::string chatBody(const std::string& question, const std::string& fields) {
  return R"({"messages":[{"role":"user","content":")" + question + "\"}]," + fields + "}";
}

// A stream put together again.
struct Streamed {
  std::map<int, QString> texts, reasons;
  std::map<int, QJsonArray> tokens, logprobs;
  QJsonObject usage;
  bool done = false, isWhole = false;

  explicit Streamed(const RawAnswer& answer) : isWhole(answer.whole) {
    for (const std::string& event : answer.events()) {
      done = event == "[DONE]";
      const QJsonObject json = chunk(event);
      if (json["usage"].isObject()) usage = json["usage"].toObject();
      for (const auto& value : json["choices"].toArray()) {
        const QJsonObject choice = value.toObject();
        const int index = choice["index"].toInt();
        texts[index] += choice.contains("text") ? choice["text"].toString()
                                                : choice["delta"].toObject()["content"].toString();
        if (choice["finish_reason"].isString()) reasons[index] = choice["finish_reason"].toString();
        for (const auto& id : choice["token_ids"].toArray()) tokens[index].append(id);
        for (const auto& one : choice["logprobs"].toObject()["content"].toArray())
          logprobs[index].append(one);
      }
    }
  }
};

// An engine for one request at a time, as `vitrine-cli generate` has it.
class AloneEngine {
 public:
  AloneEngine() : m_engine(Engine::load(builtinModelDirectory(), {}, m_events)) {}
  RequestResult answer(const RequestArguments& arguments) {
    const RequestId id = m_engine->submit(arguments.toRequest(*m_engine));
    m_engine->run();
    return m_engine->takeResult(id);
  }
  RequestResult answer(const char* path, const std::string& body) {
    const auto kind = path == std::string(kChat) ? server::ApiKind::kChat : server::ApiKind::kCompletion;
    return answer(server::planOf(kind, parseJson(body), Service::modelOf(*m_engine)).prompts.front());
  }

 private:
  server::AnswerEvents m_events;
  std::unique_ptr<Engine> m_engine;
};

}  // namespace vitrine::test
