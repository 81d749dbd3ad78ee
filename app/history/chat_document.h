// A file of chats as a tree: JSON, or JSON Lines as the list of its lines. Thread: any.
#pragma once

#include <string_view>

#include "json_members.h"

namespace vitrine {

// Throws EngineError kFileCorrupt for what is neither, or is nested deeper than 100 levels.
Json readChatDocument(std::string_view text);

}  // namespace vitrine
