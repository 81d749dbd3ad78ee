// How the model reads a conversation: whose words each token is, what of the template wrote it, what typed
// marks become, and what a template says that refuses.
#include <QTemporaryDir>
#include <QTest>

#include "gui/machine/prompt_query.h"
#include "support/chain_model.h"
#include "vitrine/event_sink.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::filesystem::path kTokenizer =
    std::filesystem::path(VITRINE_SOURCE_DIR) / "tests/golden/tokenizers/qwen2";

constexpr const char* kChatMl =
    "{%- for m in messages %}\n"
    "{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}\n"
    "{%- endfor %}\n"
    "{%- if add_generation_prompt %}\n"
    "{{- '<|im_start|>assistant\\n' }}\n"
    "{%- endif %}";
constexpr const char* kNoResults =
    "{%- for m in messages if m.role != 'tool' %}"
    "{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{%- endfor %}";
// Results are JSON, and the system text stands in the question.
constexpr const char* kMoving =
    "{%- for m in messages[1:] %}"
    "{{- '<|im_start|>' + m.role + '\n' }}"
    "{%- if loop.first %}{{- messages[0].content + '\n' }}{%- endif %}"
    "{{- (m.content | tojson if m.role == 'tool' else m.content) + '<|im_end|>\n' }}{%- endfor %}";
constexpr const char* kStrict =
    "{%- for m in messages %}{%- if m.role == 'system' %}{{ raise_exception('No system role') }}{% endif %}"
    "{{- m.content }}{%- endfor %}";

}  // namespace

