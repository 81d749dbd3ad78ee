#include "text/dialogue_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "text/utf8.h"
#include "vitrine/json_reader.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

using Json = nlohmann::ordered_json;

const char* roleName(ChatRole role) {
  switch (role) {
    case ChatRole::kSystem:
      return "system";
    case ChatRole::kUser:
      return "user";
    case ChatRole::kAssistant:
      return "assistant";
    case ChatRole::kTool:
      return "tool";
  }
  return "";
}

std::string namingId(std::size_t number, const std::string& tool) {
  return "functions." + tool + ":" + std::to_string(number - 1);
}

Json argumentsOf(const ToolCall& call) {
  const auto refuse = [&](const std::string& fault) {
    throw EngineError(
        ErrorCode::kInvalidArgument,
        "the arguments of the call of " + forMessage(call.name, 60) + " cannot be read: " + fault,
        "Write a JSON object: {\"city\": \"Paris\"}.");
  };
  Json arguments = readJson<Json>(call.arguments, {.depth = kArgumentsDepth, .keepsDigits = true}, refuse);
  if (!arguments.is_object()) refuse("this is not an object");
  return arguments;
}

// Where a template takes what an answer thought: in a field beside the answer, or in its text between marks.
// One that knows of no thoughts gets none, since its model was trained on conversations without them.
void addThought(Json& json, const ChatMessage& message, const std::string& chatTemplate) {
  const auto knows = [&](const char* word) { return chatTemplate.find(word) != std::string::npos; };
  if (knows("reasoning_content"))
    json["reasoning_content"] = message.thinking;
  else if (const bool isBesideCall = !message.text.empty() && !message.calls.empty();
           isBesideCall && knows("<|channel|>analysis")) {
    // gpt-oss's template refuses both beside a call, and writes either as a thought.
    json["thinking"] = message.thinking + "\n\n" + message.text;
    json["content"] = "";
  } else if (knows("message.thinking"))
    json["thinking"] = message.thinking;
  else if (knows("</think>"))
    json["content"] = "<think>\n" + message.thinking + "\n</think>\n\n" + message.text;
}

std::string withCallsInText(const ChatMessage& message) {
  std::string text = message.text;
  for (const ToolCall& call : message.calls) {
    const Json json = {{"name", call.name}, {"arguments", argumentsOf(call)}};
    text += (text.empty() ? "" : "\n") + ("<tool_call>\n" + writtenJson(json)) + "\n</tool_call>";
  }
  return text;
}

// Writes one message after the other, and remembers which calls have no result yet.
class MessageWriter {
 public:
  MessageWriter(CallForm form, const std::string& chatTemplate) : m_form(form), m_template(chatTemplate) {}

  Json write(const ChatMessage& message) {
    for (const std::string* const text : {&message.text, &message.thinking, &message.tool})
      requireText(*text);
    for (const ToolCall& call : message.calls) requireText(call.name);
    return message.role == ChatRole::kTool ? result(message) : said(message);
  }

 private:
  struct OpenCall {
    std::string id, name;
  };

  static void requireText(const std::string& text) {
    if (!utf8::isValid(text))
      throw EngineError(ErrorCode::kInvalidArgument, "a message is not UTF-8 text",
                        "Give the text as UTF-8.");
  }

  Json said(const ChatMessage& message) {
    // A template that reads calls only where there is no text would lose one of the two.
    const bool inText = !m_form.known || (m_form.nullText && !message.text.empty());
    ChatMessage written = message;
    if (inText) written.text = withCallsInText(message);
    Json json = {{"role", roleName(message.role)}, {"content", written.text}};
    if (m_form.nullText && written.text.empty() && !message.calls.empty()) json["content"] = nullptr;
    if (!message.thinking.empty()) addThought(json, written, m_template);
    if (message.role != ChatRole::kAssistant) return json;
    m_open.clear();
    for (const ToolCall& call : message.calls) {
      ++m_calls;
      m_open.push_back({m_form.namingId ? namingId(m_calls, call.name) : callId(m_calls), call.name});
      if (!inText) json["tool_calls"].push_back(callJson(call, m_open.back().id));
    }
    return json;
  }

  Json callJson(const ToolCall& call, const std::string& id) const {
    const Json arguments = argumentsOf(call);
    return {{"id", id},
            {"type", "function"},
            {"function",
             {{"name", call.name},
              {"arguments", m_form.objectGiven ? arguments : Json(writtenJson(arguments))}}}};
  }

  // A result that no call waits for has an id all the same: the beginning of its conversation may be
  // forgotten.
  Json result(const ChatMessage& message) {
    auto call = std::ranges::find(m_open, message.tool, &OpenCall::name);
    if (call == m_open.end()) call = m_open.begin();
    OpenCall answered{callId(0), message.tool};
    if (call != m_open.end()) {
      answered = *call;
      m_open.erase(call);
    }
    return {{"role", roleName(message.role)},
            {"tool_call_id", answered.id},
            {"name", message.tool.empty() ? answered.name : message.tool},
            {"content", message.text}};
  }

  const CallForm m_form;
  const std::string& m_template;
  std::vector<OpenCall> m_open;  // of the newest answer
  std::size_t m_calls = 0;
};

std::string messagesJson(const std::vector<ChatMessage>& messages, CallForm form,
                         const std::string& chatTemplate) {
  MessageWriter writer(form, chatTemplate);
  Json list = Json::array();
  for (const ChatMessage& message : messages) list.push_back(writer.write(message));
  return writtenJson(list);
}

}  // namespace

CallForm callFormOf(const PromptTemplate& chatTemplate, const std::string& tools) {
  constexpr const char* kName = "get_weather_of_a_city";
  constexpr const char* kValue = "Ouagadougou";
  const std::vector<ChatMessage> dialogue = {
      {ChatRole::kUser, "Hi"},
      {ChatRole::kAssistant, "", "", {{kName, std::string(R"({"city":")") + kValue + "\"}"}}}};
  const auto isWritten = [&](CallForm form) {
    Conversation conversation;
    conversation.messages = messagesJson(dialogue, form, chatTemplate.text());
    conversation.tools = tools;
    try {
      const std::string text = chatTemplate.render(conversation).text;
      return text.find(kName) != std::string::npos && text.find(kValue) != std::string::npos;
    } catch (const EngineError&) {
      return false;
    }
  };
  for (const bool objectGiven : {true, false})
    for (const bool nullText : {false, true})
      if (const CallForm form{true, nullText, objectGiven}; isWritten(form)) return form;
  constexpr CallForm kNaming{.namingId = true};
  return isWritten(kNaming) ? kNaming : CallForm{.known = false};
}

Conversation conversationOf(const Dialogue& dialogue, const std::string& templateText, CallForm form) {
  // Qwen3 and others ask for the first name, DeepSeek V3.1 and Granite for the second.
  Json variables = {{"enable_thinking", dialogue.thinking}, {"thinking", dialogue.thinking}};
  if (!dialogue.reasoningEffort.empty()) variables["reasoning_effort"] = dialogue.reasoningEffort;
  Conversation conversation;
  conversation.messages = messagesJson(dialogue.messages, form, templateText);
  conversation.tools = dialogue.tools;
  conversation.variables = variables.dump();
  conversation.date = dialogue.date;
  return conversation;
}

}  // namespace vitrine
