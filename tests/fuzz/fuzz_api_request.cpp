// Any bytes as the body of a request: refused in OpenAI's form, or requests whose options are within their
// ranges, and whose grammar, where they ask for one, is refused or compiled.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "server/api_plan.h"
#include "vitrine/error.h"
#include "vitrine/form_check.h"

namespace {

using namespace vitrine;
using namespace vitrine::server;

void require(bool holds) {
  if (!holds) std::abort();
}

void requireRefusal(const ApiError& error) {
  const HttpAnswer answer = error.toAnswer();
  require(answer.status >= 400 && answer.status < 500 && nlohmann::json::accept(answer.body));
}

void compile(const Request& request) {
  try {
    requireForm(request);
  } catch (const EngineError& error) {
    require(error.code() == ErrorCode::kInvalidArgument);
  }
}

void plan(ApiKind kind, const Json& body, const ServedModel& model) {
  try {
    for (const RequestArguments& prompt : planOf(kind, body, model).prompts) {
      prompt.request.validate();
      compile(prompt.request);
    }
  } catch (const ApiError& error) {
    requireRefusal(error);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ServedModel model{.name = "m", .contextLength = 64};
  try {
    const Json body = jsonObjectIn({reinterpret_cast<const char*>(data), size});
    plan(ApiKind::kChat, body, model);
    plan(ApiKind::kCompletion, body, model);
    promptToEncode(body, model);
    tokensToDecode(body, model);
  } catch (const ApiError& error) {
    requireRefusal(error);
  }
  return 0;
}
