#include "server/api_server.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "server/api_answer.h"
#include "server/metrics_text.h"
#include "vitrine/message_text.h"

namespace vitrine::server {
namespace {

struct ApiRoute {
  const char *path, *method;
};
constexpr std::array kRoutes = {ApiRoute{"/health", "GET"},
                                ApiRoute{"/metrics", "GET"},
                                ApiRoute{"/v1/models", "GET"},
                                ApiRoute{"/v1/completions", "POST"},
                                ApiRoute{"/v1/chat/completions", "POST"},
                                ApiRoute{"/tokenize", "POST"},
                                ApiRoute{"/detokenize", "POST"}};

std::optional<ApiError> misrouted(const HttpRequest& request) {
  const auto isThere = [&](const ApiRoute& route) { return request.path == route.path; };
  const auto route = std::ranges::find_if(kRoutes, isThere);
  if (route == kRoutes.end())
    return ApiError(404, "there is nothing at " + forMessage(request.path, 100), "", "not_found");
  if (request.method == route->method) return std::nullopt;
  return ApiError(405, std::string(route->path) + " takes " + route->method + " alone", "",
                  "method_not_allowed");
}

}  // namespace

ApiServer::ApiServer(Served& served, AccessRules rules, int mostUnderWay)
    : m_served(served), m_rules(std::move(rules)), m_mostUnderWay(mostUnderWay) {}

// Before its body is read: a client without the token sends none of it.
std::optional<HttpAnswer> ApiServer::refuse(const HttpRequest& head) {
  const bool open = head.path == "/health";  // it says nothing but that there is a server
  if (const auto error = m_rules.refusal(head, open)) return error->toAnswer();
  if (const auto error = misrouted(head)) {
    HttpAnswer answer = error->toAnswer();
    if (answer.status == 405) answer.headers.emplace_back("Allow", head.method == "GET" ? "POST" : "GET");
    return answer;
  }
  return std::nullopt;
}

void ApiServer::handle(HttpRequest request, const std::shared_ptr<Responder>& responder) {
  try {
    if (!m_served.isOpen()) throw ApiError(503, "the server is shutting down", "", "shutting_down");
    if (request.path == "/health")
      responder->answer({200, R"({"status":"ok"})"});
    else if (request.path == "/metrics")
      responder->answer({200, m_served.metrics(), kMetricsType});
    else if (request.path == "/v1/models")
      responder->answer(models());
    else if (request.path == "/tokenize")
      tokenize(request, responder);
    else if (request.path == "/detokenize")
      responder->answer(detokenize(request));
    else
      complete(request, request.path == "/v1/chat/completions", responder);
  } catch (const ApiError& error) {
    responder->answer(error.toAnswer());
  }
}

HttpAnswer ApiServer::explain(int status, const std::string& message) {
  return ApiError(status, message).toAnswer();
}

HttpAnswer ApiServer::models() const {
  const ServedModel& model = m_served.model();
  const Json one = {{"id", model.name},
                    {"object", "model"},
                    {"created", model.loaded},
                    {"owned_by", "vitrine"},
                    {"max_model_len", model.contextLength}};
  return {200, textOf({{"object", "list"}, {"data", Json::array({one})}})};
}

void ApiServer::complete(const HttpRequest& request, bool chat, const std::shared_ptr<Responder>& responder) {
  if (m_served.underWay() >= m_mostUnderWay)
    throw ApiError(429, "so many requests are under way already: " + std::to_string(m_mostUnderWay), "",
                   "too_many_requests");
  const ServedModel& model = m_served.model();
  ApiPlan plan = planOf(chat ? ApiKind::kChat : ApiKind::kCompletion, jsonBodyOf(request), model);
  const auto answer = std::make_shared<ApiAnswer>(plan, model, responder);
  const ServedId id = m_served.submit(std::move(plan.prompts), answer);
  responder->onGone([this, id] { m_served.cancel(id); });
}

void ApiServer::tokenize(const HttpRequest& request, const std::shared_ptr<Responder>& responder) {
  const ServedModel& model = m_served.model();
  m_served.encode(
      promptToEncode(jsonBodyOf(request), model),
      [responder, length = model.contextLength](const std::vector<TokenId>& ids, const EngineError* error) {
        if (error != nullptr) return responder->answer(ApiError::of(*error).toAnswer());
        responder->answer({200, textOf({{"count", ids.size()}, {"max_model_len", length}, {"tokens", ids}})});
      });
}

HttpAnswer ApiServer::detokenize(const HttpRequest& request) const {
  const ServedModel& model = m_served.model();
  const std::vector<TokenId> ids = tokensToDecode(jsonBodyOf(request), model);
  if (model.tokenizer == nullptr) throw ApiError(400, "the model has no tokenizer", "", "unavailable");
  const auto isUnknown = [&](TokenId id) { return id >= model.tokenizer->vocabularySize(); };
  if (std::ranges::any_of(ids, isUnknown))
    throw ApiError(400, "an id lies outside the model's vocabulary", "tokens", "invalid_value");
  try {
    return {200, textOf({{"prompt", model.tokenizer->decode(ids, false)}})};
  } catch (const EngineError& error) {
    throw ApiError::of(error);
  }
}

}  // namespace vitrine::server
