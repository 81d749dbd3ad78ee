// What a reasoning model thinks before it answers, in the text of its answer.
//
// Each family has its own marks around it:
//
//   <think>...</think>                  DeepSeek, Qwen, GLM, Kimi-K2 and most others
//   <think:opensource>...               Hunyuan 3
//   <thinking>...                       Apriel 1.5
//   <mm:think>...                       MiniMax-M3
//   <seed:think>...                     Seed-OSS
//   [THINK]...[/THINK]                  Mistral
//   <|START_THINKING|>...               Cohere
//   <|inner_prefix|>...                 Apertus
//   <|channel>thought...<channel|>      Gemma 4
//   <|channel|>analysis<|message|>...   gpt-oss: a message of its own (core/channel_messages.h)
//   <|think|>...<|end|>                 Solar: a message, too
//
// A template may write the opening mark into the prompt itself (QwQ, DeepSeek-R1's distilled models,
// Qwen3-Thinking): what the model writes then is thought from its first token on, and holds the closing mark
// alone. Thread: pure functions; the views are of the text given. Read next: chat_format.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct ThoughtMarks {
  std::string_view open, close;
  // Of families whose answer is a message of its own: what begins that message behind a thought, and the part
  // of it that the prompt has written already where the answer comes without a thought. `close` ends such a
  // message, too. `calls` begins a message of calls behind it.
  std::string_view answer = {}, prompted = {}, calls = {};
};

// The marks whose opening one a prompt ends in, blanks aside; null: the answer begins with what is said.
const ThoughtMarks* openedThought(std::string_view prompt);

// The tokens of which the marks of families are made. Each counts as text of an answer, though it is special.
// A family counts where the vocabulary has all its tokens: Phi-3's <|end|> is no mark of a thought.
std::vector<std::string_view> thoughtTokens(const std::function<bool(std::string_view)>& isInVocabulary);

struct AnswerParts {
  // Without the marks, without blanks around the thought, and in channels without blanks before the first
  // words: a thought may still follow those. Calls of tools are in the answer as the model wrote them
  // (tool_call.h).
  std::string thinking, answer;
  const ThoughtMarks* marks = nullptr;  // of the thought; null: there is none
  bool thinks = false;                  // the thought has not ended
  // Where the answer stands in the text given: one part, or several messages. `answer` has
  // kBetweenMessages between them.
  std::vector<std::string_view> said = {};
};

inline constexpr std::string_view kBetweenMessages = "\n\n";

// Of an answer as far as it is written. Until it has ended, an end of the text that may be the beginning of a
// mark belongs to neither part: the parts of a text that grows only grow.
AnswerParts answerParts(std::string_view text, const ThoughtMarks* opened, bool ended);

}  // namespace vitrine
