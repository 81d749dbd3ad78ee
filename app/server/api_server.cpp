#include "server/api_server.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "page/page_files.h"
#include "server/api_answer.h"
#include "server/metrics_text.h"
#include "server/stream_session.h"
#include "vitrine/message_text.h"

namespace vitrine::server {
namespace {

struct ApiRoute {
  const char *path, *method;
  Access access;
  bool isSocket = false;
};
// The page is open, since it holds nothing of the machine and asks for the token.
constexpr std::array kRoutes = {ApiRoute{"/", "GET", Access::kOpen},
                                ApiRoute{"/page.css", "GET", Access::kOpen},
                                ApiRoute{"/page.js", "GET", Access::kOpen},
                                ApiRoute{"/v1/page", "GET", Access::kWatch, true},
                                ApiRoute{"/health", "GET", Access::kOpen},
                                ApiRoute{"/metrics", "GET", Access::kWatch},
                                ApiRoute{"/v1/models", "GET", Access::kWatch},
                                ApiRoute{"/v1/machine", "GET", Access::kWatch},
                                ApiRoute{"/v1/steer", "POST", Access::kSteer},
                                ApiRoute{"/v1/events", "GET", Access::kWatch, true},
                                ApiRoute{"/v1/stream", "GET", Access::kSteer, true},
                                ApiRoute{"/v1/completions", "POST", Access::kSteer},
                                ApiRoute{"/v1/chat/completions", "POST", Access::kSteer},
                                ApiRoute{"/tokenize", "POST", Access::kSteer},
                                ApiRoute{"/detokenize", "POST", Access::kSteer}};

const ApiRoute* routeOf(const HttpRequest& request) {
  const auto isThere = [&](const ApiRoute& route) { return request.path == route.path; };
  const auto route = std::ranges::find_if(kRoutes, isThere);
  return route == kRoutes.end() ? nullptr : &*route;
}

HttpAnswer answerOf(const page::PageFile& file) {
  return {200,
          std::string(file.text),
          std::string(file.type),
          {{"Content-Security-Policy", page::kPagePolicy},
           {"X-Content-Type-Options", "nosniff"},
           {"Referrer-Policy", "no-referrer"},
           {"Cache-Control", "no-cache"}}};
}

ApiError endingError() { return {503, "the server is shutting down", "", "shutting_down"}; }

std::optional<HttpAnswer> misrouted(const HttpRequest& request, const ApiRoute* route) {
  if (route == nullptr)
    return ApiError(404, "there is nothing at " + forMessage(request.path, 100), "", "not_found").toAnswer();
  const std::string path = route->path;
  if (request.method != route->method) {
    HttpAnswer answer =
        ApiError(405, path + " takes " + route->method + " alone", "", "method_not_allowed").toAnswer();
    answer.headers.emplace_back("Allow", route->method);
    return answer;
  }
  if (!route->isSocket || asksForSocket(request)) return std::nullopt;
  HttpAnswer answer = ApiError(426, path + " takes a WebSocket alone", "", "upgrade_required").toAnswer();
  answer.headers.emplace_back("Upgrade", "websocket");
  answer.headers.emplace_back("Connection", "Upgrade");
  return answer;
}

}  // namespace

ApiServer::ApiServer(Served& served, AccessRules rules, int mostUnderWay)
    : m_served(served),
      m_rules(std::move(rules)),
      m_mostUnderWay(mostUnderWay),
      m_feed(served),
      m_pages(served) {}

// Before its body is read: a client without the token sends none of it.
std::optional<HttpAnswer> ApiServer::refuse(const HttpRequest& head) {
  const ApiRoute* const route = routeOf(head);
  const Access access = route == nullptr ? Access::kWatch : route->access;
  if (const auto error = m_rules.refusal(head, access)) return error->toAnswer();
  if (auto answer = misrouted(head, route)) return answer;
  if (route->isSocket && !m_served.isOpen()) return endingError().toAnswer();
  return std::nullopt;
}

bool ApiServer::takesSocket(const HttpRequest& request) {
  const ApiRoute* const route = routeOf(request);
  return route != nullptr && route->isSocket;
}

std::shared_ptr<SocketHandler> ApiServer::openSocket(const HttpRequest& request,
                                                     const std::shared_ptr<WebSocket>& socket) {
  if (request.path == "/v1/events") return m_feed.open(socket);
  if (request.path == "/v1/page") return m_pages.open(socket);
  return std::make_shared<StreamSession>(m_served, m_mostUnderWay, socket);
}

void ApiServer::handle(HttpRequest request, const std::shared_ptr<Responder>& responder) {
  try {
    if (const page::PageFile* const file = page::pageFile(request.path))
      return responder->answer(answerOf(*file));
    if (!m_served.isOpen()) throw endingError();
    const std::shared_ptr<const ServedModel> model = m_served.model();
    if (!model) throw ApiError::noModel();
    if (request.path == "/health")
      responder->answer({200, R"({"status":"ok"})"});
    else if (request.path == "/metrics")
      responder->answer(metrics());
    else if (request.path == "/v1/models")
      responder->answer(models(*model));
    else if (request.path == "/v1/machine")
      responder->answer(machine(request));
    else if (request.path == "/v1/steer")
      responder->answer(steer(request));
    else if (request.path == "/tokenize")
      tokenize(request, *model, responder);
    else if (request.path == "/detokenize")
      detokenize(request, *model, responder);
    else
      complete(request, request.path == "/v1/chat/completions", responder);
  } catch (const ApiError& error) {
    responder->answer(error.toAnswer());
  }
}

HttpAnswer ApiServer::explain(int status, const std::string& message) {
  return ApiError(status, message).toAnswer();
}

HttpAnswer ApiServer::metrics() const {
  std::string text = m_served.metrics();
  if (text.empty()) throw ApiError::noModel();  // it was closed meanwhile
  return {200, std::move(text), kMetricsType};
}

HttpAnswer ApiServer::models(const ServedModel& model) {
  const Json one = {{"id", model.name},
                    {"object", "model"},
                    {"created", model.loaded},
                    {"owned_by", "vitrine"},
                    {"max_model_len", model.contextLength}};
  return {200, textOf({{"object", "list"}, {"data", Json::array({one})}})};
}

HttpAnswer ApiServer::machine(const HttpRequest& request) const {
  const bool maySteer = !m_rules.refusal(request, Access::kSteer);
  return {200, textOf({{"paused", m_served.isPaused()}, {"may_steer", maySteer}})};
}

// The order reaches the machine between two steps, which may be seconds away: the answer does not wait.
HttpAnswer ApiServer::steer(const HttpRequest& request) {
  const Json body = jsonBodyOf(request);
  m_served.steer(steeringOf(body));
  return {202, textOf({{"asked", body["do"]}})};
}

void ApiServer::complete(const HttpRequest& request, bool chat, const std::shared_ptr<Responder>& responder) {
  const ServedId id = submitBody(m_served, m_mostUnderWay, chat ? ApiKind::kChat : ApiKind::kCompletion,
                                 jsonBodyOf(request), std::make_shared<HttpReply>(responder));
  responder->onGone([this, id] { m_served.cancel(id); });
}

void ApiServer::tokenize(const HttpRequest& request, const ServedModel& model,
                         const std::shared_ptr<Responder>& responder) {
  m_served.encode(
      promptToEncode(jsonBodyOf(request), model),
      [responder, length = model.contextLength](const std::vector<TokenId>& ids, const EngineError* error) {
        if (error != nullptr) return responder->answer(ApiError::of(*error).toAnswer());
        responder->answer({200, textOf({{"count", ids.size()}, {"max_model_len", length}, {"tokens", ids}})});
      });
}

void ApiServer::detokenize(const HttpRequest& request, const ServedModel& model,
                           const std::shared_ptr<Responder>& responder) {
  m_served.decode(tokensToDecode(jsonBodyOf(request), model), [responder](const std::string& text,
                                                                          const EngineError* error) {
    if (error == nullptr) return responder->answer({200, textOf({{"prompt", text}})});
    if (error->code() == ErrorCode::kInvalidArgument)
      return responder->answer(ApiError(400, error->what(), "tokens", "invalid_value").toAnswer());
    responder->answer(ApiError::of(*error).toAnswer());
  });
}

}  // namespace vitrine::server
