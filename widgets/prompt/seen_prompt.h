// SeenPrompt: a conversation as the model reads it, token by token: which message each token belongs to, what
// wrote it, and where in the chat template that stands. Thread: values. Read next: prompt_model.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "vitrine/ids.h"

namespace vitrine {

// A tag or a piece of text of the template that wrote a part of the prompt.
struct PromptWriter {
  int line = 0;                    // from 1
  std::size_t begin = 0, end = 0;  // in the template, in bytes

  bool operator==(const PromptWriter&) const = default;
};

struct SeenToken {
  TokenId id = 0;
  std::string text = {};   // as the prompt spells it; of a mark its name
  bool isMark = false;     // a special token, or one of the template's that is named like one: <think>
  bool isWritten = false;  // a person's or a model's words; else the template's
  bool isTyped = false;    // of a special token's name that a person typed
  bool continues = false;  // of a letter whose text the token before has
  int message = -1;        // -1: none of them
  int writer = -1;         // of SeenPrompt::writers; -1: the tokenizer's own

  bool operator==(const SeenToken&) const = default;
};

// The tokens of the chat's last prompt and of its answer, which the model read and wrote in this run, beside
// the prompt's.
struct PromptBefore {
  int tokens = 0;           // 0: there is none
  int promptTokens = 0;     // of them, the prompt's
  int shared = 0;           // equal ones, from the beginning
  std::string theirs = {};  // the first that differs there, as text; empty: it has no more tokens
  bool hasThought = false;  // a thought stands there that the template leaves out of this prompt
  bool isCached = true;     // the machine has a prefix cache

  bool operator==(const PromptBefore&) const = default;
};

// A message of which the prompt has nothing, or of an answer that calls tools its words alone, or its calls.
struct LeftOutMessage {
  enum class Part { kAll, kWords, kCalls };
  int message = 0;
  std::string text = {};  // what it says; of calls, and of an answer that only calls tools, their names
  Part part = Part::kAll;

  bool operator==(const LeftOutMessage&) const = default;
};

struct SeenPrompt {
  std::string text = {};
  std::vector<SeenToken> tokens = {};
  std::vector<std::string> roles = {};  // of the messages
  std::vector<PromptWriter> writers = {};
  int answerBegins = -1;  // the first token of the generation prompt; -1: there is none

  // Names of special tokens that a person typed.
  int typedMarks = 0;
  int typedAsText = 0;           // the ordinary tokens that they are, or would be
  bool typedMarksCount = false;  // they are read as special tokens

  std::vector<LeftOutMessage> messagesLeftOut = {};
  std::vector<int> thoughtsLeftOut = {};  // messages whose thoughts the template drops
  int thoughtTokensLeftOut = 0;

  PromptBefore before = {};

  std::string source = {}, place = {};  // the template, and the file it lies in
  bool isPlain = false;                 // a form of this program's: the model has none, or `problem`
  std::string problem = {};
  std::string messages = {}, tools = {}, variables = {}, model = {};  // what vitrine-cli template takes
  std::string refusal = {};  // the template takes no such conversation, in its words; no tokens then
};

}  // namespace vitrine
