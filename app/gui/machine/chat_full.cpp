#include "gui/machine/chat_full.h"

#include "widgets/support/formats.h"

namespace vitrine {

// The first exchange and the newest message may be too long by themselves.
ChatFull fullness(const Engine& engine, const ChatOrder& order, const ChatPrompt& cut) {
  ChatFull full{windowText(order.request.name), cut.wholeTokens,
                contextRoom(engine.description(), order.request)};
  full.oldest = {cut.from, cut.forgotten, cut.needed};
  try {
    const ChatPrompt ends = fittingChatRequest(engine, order.dialogue, order.request, ChatCut::kMiddle);
    // Without all that may go, the room for an answer can still be too little; then it would be asked again.
    Dialogue rest = order.dialogue;
    const auto from = rest.messages.begin() + ends.from;
    rest.messages.erase(from, from + ends.forgotten);
    if (fittingChatRequest(engine, rest, order.request).forgotten == 0)
      full.middle = {ends.from, ends.forgotten, ends.needed};
  } catch (const EngineError& error) {
    if (error.code() != ErrorCode::kContextTooLong) throw;
  }
  return full;
}

std::optional<ChatFull> fullness(const Engine& engine, const ChatOrder& order) {
  if (engine.tokenizer() == nullptr) return std::nullopt;
  try {
    const ChatPrompt cut = fittingChatRequest(engine, order.dialogue, order.request);
    if (cut.forgotten > 0) return fullness(engine, order, cut);
  } catch (const ChatRefusal&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace vitrine
