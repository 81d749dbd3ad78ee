// Messages as OpenAI's API has them, read into a conversation and written back.
//
// Thread: values. Read next: request_line.h.
#pragma once

#include <vector>

#include "common/json_files.h"
#include "vitrine/chat_format.h"

namespace vitrine {

// [{"role": "system", "user", "assistant" or "tool", "content": a string, null or parts of text}, ...], with
// "reasoning_content" and "tool_calls" of an answer, "tool_call_id" and "name" of a result. The results of an
// answer come in the order of its calls. Throws UsageError that names the message and the key.
std::vector<ChatMessage> messagesFromJson(const Json& json);

Json messagesToJson(const std::vector<ChatMessage>& messages);

// One call, as an answer's "tool_calls" lists them; `number` counts from 1.
Json callToJson(const ToolCall& call, std::size_t number);

// The JSON array of a request line or of a file as Dialogue::tools takes it. Throws UsageError.
std::string toolsFromJson(const Json& json);

}  // namespace vitrine
