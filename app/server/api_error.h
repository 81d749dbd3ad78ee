// ApiError: why a request is not answered, in OpenAI's form: {"error": {"message", "type", "param", "code"}}.
//
// Thread: values. Read next: api_server.h.
#pragma once

#include <stdexcept>
#include <string>

#include "common/json_files.h"
#include "server/http_message.h"
#include "vitrine/error.h"

namespace vitrine::server {

class ApiError : public std::runtime_error {
 public:
  // `param`: the field of the request that is wrong; `code`: a word for programs. Both may be empty, and are
  // null then.
  ApiError(int status, const std::string& message, std::string param = {}, std::string code = {})
      : std::runtime_error(message), m_status(status), m_param(std::move(param)), m_code(std::move(code)) {}
  // What the engine refused: 400 for what the request itself has wrong, 503 when it was cancelled, with the
  // server or its model, else 500.
  static ApiError of(const EngineError& error);
  static ApiError noModel() { return {503, "no model is open", "", "no_model"}; }

  int status() const { return m_status; }
  Json toJson() const;
  HttpAnswer toAnswer() const;

 private:
  int m_status;
  std::string m_param, m_code;
};

// One line; bytes that are not UTF-8 become U+FFFD.
std::string textOf(const Json& json);

}  // namespace vitrine::server
