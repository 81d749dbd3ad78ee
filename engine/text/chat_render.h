// The formats themselves: each writes a conversation as transformers' apply_chat_template does for its
// models, but for a leading bos token. Thread: pure functions.
#pragma once

#include <string>
#include <vector>

#include "vitrine/chat_format.h"

namespace vitrine {

std::string renderPlain(const std::vector<ChatMessage>& messages);
std::string renderZephyr(const std::vector<ChatMessage>& messages, const ChatDetails& details);
std::string renderChatMl(const std::vector<ChatMessage>& messages, const ChatDetails& details,
                         bool emptyThought);
std::string renderLlama2(const std::vector<ChatMessage>& messages, const ChatDetails& details);
std::string renderLlama3(const std::vector<ChatMessage>& messages, const ChatDetails& details);
std::string renderMistral(const std::vector<ChatMessage>& messages, const ChatDetails& details);

}  // namespace vitrine
