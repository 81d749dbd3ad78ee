// Calls of tools in the text of an answer. Nothing here executes one.
//
// Each family has its own form; these are read, whatever the model:
// - Hermes, Qwen 2.5 and 3, several in a row:
//   <tool_call>{"name": "f", "arguments": {"city": "Paris"}}</tool_call>
//   (NousResearch's Hermes-Function-Calling, "Prompt Format for Function Calling").
// - Qwen3-Coder: <tool_call><function=f><parameter=city>Paris</parameter></function></tool_call>, with line
//   breaks between; also without the outer marks. The tool's schema says which values are more than text
//   (Qwen3-Coder's model card: its chat template and tool parser).
// - GLM 4.5 to 4.7: <tool_call>f<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call>, up to 4.6
//   with line breaks between. Values that are no text are JSON. Without arguments the name alone stands
//   there; it is a call only where the conversation has a tool of that name (these models' chat templates).
// - Mistral: [TOOL_CALLS][{"name": "f", "arguments": {}}, ...], and from version 11 of its tokenizer on
//   [TOOL_CALLS]f[ARGS]{}, with [CALL_ID] and an id in between (mistral-common's instruct tokenizers).
// - Llama 3: {"name": "f", "parameters": {}} with or without <|python_tag|> before it, several with ";"
//   between; <|python_tag|>f.call(query="x") for its built-in tools (Meta's llama-models, "Prompt formats" of
//   Llama 3.1 and 3.3). Without the mark it is a call only where the answer begins with it and the
//   conversation has a tool of that name.
// - gpt-oss: <|channel|>commentary to=functions.f <|constrain|>json<|message|>{"city": "Paris"}<|call|>, with
//   <|start|>assistant before it behind another message; the recipient may stand before the channel
//   (OpenAI's harmony format; core/channel_messages.h).
// - Solar: <|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>f<|tool_call:args|>{"city": "Paris"}
//   <|tool_call:end|><|calls|>, several between the outer marks, and <|begin|>assistant before them behind a
//   thought (the chat template of Upstage's Solar Open).
// What begins in one of these forms and does not go on in it is a broken call: one that the answer's end has
// cut, JSON with a mistake, arguments that are no object. Words behind a mark are text. Thread: pure
// functions, but for GrowingCalls. Read next: tool_set.h, thought.h, chat_format.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vitrine/tokenizer.h"
#include "vitrine/tool_set.h"

namespace vitrine {

struct ToolCall {
  std::string name;
  // A JSON object, compact, its keys in the order as written. Numbers that a double cannot hold have the
  // digits as written.
  std::string arguments;

  bool operator==(const ToolCall&) const = default;
};

enum class CallState {
  kWhole,
  kCut,         // the answer ended within it
  kUnreadable,  // it is in no form
};

struct PlacedCall {
  ToolCall call = {};    // of a whole one
  TextRange range = {};  // of the answer, the marks included
  CallState state = CallState::kWhole;
  // Of a whole one: where its name and its arguments stand in the answer. Empty: there are no arguments.
  TextRange name = {}, arguments = {};
};

struct AnswerCalls {
  std::vector<PlacedCall> calls;  // in the order of the text; the ranges do not overlap
  bool open = false;              // a call has begun and not ended; its name and arguments are not known yet
  // What is not decided yet, at the end of the text: the open call, what may be the beginning of a mark, or
  // blanks that a call may follow without a mark. Empty (at the end of the text) when all is decided.
  TextRange undecided = {};
};

// Of an answer as far as it is written, without its thought (AnswerParts::answer): a call within a thought is
// none. Until it has ended, the calls of a text that grows only grow. `ended`: nothing is undecided any more;
// a call that lacks nothing but its closing mark is whole, others that have not ended are cut.
AnswerCalls toolCalls(std::string_view answer, const ToolSet& tools, bool ended);

// The same, piece by piece: of what has been read only an open call and a row of calls that may go on are
// read again. Thread: one.
class GrowingCalls {
 public:
  explicit GrowingCalls(const ToolSet& tools) : m_tools(tools) {}  // which outlive it

  // `answer` begins with what was read before.
  const AnswerCalls& read(std::string_view answer, bool ended);
  const AnswerCalls& found() const { return m_found; }

 private:
  const ToolSet& m_tools;
  AnswerCalls m_found;
  std::size_t m_settled = 0, m_settledCalls = 0;  // what stands before it has these calls, whatever follows
};

std::vector<ToolCall> wholeCalls(const AnswerCalls& found);

// The model reads a broken call of its own as it wrote it; a short text for a person is without it.
enum class BrokenCalls { kAsWritten, kLeftOut };

// What the answer says beside its calls: without the calls, what is undecided, and the blanks around either.
std::string textBesideCalls(std::string_view answer, const AnswerCalls& calls,
                            BrokenCalls broken = BrokenCalls::kAsWritten);

// An id for the call of that number, from 1: "call00001". Mistral's templates take ids of nine letters or
// digits alone.
std::string callId(std::size_t number);

// Whether a vocabulary's token of this spelling is such a mark. It counts as text then, though it is special.
bool isToolMark(std::string_view piece);

}  // namespace vitrine
