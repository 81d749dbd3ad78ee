#include "common/request_line.h"

#include <nlohmann/json.hpp>

#include "common/message_list.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

std::vector<TokenId> idsFromJson(const std::string& key, const Json& value) {
  std::vector<TokenId> ids;
  if (!value.is_array()) throw UsageError("\"" + key + "\" must be a list of ids");
  for (const Json& item : value) ids.push_back(wholeNumber(key, item));
  return ids;
}

}  // namespace

RequestLine requestFromJson(const Json& json) {
  if (!json.is_object()) throw UsageError("a request must be a JSON object");
  RequestLine line;
  Request& request = line.arguments.request;
  for (const auto& [key, value] : json.items()) {
    if (key == "id" || key == "prompt") {
      (key == "id" ? request.name : request.prompt) = stringValue(key, value);
    } else if (key == "token_ids" || key == "output_ids") {
      (key == "token_ids" ? request.tokenIds : request.outputIds) = idsFromJson(key, value);
    } else if (key == "messages") {
      line.arguments.messages = messagesFromJson(value);
    } else if (key == "tools") {
      line.arguments.tools = toolsFromJson(value);
    } else if (key == "arrival_step") {
      line.arrivalStep = wholeNumber(key, value);
    } else if (!takeRequestKey(line.arguments, key, value)) {
      throw UsageError("unknown key \"" + forMessage(key, 60) + "\"");
    }
  }
  if (json.contains("prompt") + json.contains("token_ids") + json.contains("messages") != 1)
    throw UsageError("a request needs either \"prompt\", \"token_ids\" or \"messages\"");
  if (json.contains("token_ids") && request.tokenIds.empty()) throw UsageError("\"token_ids\" is empty");
  try {
    line.arguments.validate();
  } catch (const UsageError& error) {
    throw UsageError(asKeys(error.what()), asKeys(error.hint()));
  }
  return line;
}

}  // namespace vitrine
