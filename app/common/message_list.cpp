#include "common/message_list.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "vitrine/json_reader.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

[[noreturn]] void mustBe(const std::string& key, const std::string& what) {
  throw UsageError("\"" + key + "\" must be " + what);
}

ChatRole roleOf(const Json& json) {
  const std::string word = stringValue("role", json);
  if (word == "system" || word == "developer") return ChatRole::kSystem;
  if (word == "user") return ChatRole::kUser;
  if (word == "assistant") return ChatRole::kAssistant;
  if (word != "tool")
    mustBe("role", "one of system, user, assistant, tool, not \"" + forMessage(word, 60) + "\"");
  return ChatRole::kTool;
}

const char* nameOf(ChatRole role) {
  constexpr std::array kNames = {"system", "user", "assistant", "tool"};
  return kNames[static_cast<std::size_t>(role)];
}

std::string textOf(const Json& content) {
  if (content.is_null()) return {};
  if (!content.is_array()) return stringValue("content", content);
  std::string text;
  for (const Json& part : content) {
    const bool isText = part.is_object() && part.value("type", Json()) == "text" && part.contains("text");
    if (!isText) mustBe("content", "a string or a list of {\"type\": \"text\", \"text\"}");
    text += stringValue("text", part["text"]);
  }
  return text;
}

// A call with the id that results name.
struct ReadCall {
  ToolCall call;
  std::string id;
};

ReadCall callOf(const Json& json) {
  const bool isCall = json.is_object() && json.contains("function") && json["function"].is_object() &&
                      json["function"].contains("name");
  if (!isCall)
    mustBe("tool_calls",
           "a list of {\"id\", \"type\": \"function\", \"function\": {\"name\", \"arguments\"}}");
  const Json& function = json["function"];
  ReadCall read{{stringValue("name", function["name"]), "{}"},
                json.contains("id") ? stringValue("id", json["id"]) : ""};
  if (!function.contains("arguments")) return read;
  const Json& given = function["arguments"];
  const Json arguments = given.is_string() ? parseJson(given.get<std::string>(), true) : given;
  if (!arguments.is_object()) mustBe("arguments", "a JSON object, or one as a string");
  read.call.arguments = writtenJson(arguments);
  return read;
}

// Reads one message after the other; a result is placed among those of its answer.
class MessageReader {
 public:
  void read(const Json& json) {
    if (!json.is_object() || !json.contains("role"))
      throw UsageError("this must be an object with a \"role\"");
    ChatMessage message{roleOf(json["role"]), ""};
    std::string id;
    for (const auto& [key, value] : json.items()) {
      if (key == "role" || value.is_null()) continue;
      if (key == "content")
        message.text = textOf(value);
      else if (key == "reasoning_content" && message.role == ChatRole::kAssistant)
        message.thinking = stringValue(key, value);
      else if (key == "tool_calls" && message.role == ChatRole::kAssistant)
        readCalls(message, value);
      else if (key == "tool_call_id" && message.role == ChatRole::kTool)
        id = stringValue(key, value);
      else if (key == "name" && message.role == ChatRole::kTool)
        message.tool = stringValue(key, value);
      else
        throw UsageError("unknown key \"" + forMessage(key, 60) + "\" of the role " + nameOf(message.role));
    }
    if (!json.contains("content") && message.calls.empty()) throw UsageError("there is no \"content\"");
    message.role == ChatRole::kTool ? addResult(std::move(message), id) : addOther(std::move(message));
  }

  std::vector<ChatMessage> take() { return std::move(m_messages); }

 private:
  void readCalls(ChatMessage& message, const Json& json) {
    if (!json.is_array()) mustBe("tool_calls", "a list");
    m_read.clear();
    for (const Json& one : json) {
      m_read.push_back(callOf(one));
      message.calls.push_back(m_read.back().call);
    }
  }

  void addOther(ChatMessage message) {
    if (message.calls.empty()) m_read.clear();
    m_places.clear();
    m_messages.push_back(std::move(message));
  }

  void addResult(ChatMessage message, const std::string& id) {
    const auto call = std::ranges::find(m_read, id, &ReadCall::id);
    const bool isKnown = !id.empty() && call != m_read.end();
    if (!id.empty() && !isKnown && !m_read.empty())
      throw UsageError("\"tool_call_id\" names no call of the answer before it: \"" + forMessage(id, 60) +
                       "\"");
    if (message.tool.empty() && isKnown) message.tool = call->call.name;
    const std::size_t place = isKnown ? static_cast<std::size_t>(call - m_read.begin()) : m_places.size();
    const auto later = std::ranges::upper_bound(m_places, place);
    const auto behind = m_places.end() - later;
    m_places.insert(later, place);
    m_messages.insert(m_messages.end() - behind, std::move(message));
  }

  std::vector<ChatMessage> m_messages;
  std::vector<ReadCall> m_read;       // of the newest answer
  std::vector<std::size_t> m_places;  // of the results behind it: the call of each
};

}  // namespace

std::vector<ChatMessage> messagesFromJson(const Json& json) {
  if (!json.is_array() || json.empty()) mustBe("messages", "a list of messages");
  MessageReader reader;
  std::size_t number = 0;
  for (const Json& message : json) {
    ++number;
    try {
      reader.read(message);
    } catch (const UsageError& error) {
      throw error.at("message " + std::to_string(number) + ": ");
    }
  }
  return reader.take();
}

Json callToJson(const ToolCall& call, std::size_t number) {
  return {{"id", callId(number)},
          {"type", "function"},
          {"function", {{"name", call.name}, {"arguments", call.arguments}}}};
}

Json messagesToJson(const std::vector<ChatMessage>& messages) {
  Json list = Json::array();
  for (const ChatMessage& message : messages) {
    Json json = {{"role", nameOf(message.role)}, {"content", message.text}};
    if (!message.thinking.empty()) json["reasoning_content"] = message.thinking;
    for (std::size_t i = 0; i < message.calls.size(); ++i)
      json["tool_calls"].push_back(callToJson(message.calls[i], i + 1));
    if (!message.tool.empty()) json["name"] = message.tool;
    list.push_back(std::move(json));
  }
  return list;
}

std::string toolsFromJson(const Json& json) {
  if (!json.is_array()) mustBe("tools", "a list of tools, as OpenAI's API has them");
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  try {
    asUsage([&] { return ToolSet(text); });
  } catch (const UsageError& error) {
    throw error.at("\"tools\": ");
  }
  return json.empty() ? "" : text;
}

}  // namespace vitrine
