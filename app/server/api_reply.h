// ApiReply: the way of one request's answers to its client, whichever connection it came by.
//
// Thread: any, but one at a time. Read next: api_answer.h, stream_session.h.
#pragma once

#include <memory>
#include <string>

#include "server/api_error.h"
#include "server/http_server.h"

namespace vitrine::server {

// Hears whole(); or begin(), any number of chunk(), and end(); or fail(), in place of the first or of an end.
class ApiReply {
 public:
  virtual ~ApiReply() = default;
  virtual void whole(const std::string& json) = 0;  // one object, as in chunk()
  virtual void begin() = 0;
  virtual void chunk(const std::string& json) = 0;
  virtual void end() = 0;
  virtual void fail(const ApiError& error) = 0;
};

// As the answer of an HTTP request; chunks as server-sent events, the last one "[DONE]".
class HttpReply final : public ApiReply {
 public:
  explicit HttpReply(std::shared_ptr<Responder> responder) : m_responder(std::move(responder)) {}

  void whole(const std::string& json) override { m_responder->answer({200, json}); }
  void begin() override {
    m_hasBegun = true;
    m_responder->begin({200, "", "text/event-stream"});
  }
  void chunk(const std::string& json) override { m_responder->piece("data: " + json + "\n\n"); }
  void end() override {
    chunk("[DONE]");
    m_responder->end();
  }
  void fail(const ApiError& error) override;

 private:
  const std::shared_ptr<Responder> m_responder;
  bool m_hasBegun = false;
};

}  // namespace vitrine::server
