// Chat formats: what transformers' apply_chat_template renders (tests/golden/chat), what a template refuses
// and what helps, where an answer ends, and the plain form.
#include "support/more_tokens.h"
#include "text_support.h"

#include "vitrine/chat_format.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::filesystem::path kTemplates = VITRINE_SOURCE_DIR "/tests/text/jinja/templates";

std::vector<ChatMessage> messagesOf(const nlohmann::json& list) {
  std::vector<ChatMessage> messages;
  for (const auto& entry : list) {
    const auto role = entry["role"].get<std::string>();
    messages.push_back({role == "system" ? ChatRole::kSystem
                        : role == "user" ? ChatRole::kUser
                                         : ChatRole::kAssistant,
                        entry["content"]});
  }
  return messages;
}

ChatFormat formatOf(const std::string& text, PromptTemplate::Names names = {}) {
  return ChatFormat(PromptTemplate(text, std::move(names)));
}

Dialogue asking(const std::string& question) { return {{{ChatRole::kUser, question}}}; }

// Refuses a system message, and roles that do not alternate, in the words of well-known templates.
constexpr const char* kStrict =
    "{%- if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{%- for m in messages %}"
    "{%- if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
    "{{- '<' + m.role + '>' + m.content }}{% endfor %}<assistant>";

void write(const QTemporaryDir& folder, const char* name, const std::string& content) {
  std::ofstream(std::filesystem::path(folder.path().toStdString()) / name, std::ios::binary) << content;
}

}  // namespace

class TestChatFormat : public QObject {
  Q_OBJECT

 private slots:
  void sameAsTransformers_data() {
    QTest::addColumn<int>("index");
    const auto golden = readGolden(kGolden / "chat/expected.json");
    QVERIFY2(golden.contains("cases") && golden["cases"].size() > 90,
             "tests/golden/chat is missing; see tests/golden/README.md");
    for (std::size_t i = 0; i < golden["cases"].size(); ++i) {
      const auto& item = golden["cases"][i];
      QTest::newRow((item["template"].get<std::string>() + " " + std::to_string(i)).c_str())
          << static_cast<int>(i);
    }
  }

  void sameAsTransformers() {
    QFETCH(int, index);
    static const auto golden = readGolden(kGolden / "chat/expected.json");
    const auto& item = golden["cases"][static_cast<std::size_t>(index)];
    const auto text = golden["templates"][item["template"].get<std::string>()].get<std::string>();
    PromptTemplate::Names names = {{"eos_token", item["eos"].get<std::string>()}};
    if (item["bos"].is_string()) names.emplace_back("bos_token", item["bos"].get<std::string>());
    const ChatFormat format = formatOf(text, std::move(names));
    QCOMPARE(std::string(format.name()), std::string("template"));
    QVERIFY(format.problem().empty() && !format.addsSpecialTokens());
    QCOMPARE(format.canThink(), !item["thinking"].is_null());
    const auto wanted = item["rendered"].get<std::string>();
    Dialogue dialogue{messagesOf(item["messages"])};
    dialogue.thinking = item["thinking"].is_boolean() && item["thinking"].get<bool>();
    dialogue.date = {2024, 7, 26};
    const PromptText rendered = format.render(dialogue);
    QCOMPARE(rendered.text, wanted);
    const auto tokenizer = loadTokenizer(kGolden / "tokenizers" / item["tokenizer"].get<std::string>());
    const auto ids = tokenizer->encode(rendered.text, format.addsSpecialTokens());
    QVERIFY(!ids.empty());
    QVERIFY2(ids == item["ids"].get<std::vector<TokenId>>(), wanted.c_str());
  }

  void everyTemplateHasItsCases() {
    const auto golden = readGolden(kGolden / "chat/expected.json");
    QVERIFY(golden["templates"].size() >= 14);
    for (const auto& [name, text] : golden["templates"].items()) {
      const auto named = [&](const auto& item) { return item["template"] == name; };
      QVERIFY2(std::any_of(golden["cases"].begin(), golden["cases"].end(), named), name.c_str());
    }
  }

  void aModelWithoutATemplateIsAskedInAPlainForm() {
    const Dialogue dialogue{{{ChatRole::kSystem, "Be brief."},
                             {ChatRole::kUser, "Hi"},
                             {ChatRole::kAssistant, "Hello"},
                             {ChatRole::kUser, "Bye"}}};
    const ChatFormat plain;
    QCOMPARE(std::string(plain.name()), std::string("plain"));
    QVERIFY(plain.addsSpecialTokens() && plain.problem().empty() && !plain.canThink());
    QCOMPARE(plain.render(dialogue).text,
             std::string("Be brief.\n\nUser: Hi\nAssistant: Hello\nUser: Bye\nAssistant:"));
    QCOMPARE(plain.render({}).text, std::string("Assistant:"));
  }

