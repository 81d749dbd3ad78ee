// A chat with all that a page of it can show, for tests of keys and colours. Thread: the window's.
#pragma once

#include <QDateTime>

#include "history/chat_record.h"
#include "widgets/conversation/question_files.h"

namespace vitrine::test {

inline const QString kWrittenThought = QStringLiteral("A block holds sixteen tokens, so it is a division.");
inline const QString kWrittenAnswer =
    QStringLiteral(R"(The **block table** of a [block sequence](https://example.org/sequence) says it:

```cpp
#include <block>
int block(int position) { return position / 16; }  // "the block"
const char* name = "block";
int slotOf(int position) { return position % 16; }
```

| position | block |
|---:|---:|
| 0 to 15 | 7 |

> A quoted `block`

See [paging](https://example.org/paging).)");

inline const QString kWrittenTools = QStringLiteral(
    R"([{"type": "function", "function": {"name": "find_slot", "parameters": {"type": "object"}}}])");
inline const QString kWrittenCall = QStringLiteral(
    R"(Let me look.
<tool_call>
{"name": "find_slot", "arguments": {"position": 17, "of": ["a block"]}}
</tool_call>
And then I know.)");
constexpr MessageId kWrittenCallId = 5;

// Two questions, the second one with a file. To it two answers, of which the last one is shown: it calls a
// tool, and what that gave back has an answer of its own.
inline ChatRecord writtenChat() {
  ChatRecord chat;
  chat.summary.title = QStringLiteral("Where a block lies");
  chat.summary.titleGiven = true;
  chat.summary.createdMs = chat.summary.changedMs = QDateTime::currentMSecsSinceEpoch();
  chat.settings.tools = kWrittenTools;
  chat.messages.resize(7);
  for (std::size_t i = 0; i < chat.messages.size(); ++i) {
    MessageRecord& message = chat.messages[i];
    message.id = static_cast<MessageId>(i + 1);
    message.parent = i == 4 ? 3 : static_cast<MessageId>(i);
    if (i != 0 && i != 2) message.role = i == 5 ? MessageRole::kTool : MessageRole::kAssistant;
    message.text = QStringLiteral("A block is sixteen tokens.");
  }
  chat.messages[0].text = QStringLiteral("What is a block?");
  chat.messages[2].text =
      questionText({{{QStringLiteral("table.txt"), QStringLiteral("position block\n0 7")}},
                    QStringLiteral("Where does a token lie?")});
  chat.messages[4].text = kWrittenCall;
  chat.messages[5].text = QStringLiteral("{\"block\": 7,\n \"slot\": 1}");
  MessageRecord& last = chat.messages[6];
  last.text = kWrittenAnswer;
  last.thinking = kWrittenThought;
  last.timings.promptTokens = 48;
  last.timings.cachedTokens = 32;
  last.timings.outputTokens = 90;
  last.timings.thinkingTokens = 12;
  last.timings.thinkingNs = 800'000'000;
  chat.shownLeaf = 7;
  return chat;
}

}  // namespace vitrine::test
