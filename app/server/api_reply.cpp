#include "server/api_reply.h"

#include <nlohmann/json.hpp>

namespace vitrine::server {

void HttpReply::fail(const ApiError& error) {
  if (!m_hasBegun) return m_responder->answer(error.toAnswer());
  chunk(textOf(error.toJson()));
  m_responder->end();
}

}  // namespace vitrine::server
