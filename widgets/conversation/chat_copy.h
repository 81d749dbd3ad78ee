// What a copy of a message or of a conversation holds. Thread: the window's. Read next: message_widget.h.
#pragma once

#include <QString>
#include <cstdint>

#include "widgets/conversation/chat_model.h"

namespace vitrine {

// kPlainText: without markup, paragraphs apart, cells of a table apart by tabs.
enum class CopyForm : std::uint8_t { kMarkdown, kPlainText };

// An answer's Markdown as plain text.
QString plainTextOf(const QString& markdown);

// The messages that are shown, as far as they are written; thinking left out. In Markdown each has its author
// as a heading, in plain text before its first word.
QString conversationText(const ChatModel& model, CopyForm form);

// Into the clipboard. The Markdown of an answer goes there as text/markdown, too.
void copyAnswer(const QString& markdown, CopyForm form);
void copyConversation(const ChatModel& model, CopyForm form);

}  // namespace vitrine
