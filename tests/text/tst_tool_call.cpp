// Calls of tools in an answer that is whole, and in one that grows. tool_calls.json has answers of each
// family with their calls, written by hand.
#include "vitrine/tool_call.h"

#include "support/more_tokens.h"
#include "text_support.h"
#include "vitrine/blanks.h"
#include "vitrine/chat_format.h"
#include "vitrine/text_stream.h"
#include "vitrine/thought.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Json = nlohmann::ordered_json;

const Json& goldens() {
  static const Json json = Json::parse(readFile(VITRINE_SOURCE_DIR "/tests/text/tool_calls.json"));
  return json;
}

// "cut: ..." and "unreadable: ...", a line for each.
std::string brokenOf(const std::string& answer, const AnswerCalls& found) {
  std::string lines;
  for (const auto& [call, range, state, name, arguments] : found.calls)
    if (state != CallState::kWhole)
      lines += (state == CallState::kCut ? "cut: " : "unreadable: ") +
               answer.substr(range.begin, range.end - range.begin) + "\n";
  return lines;
}

std::string inWords(const std::vector<ToolCall>& calls) {
  std::string words;
  for (const ToolCall& call : calls) words += call.name + call.arguments + "\n";
  return words;
}

bool areOrdered(const AnswerCalls& found, std::size_t size) {
  std::size_t at = 0;
  for (const PlacedCall& placed : found.calls) {
    if (placed.range.begin < at || placed.range.end <= placed.range.begin) return false;
    at = placed.range.end;
  }
  return at <= found.undecided.begin && found.undecided.end == size && found.undecided.begin <= size;
}

bool areSame(const AnswerCalls& one, const AnswerCalls& other) {
  const auto isSamePlace = [](const TextRange& a, const TextRange& b) {
    return a.begin == b.begin && a.end == b.end;
  };
  return one.open == other.open && isSamePlace(one.undecided, other.undecided) &&
         std::ranges::equal(one.calls, other.calls, [&](const PlacedCall& a, const PlacedCall& b) {
           return a.call == b.call && a.state == b.state && isSamePlace(a.range, b.range) &&
                  isSamePlace(a.name, b.name) && isSamePlace(a.arguments, b.arguments);
         });
}

// Read piece by piece, it has the calls of the whole, whatever the pieces are.
void readInPieces(const std::string& answer, const ToolSet& tools) {
  std::mt19937 random(static_cast<unsigned>(answer.size()));
  for (const unsigned longest : {1u, 3u, 20u}) {
    GrowingCalls calls(tools);
    for (std::size_t end = 0; end <= answer.size(); end += 1 + random() % longest) {
      const std::string_view begun = std::string_view(answer).substr(0, end);
      QVERIFY2(areSame(calls.read(begun, false), toolCalls(begun, tools, false)),
               answer.substr(0, end).c_str());
    }
    QVERIFY2(areSame(calls.read(answer, true), toolCalls(answer, tools, true)), answer.c_str());
  }
}

// While it is written, calls only come, none changes, and nothing that was text becomes a call.
void growing(const std::string& answer, const ToolSet& tools) {
  const AnswerCalls whole = toolCalls(answer, tools, true);
  QVERIFY(areOrdered(whole, answer.size()) && !whole.open && whole.undecided.begin == answer.size());
  AnswerCalls before;
  for (std::size_t length = 0; length <= answer.size(); ++length) {
    const AnswerCalls now = toolCalls(std::string_view(answer).substr(0, length), tools, false);
    QVERIFY(areOrdered(now, length));
    QVERIFY2(now.calls.size() >= before.calls.size() && now.calls.size() <= whole.calls.size(),
             answer.substr(0, length).c_str());
    QVERIFY(now.undecided.begin >= before.undecided.begin);
    for (std::size_t i = 0; i < now.calls.size(); ++i) {
      const PlacedCall& call = now.calls[i];
      QVERIFY(call.call == whole.calls[i].call && call.state == whole.calls[i].state);
      QVERIFY(call.range.begin == whole.calls[i].range.begin && call.range.end == whole.calls[i].range.end);
      if (i >= before.calls.size()) QVERIFY(call.range.begin >= before.undecided.begin);
    }
    before = now;
  }
  readInPieces(answer, tools);
}

