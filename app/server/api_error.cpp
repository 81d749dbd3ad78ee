#include "server/api_error.h"

#include <nlohmann/json.hpp>

namespace vitrine::server {
namespace {

const char* typeOf(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 429:
      return "rate_limit_error";
    default:
      return status >= 500 ? "server_error" : "invalid_request_error";
  }
}

Json orNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

ApiError ApiError::of(const EngineError& error) {
  const std::string message = error.what() + (error.hint().empty() ? "" : " (" + error.hint() + ")");
  switch (error.code()) {
    case ErrorCode::kContextTooLong:
      return {400, message, "", "context_length_exceeded"};
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kOutOfMemory:  // more blocks than the pool has
    case ErrorCode::kUnavailable:  // text for a model without a tokenizer
    case ErrorCode::kUnsupported:
    case ErrorCode::kFileCorrupt:  // text that no tokenizer reads
      return {400, message, "", errorCodeName(error.code())};
    case ErrorCode::kCancelled:
      return {503, message, "", errorCodeName(error.code())};
    default:
      return {500, message, "", errorCodeName(error.code())};
  }
}

Json ApiError::toJson() const {
  return {{"error",
           {{"message", what()},
            {"type", typeOf(m_status)},
            {"param", orNull(m_param)},
            {"code", orNull(m_code)}}}};
}

HttpAnswer ApiError::toAnswer() const {
  HttpAnswer answer{m_status, textOf(toJson())};
  if (m_status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (m_status == 429 || m_status == 503) answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

std::string textOf(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace vitrine::server
