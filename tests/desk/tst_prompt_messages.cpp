// Which messages of a chat the model reads.
#include "desk/prompt_messages.h"

#include <QTest>

#include "history/chat_calls.h"

using namespace vitrine;

namespace {

MessageRecord message(MessageId id, MessageRole role, const QString& text) {
  MessageRecord made;
  made.id = id;
  made.role = role;
  made.text = text;
  return made;
}

QString words(const PromptMessages& prompt) {
  QStringList parts;
  for (std::size_t i = 0; i < prompt.messages.size(); ++i)
    parts << QString("%1:%2").arg(prompt.ids[i]).arg(QString::fromStdString(prompt.messages[i].text));
  return parts.join(u' ');
}

}  // namespace

class TestPromptMessages : public QObject {
  Q_OBJECT

  std::vector<MessageRecord> path() const {
    std::vector<MessageRecord> made = {
        message(1, MessageRole::kUser, "a"),      message(2, MessageRole::kAssistant, "b"),
        message(3, MessageRole::kUser, "c"),      message(4, MessageRole::kAssistant, ""),
        message(5, MessageRole::kAssistant, "d"), message(6, MessageRole::kSystem, "e"),
        message(7, MessageRole::kTool, "f"),      message(8, MessageRole::kAssistant, "g")};
    made[4].state = MessageState::kFailed;
    made[7].state = MessageState::kStopped;
    return made;
  }

 private slots:
  void emptyAndFailedAnswersAreNotRead() {
    QCOMPARE(words(promptMessages({}, path(), {})), QString("1:a 2:b 3:c 8:g"));
    const PromptMessages prompt = promptMessages({"Be brief.", {}, {}}, path(), {});
    QCOMPARE(words(prompt), QString("0:Be brief. 1:a 2:b 3:c 8:g"));
    QVERIFY(prompt.messages.front().role == ChatRole::kSystem);
    QVERIFY(prompt.messages.back().role == ChatRole::kAssistant);
    QCOMPARE(words(promptMessages({" \n", {}, {}}, path(), {})), QString("1:a 2:b 3:c 8:g"));
  }

  // Whether the model reads it is its template's to say. An answer that a limit cut in its thought stands
  // between two questions all the same.
  void whatWasThoughtGoesWithItsAnswer() {
    std::vector<MessageRecord> path = {message(1, MessageRole::kUser, "a"),
                                       message(2, MessageRole::kAssistant, "b"),
                                       message(3, MessageRole::kAssistant, "")};
    path[1].thinking = "hm";
    path[2].thinking = "so";
    const PromptMessages prompt = promptMessages({}, path, {});
    QCOMPARE(words(prompt), QString("1:a 2:b 3:"));
    QCOMPARE(prompt.messages[1].thinking, std::string("hm"));
    QCOMPARE(prompt.messages[2].thinking, std::string("so"));
  }

  void whatIsLeftOutIsNotRead() {
    std::vector<MessageRecord> marked = path();
    marked[0].leftOut = marked[1].leftOut = true;
    const Places places = placesLeftOut(marked);
    QVERIFY(places == (Places{0, 1}));
    QCOMPARE(words(promptMessages({"s", {}, {}}, marked, places)), QString("0:s 3:c 8:g"));
    // What an answer was made from does not change with the marks.
    QCOMPARE(words(promptMessages({}, marked, {})), QString("1:a 2:b 3:c 8:g"));
  }