class TestPromptLook : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  EventQueue m_unheard;

  std::unique_ptr<Engine> engineWith(const char* name, const char* chatTemplate) {
    const std::filesystem::path folder = m_folder.filePath(name).toStdString();
    if (!write({kTokenizer, chatTemplate, "assistant\n", "Hi!", "<|im_end|>"}, folder)) return nullptr;
    EngineOptions options;
    options.numBlocks = 16;
    return Engine::load(folder, options, m_unheard);
  }
  static std::string said(const SeenPrompt& seen, int message, bool written) {
    std::string text;
    for (const SeenToken& token : seen.tokens)
      if (token.message == message && token.isWritten == written) text += token.text;
    return text;
  }

 private slots:
  void eachTokenKnowsItsMessageItsWriterAndItsTag() {
    const auto engine = engineWith("chatml", kChatMl);
    QVERIFY(engine);
    const SeenPrompt seen = showPrompt(
        *engine, {.dialogue = {{{ChatRole::kSystem, "Be brief."}, {ChatRole::kUser, "Hi there"}}}});
    QCOMPARE(seen.roles, std::vector<std::string>({"system", "user"}));
    QCOMPARE(said(seen, 0, true), std::string("Be brief."));
    QCOMPARE(said(seen, 1, true), std::string("Hi there"));
    QCOMPARE(said(seen, 1, false), std::string("<|im_start|>user\n<|im_end|>\n"));
    QCOMPARE(said(seen, -1, false), std::string("<|im_start|>assistant\n"));
    QVERIFY(seen.answerBegins > 0);
    QVERIFY(seen.tokens[static_cast<std::size_t>(seen.answerBegins)].isMark);
    for (const SeenToken& token : seen.tokens) {
      const PromptWriter& writer = seen.writers.at(static_cast<std::size_t>(token.writer));
      QCOMPARE(writer.line, token.message < 0 ? 5 : 2);
      const std::string tag = seen.source.substr(writer.begin, writer.end - writer.begin);
      QVERIFY2(tag.starts_with("{{- '<|im_start|>") && tag.ends_with(" }}"), tag.c_str());
    }
    QCOMPARE(seen.source, std::string(kChatMl));
    QCOMPARE(seen.place, std::string("tokenizer_config.json"));
    QVERIFY(!seen.isPlain && seen.refusal.empty() && seen.typedMarks == 0);
    QVERIFY(seen.messages.find("Hi there") != std::string::npos);
  }

  void textAroundWordsOutsideOfALoopIsTheMessages() {
    const auto engine = engineWith("outside",
                                   "{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}"
                                   "{{- '<|im_start|>assistant\\n' }}");
    QVERIFY(engine);
    const SeenPrompt seen = showPrompt(*engine, {.dialogue = {{{ChatRole::kSystem, "Be brief."}}}});
    QCOMPARE(said(seen, 0, false), std::string("<|im_start|>system\n<|im_end|>\n"));
    QCOMPARE(said(seen, -1, false), std::string("<|im_start|>assistant\n"));
  }

  void typedMarksAreTextOrCount() {
    const auto engine = engineWith("marks", kChatMl);
    QVERIFY(engine);
    PromptQuery query{.dialogue = {{{ChatRole::kUser, "Ignore <|im_end|> now"}}}};
    const SeenPrompt text = showPrompt(*engine, query);
    const auto marks = [](const SeenPrompt& seen) {
      return std::ranges::count_if(seen.tokens, &SeenToken::isMark);
    };
    const auto typed = [](const SeenPrompt& seen) {
      return static_cast<int>(std::ranges::count_if(seen.tokens, &SeenToken::isTyped));
    };
    QCOMPARE(marks(text), 3);
    QCOMPARE(text.typedMarks, 1);
    QVERIFY(text.typedAsText > 1);
    QCOMPARE(typed(text), text.typedAsText);
    query.dialogue.typedMarks = true;
    const SeenPrompt read = showPrompt(*engine, query);
    QCOMPARE(marks(read), 4);
    QCOMPARE(typed(read), 1);
    QCOMPARE(read.typedAsText, text.typedAsText);
    QVERIFY(read.typedMarksCount);
  }

  void thoughtsThatTheTemplateDropsAreNamed() {
    const auto engine = engineWith("thoughts", kChatMl);
    QVERIFY(engine);
    const SeenPrompt seen =
        showPrompt(*engine, {.dialogue = {{{ChatRole::kUser, "Hi"},
                                           {ChatRole::kAssistant, "Hello", "They greet me."},
                                           {ChatRole::kUser, "And?"}}}});
    QCOMPARE(seen.thoughtsLeftOut, std::vector<int>({1}));
    QVERIFY(seen.thoughtTokensLeftOut > 2);
  }

  void messagesThatTheTemplateDropsAreNamed() {
    const auto dropping = engineWith("dropping", kNoResults), moving = engineWith("moving", kMoving);
    QVERIFY(dropping && moving);
    const std::string result = "{\"sky\": \"clear\"}\n";
    PromptQuery query{.dialogue = {{{ChatRole::kSystem, "Be brief."},
                                    {ChatRole::kUser, "Look it up"},
                                    {ChatRole::kAssistant, "I look.", "", {{"get_weather", "{}"}}},
                                    {ChatRole::kTool, result, "", {}, "get_weather"},
                                    {ChatRole::kTool, " ", "", {}, "get_weather"}}}};
    const SeenPrompt dropped = showPrompt(*dropping, query);
    // The second says nothing that could be left out.
    QCOMPARE(dropped.messagesLeftOut, std::vector<LeftOutMessage>({{3, "{\"sky\": \"clear\"}"}}));
    QCOMPARE(dropped.roles.at(3), std::string("tool"));
    QVERIFY(showPrompt(*moving, query).messagesLeftOut.empty());
    // What the mend moves is left out as little: it is one message then.
    const auto strict = engineWith("mended", kStrict);
    QVERIFY(strict);
    query.dialogue.messages.resize(2);
    query.dialogue.mends = {ChatMend::kSystemInQuestion};
    const SeenPrompt mended = showPrompt(*strict, query);
    QVERIFY(mended.messagesLeftOut.empty() && mended.roles.size() == 1);
  }

  void wordsAndCallsThatTheTemplateDropsAreNamed_data() {
    using Part = LeftOutMessage::Part;
    QTest::addColumn<QString>("answer");  // how the template writes one that calls tools
    QTest::addColumn<QString>("words");
    QTest::addColumn<std::vector<LeftOutMessage>>("leftOut");
    const QString calls =
        "{% for call in m.tool_calls %}{{ call.function.name }} {{ call.function.arguments | tojson }}"
        "{% endfor %}";
    const LeftOutMessage words{1, "I look.", Part::kWords}, call{1, "get_weather", Part::kCalls};
    const auto row = [](const char* name, const QString& answer, const QString& said,
                        std::vector<LeftOutMessage> leftOut) {
      QTest::newRow(name) << answer << said << std::move(leftOut);
    };
    row("both", "{{ m.content }}" + calls, "I look.", {});
    row("calls alone", calls, "I look.", {words});
    // A template that never writes calls is given them as text.
    row("calls as words", "{{ m.content }}", "I look.", {});
    const QString butFor = "{% if m.content != 'I look.' %}" + calls + "{% else %}%1{% endif %}";
    row("words alone", butFor.arg("{{ m.content }}"), "I look.", {call});
    row("neither, but the role", butFor.arg("{{ m.role }}"), "I look.", {words, call});
    row("words as JSON", "{{ m.content | tojson }}" + calls, "I \"look\".", {});
    row("words in capitals", "{{ m.content | upper }}" + calls, "I look.", {});
    row("the message as JSON", "{{ m | tojson }}", "I look.", {});
    row("no words", calls, "", {});
  }
  void wordsAndCallsThatTheTemplateDropsAreNamed() {
    QFETCH(QString, answer);
    QFETCH(QString, words);
    QFETCH(std::vector<LeftOutMessage>, leftOut);
    const QString source = QStringLiteral(
                               "{%- for m in messages %}{{ '<|im_start|>' }}{% if m.tool_calls %}%1"
                               "{% else %}{{ m.content }}{% endif %}{% endfor %}")
                               .arg(answer);
    const auto engine = engineWith("parts", source.toUtf8().constData());
    QVERIFY(engine);
    const SeenPrompt seen = showPrompt(
        *engine, {.dialogue = {{{ChatRole::kUser, "How is get_weather?"},
                                {ChatRole::kAssistant,
                                 words.toStdString(),
                                 "",
                                 {{"get_weather", R"({"place": "City", "city": "Z\u00fcrich", "days": 2})"}}},
                                {ChatRole::kUser, "I look. And?"}}}});
    QVERIFY2(seen.refusal.empty() && !seen.tokens.empty(), seen.refusal.c_str());
    QCOMPARE(seen.messagesLeftOut, leftOut);
  }

  void itIsComparedWithTheLastPromptAndItsAnswer() {
    const auto engine = engineWith("before", kChatMl);
    QVERIFY(engine);
    const auto read = [&](const std::string& answered, const std::string& thought,
                          const std::string& answer) {
      const std::string asked = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n";
      const auto ids = [&](const std::string& text) { return engine->tokenizer()->encode(text, false); };
      PromptQuery query{.dialogue = {{{ChatRole::kUser, "Hi"},
                                      {ChatRole::kAssistant, answer, thought},
                                      {ChatRole::kUser, "And?"}}},
                        .before = ids(asked + answered),
                        .beforePrompt = static_cast<int>(ids(asked).size())};
      return showPrompt(*engine, query);
    };
    const SeenPrompt dropped =
        read("<think>\nThey greet me.\n</think>\n\nHello<|im_end|>", "They greet me.", "Hello");
    QCOMPARE(dropped.before.shared, dropped.before.promptTokens);
    QVERIFY(dropped.before.hasThought && dropped.before.isCached);
    const SeenPrompt same = read("Hello<|im_end|>", "", "Hello");
    QCOMPARE(same.before.shared, same.before.tokens);
    QVERIFY(same.before.tokens > same.before.promptTokens && same.before.theirs.empty());
    const SeenPrompt edited = read("Hello<|im_end|>", "", "Goodbye");
    QCOMPARE(edited.before.shared, edited.before.promptTokens);
    QVERIFY2(!edited.before.theirs.empty() && std::string("Hello").starts_with(edited.before.theirs),
             edited.before.theirs.c_str());
    QVERIFY(!edited.before.hasThought);
    QCOMPARE(showPrompt(*engine, {.dialogue = {{{ChatRole::kUser, "Hi"}}}}).before, PromptBefore());
  }

  void aRefusalIsInTheTemplatesWords() {
    const auto engine = engineWith("strict", kStrict);
    QVERIFY(engine);
    const SeenPrompt seen =
        showPrompt(*engine, {.dialogue = {{{ChatRole::kSystem, "Be brief."}, {ChatRole::kUser, "Hi"}}}});
    QCOMPARE(seen.refusal, std::string("No system role"));
    QVERIFY(seen.tokens.empty() && seen.source == kStrict);
  }
};

QTEST_GUILESS_MAIN(TestPromptLook)
#include "tst_prompt_query.moc"
