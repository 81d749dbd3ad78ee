// The messages of an answer in gpt-oss's form, in which each one names its channel:
//
//   <|channel|>analysis<|message|>a thought<|end|>
//   <|start|>assistant<|channel|>commentary<|message|>words before a call<|end|>
//   <|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"x": 1}<|call|>
//   <|start|>assistant<|channel|>final<|message|>the answer<|return|>
//
// The prompt has written <|start|>assistant of the first one. The recipient of a call may also stand before
// the channel (OpenAI's harmony format). Thread: pure functions; the views are of the text given. Read next:
// vitrine/thought.h, vitrine/tool_call.h.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace vitrine {

enum class Channel { kAnalysis, kCommentary, kFinal };

struct ChannelHeader {
  // kBegun: the text ends before it is decided.
  enum class State { kNone, kBegun, kWhole };

  State state = State::kNone;
  Channel channel = Channel::kFinal;
  std::string_view recipient = {};  // "functions.f"; empty: the message is for the reader
  std::size_t size = 0;             // bytes, with <|message|>
};

// Of the message that the text begins with.
ChannelHeader channelHeader(std::string_view text);

inline constexpr std::string_view kMessageStart = "<|start|>assistant", kChannelMark = "<|channel|>";
inline constexpr std::string_view kConstrainMark = "<|constrain|>", kMessageMark = "<|message|>";
inline constexpr std::string_view kMessageEnd = "<|end|>", kCallMessageEnd = "<|call|>";

struct ChannelMessage {
  enum class Kind { kThought, kWords, kCall };

  Kind kind = Kind::kWords;
  std::string_view text;  // without the marks; of a call all that the model wrote, as toolCalls() reads it
  bool hasEnded = false;
};

// Nothing: the answer has no such messages. `thinks`: the prompt has opened a thought. `ended`: as in
// answerParts(); what may become a mark belongs to no message before.
std::optional<std::vector<ChannelMessage>> channelMessages(std::string_view answer, bool thinks, bool ended);

}  // namespace vitrine