  // The k-th result belongs to the k-th call. The text of the answer is without them.
  void callsAndTheirResultsAreRead() {
    const QString answer = R"(Let me look. <tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>)"
                           "\n"
                           R"(<tool_call>{"name": "g", "arguments": {}}</tool_call>)";
    std::vector<MessageRecord> path = {
        message(1, MessageRole::kUser, "a"),      message(2, MessageRole::kAssistant, answer),
        message(3, MessageRole::kTool, "one"),    message(4, MessageRole::kTool, "two"),
        message(5, MessageRole::kTool, "beyond"), message(6, MessageRole::kAssistant, "b")};
    const PromptMessages prompt = promptMessages({}, path, {});
    QCOMPARE(words(prompt), QString("1:a 2:Let me look. 3:one 4:two 6:b"));
    QCOMPARE(prompt.messages[1].calls, (std::vector<ToolCall>{{"f", "{\"x\":1}"}, {"g", "{}"}}));
    QVERIFY(prompt.messages[2].role == ChatRole::kTool);
    QCOMPARE(prompt.messages[2].tool, std::string("f"));
    QCOMPARE(prompt.messages[3].tool, std::string("g"));
    // Results of an answer that is left out belong to nothing.
    QCOMPARE(words(promptMessages({}, path, {1})), QString("1:a 6:b"));
    QCOMPARE(words(promptMessages({}, path, {2})), QString("1:a 2:Let me look. 4:two 6:b"));
    // Without tools, and without a result, an answer that quotes a call is text.
    path.resize(2);
    QCOMPARE(words(promptMessages({}, path, {})), "1:a 2:" + answer);
    const ChatSettings withTools{.instructions = {},
                                 .stops = {},
                                 .preset = {},
                                 .tools = R"([{"type": "function", "function": {"name": "f"}}])"};
    QCOMPARE(words(promptMessages(withTools, path, {})), QString("1:a 2:Let me look."));
    path[1].state = MessageState::kFailed;
    QCOMPARE(words(promptMessages(withTools, path, {})), QString("1:a"));
  }

  void whatACallStillWaitsFor() {
    const ChatSettings withTools{.instructions = {},
                                 .stops = {},
                                 .preset = {},
                                 .tools = R"([{"type": "function", "function": {"name": "f"}}])"};
    std::vector<MessageRecord> path = {
        message(1, MessageRole::kUser, "a"),
        message(2, MessageRole::kAssistant, R"(<tool_call>{"name": "f", "arguments": {}}</tool_call>
<tool_call>{"name": "g", "arguments": {}}</tool_call>)")};
    const auto awaited = [&] {
      QStringList names;
      const PathCalls calls(withTools, path);
      for (const ToolCall& call : calls.awaited()) names << QString::fromStdString(call.name);
      return names.join(' ');
    };
    QCOMPARE(awaited(), QString("f g"));
    path[1].state = MessageState::kStreaming;
    QCOMPARE(awaited(), QString());
    path[1].state = MessageState::kStopped;
    path.push_back(message(3, MessageRole::kTool, "one"));
    QCOMPARE(awaited(), QString("g"));
    path.push_back(message(4, MessageRole::kTool, "two"));
    QCOMPARE(awaited(), QString());
    path.back().role = MessageRole::kUser;  // an ordinary message instead
    QCOMPARE(awaited(), QString());
  }

  void theTemplateHearsOfTheTools() {
    ChatSettings settings;
    settings.tools = "\n[] ";
    settings.asking = {"no_thinking"};
    const Dialogue dialogue = dialogueOf(settings, {{ChatRole::kUser, "a"}}, true);
    QCOMPARE(dialogue.tools, std::string("[]"));
    QCOMPARE(dialogue.messages.size(), std::size_t{1});
    QVERIFY(!dialogue.thinking);
    QVERIFY(dialogueOf({}, {}, true).thinking);
    settings.tools = "no JSON";
    QVERIFY(toolsOf(settings).empty());
  }

  void placesAreKeptAsText() {
    QCOMPARE(toText({}), QString());
    QVERIFY(placesFrom(toText({2, 3, 11})) == (Places{2, 3, 11}));
    for (const char* other : {"", "{", "{\"a\":1}", "[\"x\"]", "null", "[1.5]"})
      QVERIFY2(placesFrom(other).empty(), other);
  }
};

QTEST_GUILESS_MAIN(TestPromptMessages)
#include "tst_prompt_messages.moc"
