// Which format a chat_template writes, and the details it leaves open. Thread: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "vitrine/chat_format.h"

namespace vitrine {

std::optional<ChatFormatKind> recogniseChat(std::string_view chatTemplate);

// Whether the template writes the bos token.
bool writesBosToken(std::string_view chatTemplate);

// bos and eos keep their defaults: the template calls them by name only.
ChatDetails readChatDetails(ChatFormatKind kind, std::string_view chatTemplate);

}  // namespace vitrine
