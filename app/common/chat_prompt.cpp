#include "common/chat_prompt.h"

#include <algorithm>
#include <string>

#include "vitrine/thought.h"

namespace vitrine {
namespace {

// How many tokens a prompt and its answer may have together.
class Room {
 public:
  Room(const EngineLoaded& machine, const Request& request)
      : m_context(machine.model.contextLength),
        m_blocks(machine.options.numBlocks),
        m_blockSize(machine.options.blockSize),
        m_beams(std::max(request.beamWidth, 1)) {}

  int whole() const { return forAnswer(0); }
  // Tokens that fit after a prompt of this length; 0 or less: none. Beams share only the prompt's full
  // blocks.
  int forAnswer(int promptTokens) const {
    const int shared = std::min(promptTokens / m_blockSize, m_blocks);
    const int each = shared + (m_blocks - shared) / m_beams;
    return std::min(m_context, each * m_blockSize) - promptTokens;
  }
  bool isPoolSmaller() const { return m_blocks * m_blockSize < m_context || m_beams > 1; }

  // The longest prompt that leaves room for one token.
  int forPrompt() const {
    int tokens = std::min(m_context, m_blocks * m_blockSize) - 1;
    while (tokens > 0 && forAnswer(tokens) < 1) --tokens;
    return tokens;
  }

  // Names the limit that the prompt exceeds, and what would mend it.
  EngineError refusal(int promptTokens, bool withSystem) const {
    const auto number = [](int value) { return std::to_string(value); };
    const std::string message = "the message has " + number(promptTokens) + " tokens as the model reads it" +
                                (withSystem ? ", the system message included" : "") + ", and ";
    const std::string shorter =
        std::string("horten the message") + (withSystem ? ", or the system message" : "");
    if (promptTokens >= m_context)
      return {
          ErrorCode::kContextTooLong,
          message + "the model's context of " + number(m_context) + " has room for " + number(m_context - 1),
          "S" + shorter + "."};
    // The blocks that all beams share, and one more for each.
    const int needed = promptTokens / m_blockSize + m_beams;
    return {ErrorCode::kContextTooLong,
            message + "the KV pool of " + number(m_blocks) + " blocks has room for " +
                number(std::max(forPrompt(), 0)) + " (the model's context: " + number(m_context) + ")",
            "Give the pool " + number(needed) + " blocks or more with --num-blocks, or s" + shorter + "."};
  }

 private:
  int m_context, m_blocks, m_blockSize, m_beams;
};

// Where a cut conversation may begin: at its beginning, and at each later message of the user.
std::vector<std::size_t> beginnings(const std::vector<ChatMessage>& messages, std::size_t kept) {
  std::vector<std::size_t> result = {kept};
  for (std::size_t i = kept + 1; i < messages.size(); ++i)
    if (messages[i].role == ChatRole::kUser) result.push_back(i);
  return result;
}

// The second message of the user; at the latest the newest message.
std::size_t secondTurn(const std::vector<ChatMessage>& messages) {
  const auto isUsers = [](const ChatMessage& message) { return message.role == ChatRole::kUser; };
  const auto first = std::find_if(messages.begin(), messages.end(), isUsers);
  if (first == messages.end()) return 0;
  const auto second = std::find_if(first + 1, messages.end(), isUsers);
  return static_cast<std::size_t>((second == messages.end() ? first : second) - messages.begin());
}

// Where a conversation of `whole` tokens is cut. A prompt that begins elsewhere than the last one finds
// nothing in the prefix cache. So what is left out grows by strides: the next turns are cut at the same
// place.
struct Cut {
  int whole, stride;

