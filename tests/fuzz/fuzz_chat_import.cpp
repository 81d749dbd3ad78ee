// Any bytes as exported chats: refused with an EngineError, or chats that are whole: parents before children,
// no empty message, a shown leaf.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "history/chat_import.h"
#include "vitrine/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vitrine;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.find("vitrine-chats") != std::string_view::npos) return 0;  // ours may have empty messages
  try {
    for (const ChatRecord& chat : readChats(text, "fuzz")) {
      if (chat.messages.empty() || chat.find(chat.shownLeaf) == nullptr) std::abort();
      for (const MessageRecord& message : chat.messages)
        if (message.parent >= message.id || (message.text.isEmpty() && message.thinking.isEmpty()))
          std::abort();
    }
  } catch (const EngineError&) {
    return 0;
  }
  return 0;
}