  void aTemplateThatCannotBeReadLeavesThePlainFormAndSaysWhy() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    QVERIFY(ChatFormat::ofModel(path).problem().empty());  // nothing to follow
    for (const char* text : {"{{ 'unfinished", "{% for m in messages %}", "{{ nothing known }}"}) {
      write(folder, "chat_template.jinja", text);
      const ChatFormat format = ChatFormat::ofModel(path);
      QCOMPARE(std::string(format.name()), std::string("plain"));
      QVERIFY2(format.problem().starts_with("line 1, column "), format.problem().c_str());
      QCOMPARE(format.render(asking("Hi")).text, std::string("User: Hi\nAssistant:"));
      // A person who names such a file is told, instead.
      QVERIFY(errorOf([&] { ChatFormat::ofModel(path, text); }).starts_with("file_corrupt"));
    }
  }

  void refusalsAreInTheTemplatesWordsAndSayWhatHelps() {
    using enum ChatMend;
    const ChatFormat strict = formatOf(kStrict);
    const auto refusalOf = [&](const Dialogue& dialogue) -> std::optional<ChatRefusal> {
      try {
        strict.render(dialogue);
      } catch (const ChatRefusal& refusal) {
        return refusal;
      }
      return std::nullopt;
    };
    Dialogue system{{{ChatRole::kSystem, "Be brief."}, {ChatRole::kUser, "Hi"}}};
    auto refusal = refusalOf(system);
    QVERIFY(refusal);
    QCOMPARE(std::string(refusal->what()), std::string("System role not supported"));
    QVERIFY(refusal->mends() == std::vector{kSystemInQuestion});
    QVERIFY2(refusal->hint().ends_with("Put the system text before the first question."),
             refusal->hint().c_str());
    system.mends = refusal->mends();
    QCOMPARE(strict.render(system).text, std::string("<user>Be brief.\n\nHi<assistant>"));

    Dialogue twice{{{ChatRole::kUser, "One"}, {ChatRole::kUser, "Two"}}};
    refusal = refusalOf(twice);
    QVERIFY(refusal && std::string(refusal->what()).starts_with("Conversation roles must alternate"));
    QVERIFY(refusal->mends() == std::vector{kJoinedTurns});
    twice.mends = refusal->mends();
    QCOMPARE(strict.render(twice).text, std::string("<user>One\n\nTwo<assistant>"));

    Dialogue both{{{ChatRole::kSystem, "S"}, {ChatRole::kUser, "One"}, {ChatRole::kUser, "Two"}}};
    refusal = refusalOf(both);
    QVERIFY(refusal && refusal->mends() == (std::vector{kSystemInQuestion, kJoinedTurns}));
    both.mends = {kSystemInQuestion};  // half of it
    refusal = refusalOf(both);
    QVERIFY(refusal && refusal->mends() == (std::vector{kSystemInQuestion, kJoinedTurns}));
    both.mends = refusal->mends();
    QCOMPARE(strict.render(both).text, std::string("<user>S\n\nOne\n\nTwo<assistant>"));

    refusal = refusalOf({{{ChatRole::kAssistant, "I begin"}}});
    QVERIFY(refusal && refusal->mends().empty());
  }

  // What may be done is done only where it must be.
  void aConversationThatTheTemplateTakesStaysAsItIs() {
    const ChatFormat format = formatOf("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}");
    Dialogue dialogue{{{ChatRole::kSystem, "S"}, {ChatRole::kUser, "One"}, {ChatRole::kUser, "Two"}}};
    dialogue.mends = {ChatMend::kSystemInQuestion, ChatMend::kJoinedTurns};
    QCOMPARE(format.render(dialogue).text, std::string("<system>S<user>One<user>Two"));
  }

  void thoughtsGoWhereTheTemplateTakesThem() {
    const Dialogue dialogue{{{ChatRole::kUser, "Hi"}, {ChatRole::kAssistant, "Hello", "Be kind"}}};
    const auto rendered = [&](const std::string& text) { return formatOf(text).render(dialogue).text; };
    QCOMPARE(rendered("{% for m in messages %}{{ m.reasoning_content }}|{{ m.content }};{% endfor %}"),
             std::string("|Hi;Be kind|Hello;"));
    QCOMPARE(
        rendered("{% for message in messages %}{{ message.thinking }}|{{ message.content }};{% endfor %}"),
        std::string("|Hi;Be kind|Hello;"));
    QCOMPARE(rendered("{% for m in messages %}{{ m.content.split('</think>')[-1].strip() }};{% endfor %}"),
             std::string("Hi;Hello;"));
    QCOMPARE(rendered("{% for m in messages %}{# </think> #}{{ m.content }};{% endfor %}"),
             std::string("Hi;<think>\nBe kind\n</think>\n\nHello;"));
    QCOMPARE(rendered("{% for m in messages %}{{ m.content }};{% endfor %}"), std::string("Hi;Hello;"));
  }

  // Ids count the calls of a conversation; a result has the id of the call that it answers.
  void toolsTheirCallsAndResultsReachTheTemplate() {
    Dialogue dialogue{
        {{ChatRole::kUser, "Hi"},
         {ChatRole::kAssistant, "", "", {{"f", R"({"x":1,"a":"b"})"}, {"g", "{}"}}},
         {ChatRole::kTool, "of g", "", {}, "g"},
         {ChatRole::kTool, "of f", "", {}, "f"},
         {ChatRole::kAssistant, "So.", "", {{"f", "{}"}}},
         {ChatRole::kTool, "again", "", {}, "f"}},
        R"([{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"g"}}])"};
    const ChatFormat format = formatOf(
        "{{ tools | map(attribute='function') | map(attribute='name') | join('+') }}{% for m in messages %};"
        "{{ m.role }}:{{ m.content }}{% if m.role == 'tool' %}/{{ m.name }}/{{ m.tool_call_id }}{% endif %}"
        "{% for c in m.tool_calls %}/{{ c.id }}/{{ c.type }}/{{ c.function.name }}{{ c.function.arguments | "
        "tojson }}"
        "{% endfor %}{% endfor %}");
    QCOMPARE(format.render(dialogue).text,
             std::string("f+g;user:Hi;assistant:/call00001/function/f{\"x\": 1, \"a\": \"b\"}"
                         "/call00002/function/g{};tool:of g/g/call00002;tool:of f/f/call00001"
                         ";assistant:So./call00003/function/f{};tool:again/f/call00003"));
    dialogue.messages[1].calls[0].arguments = "[1]";
    QVERIFY(errorOf([&] {
              format.render(dialogue);
            }).starts_with("invalid_argument: the arguments of the call of f "));
    dialogue.messages[1].calls[0].name = "\xff";
    QVERIFY(errorOf([&] { format.render(dialogue); }).starts_with("invalid_argument: a message"));
    dialogue = {{{ChatRole::kTool, "of a turn that was forgotten", "", {}, "f"}}};
    QVERIFY(formatOf("{{ messages[0].tool_call_id | length }}").render(dialogue).text == "9");
  }

  void callsAreWrittenAsTheTemplateTakesThem() {
    const auto rendered = [](const std::string& text, const char* said) {
      return formatOf(text)
          .render({{{ChatRole::kUser, "Hi"}, {ChatRole::kAssistant, said, "", {{"f", R"({"x":"y"})"}}}}})
          .text;
    };
    const std::string loop = "{% for m in messages %}", end = "{% endfor %}";
    const std::string concatenated = loop +
                                     "{% for c in m.tool_calls or [] %}{{ c.function.name + '(' + "
                                     "c.function.arguments + ')' }}{% endfor %}" +
                                     end;
    QCOMPARE(rendered(concatenated, ""), std::string(R"(f({"x":"y"}))"));
    const std::string alone =
        loop +
        "{% if m.content is none %}{% for c in m.tool_calls %}{{ c.function.name }}"
        "{{ c.function.arguments | tojson }}{% endfor %}{% else %}{{ m.content }};{% endif %}" +
        end;
    QCOMPARE(rendered(alone, ""), std::string(R"(Hi;f{"x": "y"})"));
    const std::string byId =
        loop + "{% for c in m.tool_calls or [] %}{{ c.id }}{{ c.function.arguments | tojson }}{% endfor %}" +
        end;
    QCOMPARE(rendered(byId, ""), std::string(R"(functions.f:0{"x": "y"})"));
    // Nothing that was said or called is lost.
    const std::string call = "<tool_call>\n{\"name\":\"f\",\"arguments\":{\"x\":\"y\"}}\n</tool_call>";
    QCOMPARE(rendered(alone, "So."), "Hi;So.\n" + call + ";");
    QCOMPARE(rendered(loop + "{{ m.content }};" + end, ""), "Hi;" + call + ";");
    QCOMPARE(ChatFormat().render({{{ChatRole::kAssistant, "", "", {{"f", R"({"x":"y"})"}}}}}).text,
             "Assistant: " + call + "\nAssistant:");
  }

  void aTemplateThatWritesNoToolsIsKnown() {
    QVERIFY(!ChatFormat().takesTools());
    QVERIFY(formatOf("{{ tools | tojson }}").takesTools());
    QVERIFY(formatOf("{% for t in tools %}{{ t.function.name }}{% endfor %}").takesTools());  // fails without
    QVERIFY(!formatOf("{{ raise_exception('no') }}").takesTools());
    const ChatFormat withSystem =
        formatOf("{% for m in messages %}{% if m.role == 'system' %}{{ tools }}{% endif %}{% endfor %}");
    QVERIFY(withSystem.takesTools());
    Dialogue dialogue = asking("Hi");
    dialogue.tools = R"([{"type":"function","function":{"name":"f"}}])";
    QVERIFY(!withSystem.takesTools(dialogue));
    dialogue.messages.insert(dialogue.messages.begin(), {ChatRole::kSystem, "S"});
    QVERIFY(withSystem.takesTools(dialogue));
  }

  void joinedTurnsKeepResultsApartAndAllCalls() {
    const ChatFormat format = formatOf(
        "{%- for m in messages %}{% if not loop.first and m.role != 'tool' and m.role == "
        "messages[loop.index0 - 1].role %}"
        "{{ raise_exception('twice') }}{% endif %}<{{ m.role }}>{{ m.content }}"
        "{% for c in m.tool_calls %}({{ c.function.name }} {{ c.function.arguments | tojson }}){% endfor "
        "%}{% endfor %}");
    const Dialogue dialogue{.messages = {{ChatRole::kUser, "One"},
                                         {ChatRole::kUser, "Two"},
                                         {ChatRole::kAssistant, "", "", {{"f", "{}"}}},
                                         {ChatRole::kAssistant, "So.", "", {{"g", "{}"}}},
                                         {ChatRole::kTool, "1", "", {}, "f"},
                                         {ChatRole::kTool, "2", "", {}, "g"}},
                            .mends = {ChatMend::kJoinedTurns}};
    QCOMPARE(format.render(dialogue).text,
             std::string("<user>One\n\nTwo<assistant>So.(f {})(g {})<tool>1<tool>2"));
  }

  void theTemplateIsToldHowMuchToThink() {
    const ChatFormat format = formatOf("{{ reasoning_effort | default('medium') }} {{ enable_thinking }}");
    Dialogue dialogue = asking("Hi");
    QCOMPARE(format.render(dialogue).text, std::string("medium False"));
    dialogue.reasoningEffort = "low";
    dialogue.thinking = true;
    QCOMPARE(format.render(dialogue).text, std::string("low True"));
  }

  void textThatIsNoUtf8IsRefused() {
    QVERIFY(errorOf([] { ChatFormat().render(asking("\xff")); }).starts_with("invalid_argument: a message"));
  }

  void anAnswerEndsWhereTheTemplateWritesItsEnd_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("stops");
    const QString loop = "{% for m in messages %}", end = "{% endfor %}";
    QTest::newRow("zephyr") << "mistral" << loop + "<|{{ m.role }}|>\n{{ m.content }}{{ eos_token }}\n" + end
                            << QStringList{"</s>", "<|user|>"};
    QTest::newRow("llama 2") << "mistral"
                             << loop +
                                    "{% if m.role == 'user' %}{{ bos_token }}[INST] {{ m.content }} [/INST]"
                                    "{% else %} {{ m.content }} {{ eos_token }}{% endif %}" +
                                    end
                             << QStringList{"</s>", "<s>", "[INST]"};
    QTest::newRow("chatml") << "qwen2" << loop + "<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n" + end
                            << QStringList{"<|im_end|>", "<|im_start|>"};
    QTest::newRow("a word") << "qwen2" << loop + "{{ m.role }}: {{ m.content }}\n" + end
                            << QStringList{"\nuser:"};
    QTest::newRow("no marks") << "qwen2" << loop + "{{ m.content }}\n" + end << QStringList{};
    QTest::newRow("a role that a word may be")
        << "qwen2" << loop + "{{ m.role }}\n{{ m.content }}\n" + end << QStringList{};
    QTest::newRow("one question alone") << "qwen2"
                                        << "{{ raise_exception('no') }}" << QStringList{};
  }
  void anAnswerEndsWhereTheTemplateWritesItsEnd() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QStringList, stops);
    const auto tokenizer = loadTokenizer(kGolden / "tokenizers" / name.toStdString());
    const ChatFormat format = formatOf(text.toStdString(), {{"bos_token", "<s>"}, {"eos_token", "</s>"}});
    QStringList found;
    for (const std::string& stop : format.stopStrings(*tokenizer)) found << QString::fromStdString(stop);
    QCOMPARE(found, stops);
  }

  // gpt-oss's template refuses an answer with all three.
  void aThoughtAndWordsBesideACall() {
    const ChatFormat format = formatOf(readFile(kTemplates / "gpt-oss.jinja"));
    const auto asked = [&](const std::string& words, const std::string& thought) {
      return format
          .render({{{ChatRole::kUser, "Weather?"},
                    {ChatRole::kAssistant, words, thought, {{"get_weather", R"({"city":"Paris"})"}}},
                    {.role = ChatRole::kTool, .text = "Sunny", .tool = "get_weather"}},
                   R"([{"type":"function","function":{"name":"get_weather","description":"It."}}])"})
          .text;
    };
    const auto written = [](const std::string& thought) {
      return "<|start|>user<|message|>Weather?<|end|><|start|>assistant<|channel|>analysis<|message|>" +
             thought +
             "<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>"
             "{\"city\": \"Paris\"}<|call|>";
    };
    QVERIFY2(asked("I look.", "So.").find(written("So.\n\nI look.")) != std::string::npos,
             asked("I look.", "So.").c_str());
    QVERIFY(asked("", "So.").find(written("So.")) != std::string::npos);
    QVERIFY(asked("I look.", "").find(written("I look.")) != std::string::npos);
  }

  // A mark that stands behind a thought as well as behind an answer ends no answer.
  void anAnswerDoesNotEndWhereItsThoughtEnds_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("stops");
    QTest::newRow("channels") << QString::fromStdString(readFile(kTemplates / "gpt-oss.jinja"))
                              << QStringList{"<|start|>user<|message|>"};
    const QString loop = "{% for m in messages %}<|start|>{{ m.role }}<|message|>", end = "{% endfor %}";
    QTest::newRow("no thoughts") << loop + "{{ m.content }}<|end|>" + end
                                 << QStringList{"<|end|>", "<|start|>"};
    QTest::newRow("a pair of marks")
        << loop + "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}" +
               "{{ m.content }}<|end|>" + end
        << QStringList{"<|end|>", "<|start|>"};
    QTest::newRow("an end of its own")
        << loop + "{% if m.reasoning %}{{ m.reasoning }}<|return|><|start|>assistant<|message|>{% endif %}" +
               "{{ m.content }}<|end|>" + end
        << QStringList{"<|end|>"};
  }
  void anAnswerDoesNotEndWhereItsThoughtEnds() {
    QFETCH(QString, text);
    QFETCH(QStringList, stops);
    const QTemporaryDir folder;
    writeTokenizer(kGolden / "tokenizers/qwen2", channelTokens(), folder.path().toStdString());
    const auto tokenizer = loadTokenizer(folder.path().toStdString());
    QStringList found;
    for (const std::string& stop : formatOf(text.toStdString()).stopStrings(*tokenizer))
      found << QString::fromStdString(stop);
    QCOMPARE(found, stops);
  }

  void readsTheFilesBesideAModel() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    write(folder, "tokenizer_config.json", "{\"chat_template\": ");
    QVERIFY(errorOf([&] { ChatFormat::ofModel(path); }).rfind("file_corrupt", 0) == 0);
    write(
        folder, "tokenizer_config.json",
        "{\"eos_token\":{\"content\":\"<|end|>\"},\"chat_template\":[{\"name\":\"tool\",\"template\":\"x\"},"
        "{\"name\":\"default\",\"template\":\"{{ messages[0].content + eos_token }}\"}]}");
    QCOMPARE(ChatFormat::ofModel(path).render(asking("Hi")).text, std::string("Hi<|end|>"));
    QCOMPARE(ChatFormat::ofModel(path, "[{{ messages[0].content }}]").render(asking("Hi")).text,
             std::string("[Hi]"));
    write(folder, "chat_template.jinja", "<{{ messages[0].content + eos_token }}>");
    QCOMPARE(ChatFormat::ofModel(path).render(asking("Hi")).text, std::string("<Hi<|end|>>"));
  }
};

QTEST_APPLESS_MAIN(TestChatFormat)
#include "tst_chat_format.moc"
