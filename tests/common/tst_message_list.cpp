// Messages as OpenAI's API has them, read, written and read again, and what is none.
#include "common/message_list.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/argument_text.h"
#include "common/request_line.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

// JSON with ' for ".
Json json(std::string text) {
  std::ranges::replace(text, '\'', '"');
  return parseJson(text);
}

template <typename Work>
QString complaint(const Work& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return QString::fromStdString(error.what());
  }
  return {};
}

constexpr const char* kTalk =
    "[{'role':'system','content':'S'},{'role':'user','content':[{'type':'text','text':'a'},{'type':'text','"
    "text':'b'}]},"
    "{'role':'assistant','content':null,'refusal':null,'reasoning_content':'hm','tool_calls':["
    "{'id':'1','type':'function','function':{'name':'f','arguments':{'z':1,'a':2}}},"
    "{'id':'2','type':'function','function':{'name':'f'}},{'id':'3','function':{'name':'g','arguments':'{}'}}"
    "]},"
    "{'role':'tool','tool_call_id':'3','content':'of 3'},{'role':'tool','tool_call_id':'1','content':'of 1'},"
    "{'role':'tool','tool_call_id':'2','content':'of 2'},{'role':'assistant','content':'So.'}]";

}  // namespace

class TestMessageList : public QObject {
  Q_OBJECT

 private slots:
  void aConversationIsRead() {
    const std::vector<ChatMessage> messages = messagesFromJson(json(kTalk));
    QCOMPARE(messages.size(), std::size_t{7});
    QVERIFY(messages[0].role == ChatRole::kSystem && messages[1].text == "ab");
    QVERIFY(messages[2].text.empty() && messages[2].thinking == "hm");
    QVERIFY(messages[2].calls ==
            (std::vector<ToolCall>{{"f", "{\"z\":1,\"a\":2}"}, {"f", "{}"}, {"g", "{}"}}));
    // The results stand in the order of the calls.
    for (int i = 0; i < 3; ++i) {
      const ChatMessage& result = messages[static_cast<std::size_t>(3 + i)];
      QVERIFY(result.role == ChatRole::kTool && result.text == "of " + std::to_string(i + 1));
      QCOMPARE(result.tool, std::string(i == 2 ? "g" : "f"));
    }
    QCOMPARE(messages[6].text, std::string("So."));
    const Json written = messagesToJson(messages);
    QVERIFY(messagesToJson(messagesFromJson(written)) == written);
  }

  void argumentsKeepTheirDigits() {
    Json talk = json(
        "[{'role':'user','content':'a'},{'role':'assistant','tool_calls':[{'id':'1','type':'function',"
        "'function':{'name':'f','arguments':''}}]},{'role':'tool','tool_call_id':'1','content':''}]");
    const std::string arguments = R"({"n":12345678901234567890123,"x":0.1000000000000000055511151231257827})";
    talk[1]["tool_calls"][0]["function"]["arguments"] = arguments;
    QCOMPARE(messagesFromJson(talk)[1].calls[0].arguments, arguments);
  }

  void aRequestLineIsReadAsItWasWritten() {
    const Json tools = json("[{'type':'function','function':{'name':'f','description':'d'}}]");
    RequestLine line;
    line.arguments.chat = true;
    line.arguments.messages = messagesFromJson(json(kTalk));
    line.arguments.tools = toolsFromJson(tools);
    const RequestLine read = requestFromJson(parseJson(oneLine(requestToJson(line))));
    QVERIFY(messagesToJson(read.arguments.messages) == messagesToJson(line.arguments.messages));
    QCOMPARE(read.arguments.tools, line.arguments.tools);
    QCOMPARE(read.arguments.dialogue().messages.size(), std::size_t{7});
    QCOMPARE(read.arguments.dialogue().tools, tools.dump());
  }

  void whatIsWrongIsNamed_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("words");
    const auto messages = [](const char* one) {
      return QStringLiteral("{'chat':true,'messages':[{'role':'user','content':'a'},%1]}").arg(one);
    };
    QTest::newRow("prompt and messages")
        << "{'chat':true,'prompt':'a','messages':[{'role':'user','content':'a'}]}"
        << "a request needs either \"prompt\", \"token_ids\" or \"messages\"";
    QTest::newRow("messages without chat") << "{'messages':[{'role':'user','content':'a'}]}"
                                           << "\"messages\" needs \"chat\"";
    QTest::newRow("tools without chat")
        << "{'prompt':'a','tools':[{'type':'function','function':{'name':'f'}}]}"
        << "\"tools\" needs \"chat\"";
    QTest::newRow("tools") << "{'chat':true,'prompt':'a','tools':{}}"
                           << "\"tools\" must be a list of tools, as OpenAI's API has them";
    QTest::newRow("a tool") << "{'chat':true,'prompt':'a','tools':[1]}"
                            << "\"tools\": tool 1 should be an object with \"type\": \"function\"";
    QTest::newRow("no messages") << "{'chat':true,'messages':[]}"
                                 << "\"messages\" must be a list of messages";
    QTest::newRow("no role") << messages("{'content':'a'}")
                             << "message 2: this must be an object with a \"role\"";
    QTest::newRow("another role")
        << messages("{'role':'me','content':'a'}")
        << "message 2: \"role\" must be one of system, user, assistant, tool, not \"me\"";
    QTest::newRow("no content") << messages("{'role':'user'}") << "message 2: there is no \"content\"";
    QTest::newRow("an image")
        << messages("{'role':'user','content':[{'type':'image_url'}]}")
        << "message 2: \"content\" must be a string or a list of {\"type\": \"text\", \"text\"}";
    QTest::newRow("another key") << messages("{'role':'user','content':'a','tool_calls':[]}")
                                 << "message 2: unknown key \"tool_calls\" of the role user";
    QTest::newRow("a call") << messages("{'role':'assistant','tool_calls':[{'name':'f'}]}")
                            << "message 2: \"tool_calls\" must be a list of ";
    QTest::newRow("arguments")
        << messages("{'role':'assistant','tool_calls':[{'function':{'name':'f','arguments':[]}}]}")
        << "message 2: \"arguments\" must be a JSON object";
    QTest::newRow("another call")
        << messages(
               "{'role':'assistant','tool_calls':[{'id':'1','function':{'name':'f'}}]},"
               "{'role':'tool','tool_call_id':'2','content':''}")
        << "message 3: \"tool_call_id\" names no call of the answer before it: \"2\"";
  }
  void whatIsWrongIsNamed() {
    QFETCH(QString, line);
    QFETCH(QString, words);
    const QString found = complaint([&] { requestFromJson(json(line.toStdString())); });
    QVERIFY2(found.startsWith(words), qPrintable(found));
  }
};

QTEST_GUILESS_MAIN(TestMessageList)
#include "tst_message_list.moc"