  // One of `beginnings`: the first that fits, and then the first that leaves out whole strides. It spares the
  // newest turn but one where that fits. The last beginning, the newest message alone, may not fit.
  struct Place {
    std::vector<std::size_t>::const_iterator needed, chosen;
  };
  template <class TokensAt, class Fits>
  Place choose(const std::vector<std::size_t>& beginnings, const TokensAt& tokensAt, const Fits& fits) const {
    const auto last = beginnings.end() - 1;
    const auto first = std::partition_point(
        beginnings.begin(), last, [&](std::size_t beginning) { return !fits(tokensAt(beginning)); });
    if (first == last) return {last, last};
    const int leftOut = whole - tokensAt(*first), target = (leftOut + stride - 1) / stride * stride;
    const auto rounded = std::partition_point(
        first, last, [&](std::size_t beginning) { return whole - tokensAt(beginning) < target; });
    return {first, rounded == last ? last - 1 : rounded};
  }
};

const Tokenizer& tokenizerOf(const Engine& engine) {
  if (const Tokenizer* const tokenizer = engine.tokenizer()) return *tokenizer;
  throw EngineError(ErrorCode::kUnavailable, "the model's directory has no tokenizer, so it cannot chat",
                    "Put the tokenizer's files beside the model.");
}

// What the model writes behind a thought that the prompt opens would be that thought.
void endOpenedThought(PromptText& prompt) {
  const ThoughtMarks* const opened = openedThought(prompt.text);
  if (opened == nullptr) return;
  const std::size_t from = prompt.text.size();
  prompt.text += std::string(opened->close) + "\n\n";
  prompt.parts.push_back({.range = {from, prompt.text.size()}});
}

void setPrompt(Request& request, const Engine& engine, const Dialogue& dialogue) {
  ReadPrompt read =
      readPrompt(engine, dialogue, request.hasGrammar() ? OpenedThought::kEnds : OpenedThought::kStays);
  request.prompt = std::move(read.prompt.text);
  request.addSpecialTokens = engine.chatFormat().addsSpecialTokens();
  request.tokenIds = std::move(read.ids);
}

}  // namespace

ReadPrompt readPrompt(const Engine& engine, const Dialogue& dialogue, OpenedThought thought) {
  ReadPrompt read{engine.chatFormat().render(dialogue), {}};
  if (thought == OpenedThought::kEnds) endOpenedThought(read.prompt);
  const std::vector<TextRange> written =
      dialogue.typedMarks ? std::vector<TextRange>() : read.prompt.written();
  read.ids = tokenizerOf(engine).encode(read.prompt.text, engine.chatFormat().addsSpecialTokens(), written);
  return read;
}

Request chatRequest(const Engine& engine, const Dialogue& dialogue, Request request) {
  for (const std::string& stop : engine.chatFormat().stopStrings(tokenizerOf(engine)))
    request.stop.push_back(stop);
  setPrompt(request, engine, dialogue);
  return request;
}

ChatPrompt fittingChatRequest(const Engine& engine, const Dialogue& dialogue, const Request& request,
                              ChatCut how) {
  const std::vector<ChatMessage>& messages = dialogue.messages;
  const bool system = !messages.empty() && messages.front().role == ChatRole::kSystem;
  const std::size_t kept = how == ChatCut::kMiddle ? secondTurn(messages) : system ? 1 : 0;
  ChatPrompt prompt{chatRequest(engine, dialogue, request), 0, static_cast<int>(kept)};
  const auto from = [&](std::size_t beginning) {
    Dialogue rest = dialogue;
    rest.messages.erase(rest.messages.begin() + static_cast<std::ptrdiff_t>(kept),
                        rest.messages.begin() + static_cast<std::ptrdiff_t>(beginning));
    ChatPrompt cut{prompt.request, static_cast<int>(beginning - kept), static_cast<int>(kept)};
    setPrompt(cut.request, engine, rest);
    return cut;
  };
  prompt.wholeTokens = static_cast<int>(prompt.request.tokenIds.size());
  // With eviction a sequence may be longer than the context.
  if (engine.description().options.eviction != Eviction::kNone) return prompt;

  const Room room(engine.description(), request);
  const int quarter = std::max(room.forAnswer(0) / 4, 1);
  const int wanted = request.maxTokens == 0 ? quarter : std::min(request.maxTokens, quarter);
  const auto length = [](const ChatPrompt& p) { return static_cast<int>(p.request.tokenIds.size()); };
  if (const int whole = length(prompt); room.forAnswer(whole) < wanted) {
    const std::vector<std::size_t> all = beginnings(messages, kept);
    const auto tokensAt = [&](std::size_t beginning) { return length(from(beginning)); };
    const Cut cut{whole, quarter};
    const Cut::Place place =
        cut.choose(all, tokensAt, [&](int tokens) { return room.forAnswer(tokens) >= wanted; });
    prompt = from(*place.chosen);
    prompt.needed = static_cast<int>(*place.needed - kept);
    prompt.wholeTokens = whole;
  }
  const int left = room.forAnswer(length(prompt));
  if (left < 1) throw room.refusal(length(prompt), system);
  if (room.isPoolSmaller() && request.maxTokens > 0)
    prompt.request.maxTokens = std::min(request.maxTokens, left);
  return prompt;
}

int contextRoom(const EngineLoaded& machine, const Request& request) {
  return Room(machine, request).whole();
}

}  // namespace vitrine