const std::filesystem::path kTemplates = VITRINE_SOURCE_DIR "/tests/text/jinja/templates";

ChatFormat formatOf(const std::string& name) {
  return ChatFormat(PromptTemplate(readFile(kTemplates / (name + ".jinja")),
                                   {{"bos_token", "<s>"}, {"eos_token", "</s>"}}));
}

// What the template writes for an answer with these calls, from where the model begins to write it.
std::string writtenAnswer(const ChatFormat& format, const std::vector<ToolCall>& calls) {
  Dialogue dialogue{{{ChatRole::kSystem, "Be brief."}, {ChatRole::kUser, "Hi"}}, goldens()["tools"].dump()};
  const std::string asked = format.render(dialogue).text;
  dialogue.messages.push_back({ChatRole::kAssistant, "", "", calls});
  Conversation conversation = format.conversation(dialogue);
  conversation.addGenerationPrompt = false;
  const std::string answered = format.chatTemplate().render(conversation).text;
  return answered.substr(
      static_cast<std::size_t>(std::ranges::mismatch(answered, asked).in1 - answered.begin()));
}

// Families whose forms toolCalls() does not read.
const std::vector<std::string> kOtherForms = {"command-r-tools", "deepseek-r1",   "deepseek-v3",
                                              "functionary",     "internlm",      "kimi",
                                              "minicpm",         "mistral-tekken"};
// Llama 3 and gpt-oss call one tool in an answer.
const std::vector<std::string> kOneCall = {"llama-3.1", "gpt-oss"};

