// ApiServer: the routes. It turns what HTTP brings into requests of the engine, and refuses the rest.
//
// GET / and the page's files, /health, /metrics, /v1/models, /v1/machine, and as WebSockets /v1/stream,
// /v1/events and /v1/page; POST /v1/completions, /v1/chat/completions, /v1/steer, /tokenize, /detokenize;
// README.md has their fields.
// Thread: HttpServer's. Read next: api_plan.h, api_answer.h, stream_session.h, event_feed.h, page_feed.h,
// served.h.
#pragma once

#include "server/access_rules.h"
#include "server/event_feed.h"
#include "server/http_server.h"
#include "server/page_feed.h"
#include "server/served.h"

namespace vitrine::server {

class ApiServer final : public HttpHandler {
 public:
  static constexpr int kUsualMost = 256;
  // At most so many requests wait or run at once; one more is answered 429. Without a model, each request is
  // answered 503. `served` must outlive this, and this the HttpServer.
  ApiServer(Served& served, AccessRules rules, int mostUnderWay);

  std::optional<HttpAnswer> refuse(const HttpRequest& head) override;
  void handle(HttpRequest request, const std::shared_ptr<Responder>& responder) override;
  bool takesSocket(const HttpRequest& request) override;
  std::shared_ptr<SocketHandler> openSocket(const HttpRequest& request,
                                            const std::shared_ptr<WebSocket>& socket) override;
  HttpAnswer explain(int status, const std::string& message) override;

 private:
  void complete(const HttpRequest& request, bool chat, const std::shared_ptr<Responder>& responder);
  void tokenize(const HttpRequest& request, const ServedModel& model,
                const std::shared_ptr<Responder>& responder);
  void detokenize(const HttpRequest& request, const ServedModel& model,
                  const std::shared_ptr<Responder>& responder);
  HttpAnswer metrics() const;
  HttpAnswer machine(const HttpRequest& request) const;
  HttpAnswer steer(const HttpRequest& request);
  static HttpAnswer models(const ServedModel& model);

  Served& m_served;
  const AccessRules m_rules;
  const int m_mostUnderWay;
  EventFeed m_feed;
  PageFeed m_pages;
};

}  // namespace vitrine::server