bool isIn(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

class TestToolCall : public QObject {
  Q_OBJECT

 private slots:
  void answersAndTheirCalls_data() {
    QTest::addColumn<int>("index");
    QVERIFY(goldens()["answers"].size() > 50);
    int index = 0;
    for (const Json& golden : goldens()["answers"])
      QTest::newRow(golden["name"].get<std::string>().c_str()) << index++;
  }
  void answersAndTheirCalls() {
    QFETCH(int, index);
    const Json& golden = goldens()["answers"][static_cast<std::size_t>(index)];
    const ToolSet tools(goldens()["tools"].dump());
    const std::string answer = golden["answer"];
    const AnswerCalls found = toolCalls(answer, tools, true);
    std::vector<ToolCall> wanted;
    for (const Json& call : golden["calls"]) wanted.push_back({call["name"], call["arguments"]});
    QCOMPARE(inWords(wholeCalls(found)), inWords(wanted));
    QCOMPARE(QString::fromStdString(brokenOf(answer, found)),
             QString::fromStdString(golden.value("broken", std::string())));
    QCOMPARE(textBesideCalls(answer, found), golden["text"].get<std::string>());
    growing(answer, tools);
  }

  void anOpenCallIsKnownFromItsMarkOn() {
    const std::string answer = "I look.\n<tool_call>\n{\"name\": \"f\"}\n</tool_call>";
    const AnswerCalls begun = toolCalls(answer.substr(0, 20), {}, false);
    QVERIFY(begun.calls.empty() && begun.open && begun.undecided.begin == answer.find('<'));
    QCOMPARE(textBesideCalls(answer.substr(0, 20), begun), std::string("I look.\n"));
    QVERIFY(!toolCalls(answer.substr(0, 20), {}, true).open);
    const AnswerCalls mark = toolCalls("So <tool", {}, false);
    QVERIFY(!mark.open && mark.undecided.begin == 3);
    const AnswerCalls call = toolCalls(answer, {}, false);
    QVERIFY(!call.open && call.calls.size() == 1 && call.undecided.begin == answer.size());
  }

  void jsonAloneIsACallOnlyWithTools() {
    const std::string answer = R"({"name": "get_weather", "parameters": {}})";
    QVERIFY(toolCalls(answer, {}, true).calls.empty());
    QVERIFY(!toolCalls(answer.substr(0, 9), {}, false).open);
    const ToolSet tools(goldens()["tools"].dump());
    QCOMPARE(toolCalls(answer, tools, true).calls.size(), std::size_t{1});
    QVERIFY(toolCalls(answer.substr(0, 9), tools, false).open);
    QVERIFY(!toolCalls("{\"city", tools, false).calls.size());
    QVERIFY(!toolCalls("{\"city\":", tools, false).open);  // other JSON is shown while it is written
  }

  // GLM's name behind the mark, within a sentence, is none yet.
  void aNameBeginsACallAtTheBeginningOfALine() {
    const ToolSet tools(goldens()["tools"].dump());
    QVERIFY(toolCalls("<tool_call>sear", tools, false).open);
    for (const char* text :
         {"So <tool_call>sear", "So <tool_call>search\n", "So <tool_call>search\n</tool"}) {
      const AnswerCalls found = toolCalls(text, tools, false);
      QVERIFY2(!found.open && found.undecided.begin == 3, text);
    }
    QVERIFY(toolCalls("So <tool_call>any<arg_key>", tools, false).open);
    QVERIFY(toolCalls("So <tool_call>any <b>", tools, false).undecided.begin > 14);
  }

  // A line that begins with a mark is held back as long as a call may come of it.
  void wordsBehindAMarkAreShownWhileTheyAreWritten() {
    const ToolSet tools(goldens()["tools"].dump());
    const auto shown = [&](const std::string& answer) {
      const AnswerCalls found = toolCalls(answer, tools, false);
      return found.open ? std::string("open") : textBesideCalls(answer, found);
    };
    for (const char* mark : {"<tool_call>", "So.\n<tool_call>\n", "<|tool_calls|>"}) {
      const std::string words = mark + std::string(" opens a call. ");
      QCOMPARE(shown(mark + std::string(" opens ")), std::string("open"));
      QCOMPARE(shown(mark + std::string(" opens a")), mark + std::string(" opens a"));
      QCOMPARE(shown(mark + std::string(", \"")), mark + std::string(", \""));
      QCOMPARE(shown(words + "Its end"), words + "Its end");
      growing(words + "Its end is </tool_call>.\n<tool_call>{\"name\": \"search\"}</tool_call>", tools);
      for (const char* inside : {"search for it", "[search", "any(1", "any {", "```json\n{"})
        QCOMPARE(shown(mark + std::string(inside)), std::string("open"));
    }
    growing("<tool_call>search for it</tool_call>", tools);
    growing("<tool_call>any\n(1)</tool_call>", tools);
  }

  // What may become the header of a message is held back; a call has begun when it names its tool.
  void aRecipientBeginsACall() {
    const std::string channel = "<|channel|>commentary to=functions.f";
    for (const std::size_t length : {1U, 5U, 11U, 22U, 25U}) {
      const AnswerCalls begun = toolCalls(channel.substr(0, length), {}, false);
      QVERIFY(!begun.open && begun.undecided.begin == 0);
    }
    QVERIFY(toolCalls(channel, {}, false).open && !toolCalls(channel, {}, true).open);
    QVERIFY(!toolCalls("to", {}, false).open && toolCalls("to", {}, false).undecided.begin == 0);
    QVERIFY(toolCalls("to be", {}, false).undecided.begin == 5);
    // Another form's call behind words that were no header.
    QVERIFY(toolCalls("<|channel|>final? <tool_call>{", {}, false).open);
    // Blanks alone decide nothing yet, also in a conversation without tools.
    growing("\n to=functions.f<|channel|>commentary json<|message|>{} <|call|>\n so", {});
  }

  // Blanks behind a call are no text yet: the next call of the row may follow.
  void aRowOfCallsGrows() {
    const ToolSet tools(goldens()["tools"].dump());
    const std::string call = R"({"name": "get_weather", "parameters": {}})";
    for (const std::string& between :
         {std::string(" ; "), std::string("\n"), std::string(" ;\n\n"), std::string(" so ")})
      for (const char* const mark : {"", " ", "<|python_tag|>"})
        growing(mark + call + between + call + " \n so", tools);
    const AnswerCalls one = toolCalls(call + " ", tools, false);
    QVERIFY(!one.open && one.calls.size() == 1 && one.undecided.begin == call.size());
  }

  void aCallWithinAThoughtIsNone() {
    const std::string call = "<tool_call>{\"name\": \"f\"}</tool_call>";
    const std::string text = "<think>\nPerhaps " + call + "\n</think>\n\n" + call;
    const AnswerParts parts = answerParts(text, nullptr, true);
    QCOMPARE(toolCalls(parts.answer, {}, true).calls.size(), std::size_t{1});
    QVERIFY(toolCalls(answerParts(text.substr(0, 50), nullptr, false).answer, {}, false).calls.empty());
  }

  // Solar's message of calls behind others: while it is written no mark of it is among the words.
  void callsBehindSolarsMessages_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("thought");
    QTest::addColumn<QString>("words");
    const QString thought = "<|think|>So.<|end|>", next = "<|begin|>assistant",
                  words = "<|content|>I look.<|end|>";
    QTest::newRow("a thought") << thought + next << "So."
                               << "";
    QTest::newRow("words") << words + next << ""
                           << "I look.";
    QTest::newRow("a thought and words") << thought + next + words + next << "So."
                                         << "I look.";
  }
  void callsBehindSolarsMessages() {
    QFETCH(QString, before);
    QFETCH(QString, thought);
    QFETCH(QString, words);
    const std::string text = before.toStdString() +
                             "<|tool_calls|><|tool_call:begin|>a1<|tool_call:name|>f<|tool_call:args|>{}"
                             "<|tool_call:end|><|tool_call:begin|>b2<|tool_call:name|>g<|tool_call:args|>{"
                             "\"x\": 1}<|tool_call:end|><|calls|>";
    std::string shown;
    for (std::size_t length = 1; length <= text.size(); ++length) {
      const AnswerParts parts = answerParts(std::string_view(text).substr(0, length), nullptr, false);
      QVERIFY(thought.toStdString().starts_with(parts.thinking));
      const std::string now = textBesideCalls(parts.answer, toolCalls(parts.answer, {}, false));
      QVERIFY2(trimmed(now).starts_with(trimmed(shown)) && words.toStdString().starts_with(trimmed(now)),
               now.c_str());
      shown = now;
    }
    const AnswerParts parts = answerParts(text, nullptr, true);
    const AnswerCalls found = toolCalls(parts.answer, {}, true);
    QCOMPARE(inWords(wholeCalls(found)), std::string("f{}\ng{\"x\":1}\n"));
    QCOMPARE(textBesideCalls(parts.answer, found), words.toStdString());
    growing(parts.answer, {});
  }

  void bytesThatAreNoUtf8AreNoCall() {
    for (const std::string& answer :
         std::vector<std::string>{"<tool_call>{\"name\": \"\xff\"}</tool_call>",
                                  "<function=f><parameter=a>\xff</parameter></function>",
                                  "<function=f><parameter=\xff>a</parameter></function>",
                                  "<tool_call>f<arg_key>a</arg_key><arg_value>\xff</arg_value></tool_call>",
                                  "<tool_call>f<arg_key>\xff</arg_key><arg_value>a</arg_value></tool_call>",
                                  "[TOOL_CALLS]\xff[ARGS]{}",
                                  "<tool_call>{\"name\": \"f\"" + std::string(1, '\0') + "}</tool_call>"}) {
      QVERIFY2(wholeCalls(toolCalls(answer, {}, true)).empty(), answer.c_str());
      growing(answer, {});
    }
  }

  // A reader that began again at each mark would take hours.
  void theWorkIsLinearInTheAnswer() {
    for (const std::string& part : std::vector<std::string>{
             "<tool_call>",
             "<tool_call>{\"",
             "<tool_call>{\"a\":\"",
             "<function=f><parameter=x>",
             "<parameter=x><function=f><parameter=y></parameter>",
             "[TOOL_CALLS][{\"name\":\"f\"},",
             "[TOOL_CALLS]f",
             "<|python_tag|>f.call(x=[",
             "<|channel|>",
             "<|start|>assistant",
             "<|channel|>commentary to=f json<|message|>{}",
             "<|channel|>commentary to=f json<|message|>{\"",
             "<tool_call>{]",
             "<function=f><parameter=x>1</parameter>",
             "<tool_call>f",
             "<tool_call>search ",
             "<tool_call>f<arg_key>x</arg_key>",
             "<tool_call>f<arg_key>x</arg_key><arg_value>",
             "<arg_key>x</arg_key><arg_value>1</arg_value>",
             "<tool_call>f<arg_key>x</arg_key><arg_value>1</arg_value>",
             "<|begin|>assistant<|tool_calls|>",
             "<|tool_call:begin|>a<|tool_call:name|>f<|tool_call:args|>{}<|tool_call:end|>",
             "<|tool_call:begin|>a<|tool_call:name|>f<|tool_call:args|>{\"",
             "{\"name\":\"search\",\"parameters\":{}};",
             "<",
             " "}) {
      std::string answer;
      while (answer.size() < 1'000'000) answer += part;
      const ToolSet tools(goldens()["tools"].dump());
      for (const char* end : {"", "</parameter>", "\"}</tool_call>"})
        QVERIFY2(
            areOrdered(toolCalls(answer + end, tools, true), answer.size() + std::string_view(end).size()),
            (part + end).c_str());
    }
  }

  // As the model wrote them, in each form; and the template gets them.
  void numbersKeepTheirDigits_data() {
    QTest::addColumn<QString>("answer");
    const std::string json =
        quoted("{'n': 12345678901234567890123, 'x': [0.1000000000000000055511151231257827]}");
    const auto row = [](const char* name, const std::string& answer) {
      QTest::newRow(name) << QString::fromStdString(answer);
    };
    row("Hermes", quoted("<tool_call>{'name': 'f', 'arguments': ") + json + "}</tool_call>");
    row("a text",
        quoted("<tool_call>{'name': 'f', 'arguments': '{\\\'n\\\': 12345678901234567890123, \\\'x\\\': "
               "[0.1000000000000000055511151231257827]}'}</tool_call>"));
    row("Mistral", "[TOOL_CALLS]f[ARGS]" + json);
    row("Llama", quoted("<|python_tag|>{'name': 'f', 'parameters': ") + json + "}");
    row("Python",
        "<|python_tag|>f.call(n=12345678901234567890123, x=[0.1000000000000000055511151231257827])");
    row("gpt-oss", "<|channel|>commentary to=functions.f <|constrain|>json<|message|>" + json + "<|call|>");
    row("Qwen3-Coder",
        "<function=f><parameter=n>\n12345678901234567890123\n</parameter>"
        "<parameter=x>[0.1000000000000000055511151231257827]</parameter></function>");
    row("GLM",
        "<tool_call>f\n<arg_key>n</arg_key>\n<arg_value>12345678901234567890123</arg_value>\n"
        "<arg_key>x</arg_key>\n<arg_value>[0.1000000000000000055511151231257827]</arg_value>\n</tool_call>");
  }
  void numbersKeepTheirDigits() {
    QFETCH(QString, answer);
    const ToolSet tools(
        quoted("[{'type': 'function', 'function': {'name': 'f', 'parameters': {'type': 'object',"
               "'properties': {'n': {'type': 'integer'}, 'x': {'type': 'array'}}}}}]"));
    const std::vector<ToolCall> calls = wholeCalls(toolCalls(answer.toStdString(), tools, true));
    QCOMPARE(inWords(calls),
             quoted("f{'n':12345678901234567890123,'x':[0.1000000000000000055511151231257827]}\n"));
    growing(answer.toStdString(), tools);
    const auto written = [&](const char* call) {
      const ChatFormat format(PromptTemplate(
          std::string(
              "{% for m in messages %}{% for c in m.tool_calls or [] %}{% set a = c.function.arguments %}") +
          call + "{{ c.function.name }}{% endfor %}{% endfor %}"));
      return format.render({{{ChatRole::kUser, "Hi"}, {ChatRole::kAssistant, "", "", calls}}}).text;
    };
    // Python has whole numbers of any size, and rounds the others.
    QCOMPARE(written("{{ a | tojson }}"), quoted("{'n': 12345678901234567890123, 'x': [0.1]}f"));
    QCOMPARE(written("{% for k, v in a | items %}{{ v }} {% endfor %}"),
             std::string("12345678901234567890123 [0.1] f"));
    // A template that wants text gets it as it was written.
    QCOMPARE(written("{% if a is not string %}{{ raise_exception('no text') }}{% endif %}{{ a }}"),
             quoted("{'n':12345678901234567890123,'x':[0.1000000000000000055511151231257827]}f"));
  }

  void piecesOfAnAnswerAreReadOnce() {
    for (const std::string& part :
         std::vector<std::string>{"<tool_call>{\"name\":\"f\"}</tool_call>", "Some words. ",
                                  "<tool_call>{\"a\"} <", "<function=f><parameter=x>1</parameter></function>",
                                  "<tool_call>f<arg_key>x</arg_key><arg_value>1</arg_value></tool_call>",
                                  "<|start|>assistant<|channel|>commentary to=f json<|message|>{}<|call|>",
                                  "<|channel|>final<|message|>"}) {
      std::string answer;
      while (answer.size() < 2'000'000) answer += part;
      const ToolSet none;
      GrowingCalls calls(none);
      for (std::size_t end = 0; end < answer.size(); end += 16)
        calls.read(std::string_view(answer).substr(0, end), false);
      QVERIFY(areSame(calls.read(answer, true), toolCalls(answer, none, true)));
    }
  }

  // A template that knows tools and no calls gets them in Hermes's form.
  void whatATemplateWritesIsFoundAgain_data() {
    QTest::addColumn<QString>("name");
    for (const auto& file : std::filesystem::directory_iterator(kTemplates)) {
      const std::string name = file.path().stem().string();
      if (formatOf(name).takesTools()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
  }
  void whatATemplateWritesIsFoundAgain() {
    QFETCH(QString, name);
    const ChatFormat format = formatOf(name.toStdString());
    const ToolSet tools(goldens()["tools"].dump());
    std::vector<std::vector<ToolCall>> answers = {
        {{"get_weather", R"({"city":"Paris"})"}},
        {{"get_weather", quoted("{'city':'</tool_call> \\'quoted\\' é 日本\\n}, line','days':3}")}},
        {{"search", R"({})"}},
        {{"get_weather", R"({"limit":1.5,"metric":true,"where":{"x":[1,{"y":null}]},"tags":["a",2]})"}}};
    if (!isIn(kOneCall, name.toStdString()))
      answers.push_back({{"get_weather", R"({"city":"Paris"})"}, {"search", R"({"query":"Paris"})"}});
    for (const std::vector<ToolCall>& calls : answers) {
      const std::string answer = writtenAnswer(format, calls);
      QVERIFY2(answer.find(calls[0].name) != std::string::npos, answer.c_str());
      const std::string found = inWords(wholeCalls(toolCalls(answer, tools, true)));
      if (isIn(kOtherForms, name.toStdString()))
        QCOMPARE(found, std::string());
      else
        QVERIFY2(found == inWords(calls), (found + answer).c_str());
      growing(answer, tools);
    }
  }

  // They are special tokens in some vocabularies, and special tokens have no text else.
  void aMarkThatIsASpecialTokenIsText() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    TokensToAdd added = channelTokens();
    for (const char* mark : {"[TOOL_CALLS]", "[ARGS]", "<|constrain|>", "<|call|>"})
      added.special.emplace_back(mark);
    writeTokenizer(kGolden / "tokenizers/qwen2", added, path);
    const auto tokenizer = loadTokenizer(path);
    const std::string answer =
        "[TOOL_CALLS]f[ARGS]{\"x\": 1}<|start|>assistant<|channel|>commentary to=functions.f "
        "<|constrain|>json<|message|>{\"x\": 1}<|call|>";
    const auto ids = tokenizer->encode(answer + "<|im_end|>", false);
    QVERIFY(tokenizer->isSpecial(ids.front()));
    TextStream stream(tokenizer.get(), {});
    std::string text;
    for (const TokenId token : ids) text += stream.push(token);
    text += stream.finish();
    QCOMPARE(text, answer);
  }
};

QTEST_APPLESS_MAIN(TestToolCall)
#include "tst_tool_call.moc"
