// Tools in a chat: its settings, a call in an answer, the fields for results, and the answer to them; what
// tools gave back in an imported chat.
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <array>

#include "gui/chat/chat_settings_dialog.h"
#include "gui/chat/chat_settings_line.h"
#include "gui/chat/tool_results_line.h"
#include "support/chain_model.h"
#include "support/chat_window.h"
#include "vitrine/tokenizer.h"
#include "widgets/chat/context_meter.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/conversation/answer_calls.h"
#include "widgets/message/fold_button.h"
#include "widgets/message/message_widget.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::filesystem::path kTokenizer =
    std::filesystem::path(VITRINE_SOURCE_DIR) / "tests/golden/tokenizers/qwen2";

// What it asks for ends otherwise behind a result, so that the model answers otherwise.
constexpr const char* kTakesTools =
    "{%- if tools %}{{- '<|im_start|>system\n' + (tools | tojson) + '<|im_end|>\n' }}{%- endif %}"
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\n' + m.content }}"
    "{%- for c in m.tool_calls or [] %}{{- '[' + c.function.name + (c.function.arguments | tojson) + ']' }}"
    "{%- endfor %}{{- '<|im_end|>\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}"
    "{%- if messages[-1].role == 'tool' %}{{- '\n' }}{%- endif %}{%- endif %}";
constexpr const char* kTakesNone =
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}";

const QString kTools = QStringLiteral(
    R"([{"type": "function", "function": {"name": "get_weather"}},
 {"type": "function", "function": {"name": "search"}}])");
const QStringList kWeather = {
    QStringLiteral("Let me look.\n"), QStringLiteral("<tool_call>\n{\"name\": \"get_weather\", "),
    QStringLiteral("\"arguments\": {\"city\": \"Paris\"}}"), QStringLiteral("\n</tool_call>")};
const QStringList kSearch = {QStringLiteral("\n<tool_call>\n{\"name\": \"search\", \"arguments\": "),
                             QStringLiteral("{\"words\": \"sun\"}}\n</tool_call>")};
// gpt-oss's form: a thought, words, and a call in a channel.
const QStringList kChannels = {QStringLiteral("<|channel|>analysis"),
                               QStringLiteral("<|message|>So."),
                               QStringLiteral("<|end|><|start|>assistant"),
                               QStringLiteral("<|channel|>commentary"),
                               QStringLiteral("<|message|>Let me"),
                               QStringLiteral(" look.<|end|>"),
                               QStringLiteral("<|start|>assistant<|channel|>comment"),
                               QStringLiteral("ary to=functions.get_"),
                               QStringLiteral("weather <|constrain|>json"),
                               QStringLiteral("<|message|>{\"city\": "),
                               QStringLiteral("\"Paris\"}")};
const QStringList kSunny = {QStringLiteral("It is sunny"), QStringLiteral(" in Paris.")};

class Window : public ChatWindow {
 public:
  explicit Window(const QString& file = {}) : ChatWindow(64, file) {}

  void offer(const QString& tools) {
    const ChatId chat = desk().ensureChat();
    ChatSettings settings = desk().settings(chat);
    settings.tools = tools;
    desk().setSettings(chat, settings);
  }
  ToolResultsLine& results() { return *window.findChild<ToolResultsLine*>(); }
  std::vector<QPlainTextEdit*> fields() {
    std::vector<QPlainTextEdit*> seen;
    for (auto* field : results().findChildren<QPlainTextEdit*>())
      if (field->isVisible()) seen.push_back(field);
    return seen;
  }
  QPushButton* send() { return results().findChild<QPushButton*>(); }
  bool asksFor(std::size_t count) {
    return waitUntil([&] { return fields().size() == count; });
  }
  // The title of what is folded in a message.
  FoldButton* fold(int row) {
    for (MessageWidget* message : view().findChildren<MessageWidget*>()) {
      if (message->message() != chat().at(row).message) continue;
      for (FoldButton* button : message->findChildren<FoldButton*>())
        if (button->isVisible()) return button;
    }
    return nullptr;
  }
  QString settingsInSight() {
    const auto* line = window.findChild<ChatSettingsLine*>();
    return line->isVisible() ? line->findChild<QLabel*>()->text() : QString();
  }
  std::string newestPrompt() { return live().requests.rbegin()->second.prompt; }
};

}  // namespace

class TestChatTools : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

  // The folder of a model that says these words, one token each, and those to a result.
  QString model(const QString& name, const char* chatTemplate, const QStringList& call) {
    std::ifstream file(kTokenizer / "tokenizer.json");
    nlohmann::json tokenizer = nlohmann::json::parse(file);
    int id = static_cast<int>(tokenizer["model"]["vocab"].size());
    for (const auto& added : tokenizer["added_tokens"]) id = std::max(id, added["id"].get<int>() + 1);
    for (const QString& word : call + kSunny)
      tokenizer["added_tokens"].push_back({{"id", id++},
                                           {"content", word.toStdString()},
                                           {"single_word", false},
                                           {"lstrip", false},
                                           {"rstrip", false},
                                           {"normalized", false},
                                           {"special", false}});
    const auto words = m_folder.filePath(name + "-words").toStdString();
    std::filesystem::create_directories(words);
    std::ofstream(std::filesystem::path(words) / "tokenizer.json") << tokenizer;
    const QString folder = m_folder.filePath(name);
    const ChainModel chains{words,         chatTemplate,
                            "assistant\n", call.join(QString()).toStdString(),
                            "<|im_end|>",  {{"\n\n", kSunny.join(QString()).toStdString()}}};
    return write(chains, folder.toStdString()) ? folder : QString();
  }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aCallAndTheAnswerToItsResult() {
    const QString weather = model("weather", kTakesTools, kWeather);
    QVERIFY(!weather.isEmpty());
    const QString file = m_folder.filePath("calls.db");
    {
      Window w(file);
      QVERIFY(w.openModel(weather));
      w.offer(kTools);
      QCOMPARE(w.settingsInSight(), QString("This chat: Tools: get_weather, search"));
      QVERIFY(w.results().isHidden());
      w.window.bar().setStepsPerSecond(1);  // else the short answer may end before the pause comes
      QVERIFY(w.askAndHold("And in Paris?"));
      QVERIFY(w.newestPrompt().find("\"search\"") != std::string::npos);
      // As it is written: no mark is ever in sight, and the call is there before it has ended.
      bool begun = false;
      for (int step = 0; step < 20 && w.chat().isAnswering(); ++step) {
        const ShownAnswer shown = shownAnswer(w.chat().at(1));
        QVERIFY2(!shown.text.contains('<'), qPrintable(shown.text));
        begun = begun || (shown.calls.size() == 1 && shown.calls[0].state == ShownCall::State::kBegun &&
                          shown.calls[0].name == "get_weather");
        QVERIFY(w.results().isHidden());
        QVERIFY(w.stepTimes(1));
      }
      QVERIFY(begun);
      QVERIFY(w.answered(2));
      QCOMPARE(w.chat().at(1).text, kWeather.join(QString()));  // what the model wrote
      FoldButton* const call = w.fold(1);
      QVERIFY(call != nullptr);
      QCOMPARE(call->text(), QString("Calls get_weather: {\"city\":\"Paris\"}"));
      QTest::keyClick(call, Qt::Key_Return);
      QVERIFY(call->isChecked());

      w.window.bar().setStepsPerSecond(0);
      w.window.host().run();
      QVERIFY(w.asksFor(1));
      QPlainTextEdit* const field = w.fields().front();
      QCOMPARE(field->accessibleName(),
               QString("Result of get_weather (nothing is run: type the result here)"));
      QVERIFY(!w.send()->isEnabled());
      QTest::keyClicks(field, "21 degrees");
      QVERIFY(w.send()->isEnabled());
      QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
      QVERIFY(w.answered(4));
      QVERIFY(w.results().isHidden());
      QCOMPARE(w.chat().at(2).tool, QString("get_weather"));
      QCOMPARE(w.chat().at(2).text, QString("21 degrees"));
      QCOMPARE(w.chat().at(3).text, kSunny.join(QString()));
      const std::string prompt = w.newestPrompt();
      QVERIFY2(prompt.find("Let me look.[get_weather{\"city\": \"Paris\"}]<|im_end|>\n"
                           "<|im_start|>tool\n21 degrees<|im_end|>\n<|im_start|>assistant\n\n") !=
                   std::string::npos,
               prompt.c_str());

      // Another answer to the same result, then another result.
      QVERIFY(w.press("Again"));
      QVERIFY(waitUntil([&] { return w.answered(4) && w.chat().at(3).variants == 2; }));
      QCOMPARE(w.chat().at(2).variants, 1);
      emit w.view().transcript()->editRequested(w.chat().at(2).message, w.chat().at(2).text);
      QCOMPARE(w.input()->toPlainText(), QString("21 degrees"));
      w.input()->setPlainText("rain");
      QTest::keyClick(w.input(), Qt::Key_Return);
      QVERIFY(waitUntil([&] { return w.answered(4) && w.chat().at(2).text == "rain"; }));
      QCOMPARE(w.chat().at(2).variants, 2);
      QVERIFY(w.newestPrompt().find("tool\nrain<|im_end|>") != std::string::npos);
    }
    Window again(file);
    QVERIFY(again.openModel());
    again.desk().open(again.desk().history().chats(ChatShelf::kCurrent).front().id);
    QCOMPARE(again.chat().rowCount(), 4);
    QVERIFY(waitUntil([&] { return again.fold(1) != nullptr && again.fold(2) != nullptr; }));
    QCOMPARE(again.fold(1)->text(), QString("Calls get_weather: {\"city\":\"Paris\"}"));
    QCOMPARE(again.fold(2)->text(), QString("Result of get_weather: rain"));
    QVERIFY(again.results().isHidden());
    const auto kept = again.desk().branch();
    QVERIFY(kept[2].message.role == MessageRole::kTool && kept[2].message.parent == kept[1].message.id);
  }

  void aCallInAChannel() {
    const QString weather = model("channels", kTakesTools, kChannels);
    QVERIFY(!weather.isEmpty());
    const QString file = m_folder.filePath("channels.db");
    {
      Window w(file);
      QVERIFY(w.openModel(weather));
      w.offer(kTools);
      w.window.bar().setStepsPerSecond(1);  // else the short answer may end before the pause comes
      QVERIFY(w.askAndHold("And in Paris?"));
      bool begun = false;
      for (int step = 0; step < 20 && w.chat().isAnswering(); ++step) {
        const ShownAnswer shown = shownAnswer(w.chat().at(1));
        for (const QString& part : {shown.text, w.chat().at(1).thinking})
          QVERIFY2(!part.contains('<') && !part.contains("comment"), qPrintable(part));
        for (const ShownCall& call : shown.calls) {
          QVERIFY2(QStringList({"", "get_weather"}).contains(call.name), qPrintable(call.name));
          begun = begun || (call.state == ShownCall::State::kBegun && call.name == "get_weather");
        }
        QVERIFY(w.stepTimes(1));
      }
      QVERIFY(begun);
      QVERIFY(w.answered(2));
      QCOMPARE(w.chat().at(1).thinking, QString("So."));
      QCOMPARE(shownAnswer(w.chat().at(1)).text, QString("Let me look."));
      w.window.bar().setStepsPerSecond(0);
      w.window.host().run();
      QVERIFY(w.asksFor(1));
      QTest::keyClicks(w.fields().front(), "21 degrees");
      QTest::keyClick(w.fields().front(), Qt::Key_Return, Qt::ControlModifier);
      QVERIFY(w.answered(4));
      const std::string prompt = w.newestPrompt();
      QVERIFY2(prompt.find("<|im_start|>assistant\nLet me look.[get_weather{\"city\": \"Paris\"}]<|im_end|>\n"
                           "<|im_start|>tool\n21 degrees<|im_end|>\n") != std::string::npos,
               prompt.c_str());
    }
    Window again(file);
    QVERIFY(again.openModel());
    again.desk().open(again.desk().history().chats(ChatShelf::kCurrent).front().id);
    QCOMPARE(again.chat().rowCount(), 4);
    const ShownAnswer shown = shownAnswer(again.chat().at(1));
    QCOMPARE(shown.text, QString("Let me look."));
    QCOMPARE(shown.calls.size(), std::size_t{1});
    QCOMPARE(shown.calls[0].name, QString("get_weather"));
    QCOMPARE(again.chat().at(1).thinking, QString("So."));
  }

  void eachCallHasItsField() {
    const QString both = model("both", kTakesTools, kWeather + kSearch);
    QVERIFY(!both.isEmpty());
    Window w;
    QVERIFY(w.openModel(both));
    w.offer(kTools);
    w.ask("And in Paris?");
    QVERIFY(w.answered(2));
    QVERIFY(w.asksFor(2));
    QVERIFY(w.fields()[1]->accessibleName().startsWith("Result of search"));
    QTest::keyClicks(w.fields()[0], "one");
    QTest::keyClick(w.fields()[0], Qt::Key_Return, Qt::ControlModifier);  // not all are there
    QVERIFY(!w.send()->isEnabled());
    // What is typed is still there when another chat was shown in between.
    const ChatId chat = w.desk().shown();
    w.desk().begin();
    QVERIFY(w.results().isHidden());
    w.desk().open(chat);
    QVERIFY(w.asksFor(2));
    QCOMPARE(w.fields()[0]->toPlainText(), QString("one"));
    QTest::keyClicks(w.fields()[1], "two");
    QTest::mouseClick(w.send(), Qt::LeftButton);
    QVERIFY(w.answered(5));
    QVERIFY(w.newestPrompt().find("tool\none<|im_end|>\n<|im_start|>tool\ntwo<|im_end|>") !=
            std::string::npos);
    const auto branch = w.desk().branch();
    QCOMPARE(branch[3].message.parent, branch[2].message.id);
    QCOMPARE(w.chat().at(2).message, branch[2].message.id);
    // Another result of the first call: that of the second one goes with it.
    emit w.view().editSent(branch[2].message.id, "three");
    QVERIFY(waitUntil([&] { return w.answered(5) && w.chat().at(2).text == "three"; }));
    QCOMPARE(w.chat().at(3).text, QString("two"));
    QVERIFY(w.newestPrompt().find("tool\nthree<|im_end|>\n<|im_start|>tool\ntwo<|im_end|>") !=
            std::string::npos);
  }

  // Without a model nothing is sent, and the field says why.
  void resultsWaitForAModel() {
    const QString weather = model("closed", kTakesTools, kWeather);
    QVERIFY(!weather.isEmpty());
    Window w;
    QVERIFY(w.openModel(weather));
    w.offer(kTools);
    w.ask("And in Paris?");
    QVERIFY(w.answered(2));
    QVERIFY(w.asksFor(1));
    w.window.host().close();
    QVERIFY(waitForMode(w.window, MachineMode::kEmpty));
    QTest::keyClicks(w.fields().front(), "rain");
    QVERIFY(!w.send()->isEnabled() && w.send()->toolTip().contains("Open a model"));
    QVERIFY(w.openModel(weather));
    QVERIFY(waitUntil([&] { return w.send()->isEnabled(); }));
    QTest::mouseClick(w.send(), Qt::LeftButton);
    QVERIFY(w.answered(4));
    QCOMPARE(w.chat().at(2).text, QString("rain"));
  }

  void anOrdinaryMessageInstead() {
    const QString weather = model("ordinary", kTakesTools, kWeather);
    QVERIFY(!weather.isEmpty());
    Window w;
    QVERIFY(w.openModel(weather));
    w.offer(kTools);
    w.ask("And in Paris?");
    QVERIFY(w.answered(2));
    QVERIFY(w.asksFor(1));
    w.ask("Never mind.");
    QVERIFY(w.answered(4));
    QVERIFY(w.chat().at(2).role == ChatRole::kUser);
    QVERIFY(w.newestPrompt().find("|>tool") == std::string::npos);
    QVERIFY(w.asksFor(1));  // of the new answer
  }

  // The tools are of the system's part, calls and results of the history; a template without a place for
  // tools has none of them in its prompt.
  void theContextHasTheTools() {
    const QString weather = model("context", kTakesTools, kWeather),
                  none = model("no-context", kTakesNone, kWeather);
    QVERIFY(!weather.isEmpty() && !none.isEmpty());
    Window w;
    QVERIFY(w.openModel(weather));
    w.offer(kTools);
    ContextMeter& meter = *w.view().contextMeter();
    const auto tokenizer = loadTokenizer(weather.toStdString());
    const auto count = [&](const QString& text) {
      return static_cast<int>(tokenizer->encode(text.toStdString(), false).size());
    };
    const int tools = count(kTools);
    // What the parts hold in tokens: the system's, the history, the answer, and all.
    const auto held = [&] {
      std::array<int, 4> all{};
      for (const ContextMeter::Part& part : meter.parts()) {
        all[3] += part.tokens;
        if (part.part == ContextPart::kSystem) all[0] = part.tokens;
        if (part.part == ContextPart::kHistory) all[1] = part.tokens;
        if (part.part == ContextPart::kAnswer) all[2] = part.tokens;
      }
      return all;
    };
    const auto expected = [&] {
      const SequenceState& newest = w.live().sequences.rbegin()->second;
      const auto all = static_cast<int>(newest.tokens.size()), prompt = newest.promptTokens;
      return std::array{tools, prompt - tools, all - prompt, all};
    };
    QTRY_COMPARE_WITH_TIMEOUT(meter.shares().system, tools, kPatience);  // as soon as they are offered
    w.ask("And in Paris?");
    QVERIFY(w.answered(2));
    QTRY_VERIFY_WITH_TIMEOUT(held() == expected(), kPatience);
    const int history = held()[1];
    QVERIFY(history > 0);
    QVERIFY(w.asksFor(1));
    QTest::keyClicks(w.fields().front(), "21 degrees");
    QTest::mouseClick(w.send(), Qt::LeftButton);
    QVERIFY(w.answered(4));
    QTRY_VERIFY_WITH_TIMEOUT(held() == expected(), kPatience);
    QVERIFY(held()[1] > history);
    // Before it is gone on with, a chat has about what its messages and its tools are.
    const auto messages = w.desk().branch();
    ChatRecord chat;
    chat.settings.tools = kTools;
    for (const ShownMessage& shown : messages) {
      MessageRecord message = shown.message;
      message.id = std::ssize(chat.messages) + 1;
      message.parent = message.id - 1;
      chat.messages.push_back(message);
    }
    chat.shownLeaf = std::ssize(chat.messages);
    w.desk().open(w.desk().history().insert({chat}).front());
    const QString talk =
        "And in Paris?\n" + kWeather.join(QString()) + "\n21 degrees\n" + kSunny.join(QString()) + "\n";
    const int whole = count(kTools + "\n" + talk);
    QTRY_COMPARE_WITH_TIMEOUT(held(), (std::array{tools, whole - tools, 0, whole}), kPatience);
    QVERIFY(w.openModel(none));
    QTRY_COMPARE_WITH_TIMEOUT(meter.shares().system, 0, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(held()[3], count(talk), kPatience);
  }

  void whatToolsGaveBackInAnImportedChat() {
    ChatRecord chat;
    chat.summary.title = "Imported";
    for (const auto& [role, text] :
         {std::pair(MessageRole::kUser, "Look it up."), std::pair(MessageRole::kAssistant, "[tool: search]"),
          std::pair(MessageRole::kTool, "[tool result: search]\n\n```\nfound\n```"),
          std::pair(MessageRole::kAssistant, "Found.")}) {
      MessageRecord message;
      message.id = std::ssize(chat.messages) + 1;
      message.parent = std::ssize(chat.messages);
      message.role = role;
      message.text = text;
      chat.messages.push_back(message);
    }
    chat.shownLeaf = 4;
    Window w;
    QVERIFY(w.openModel());
    w.desk().open(w.desk().history().insert({chat}).front());
    QCOMPARE(w.chat().rowCount(), 4);
    QVERIFY(waitUntil([&] { return w.fold(2) != nullptr; }));
    QVERIFY2(w.fold(2)->text().startsWith("Tools: [tool result: search]"), qPrintable(w.fold(2)->text()));
    QVERIFY(w.results().isHidden());
  }

  void toolsAreCheckedAsTheyAreTyped() {
    const QString none = model("none", kTakesNone, kWeather);
    QVERIFY(!none.isEmpty());
    Window w;
    ChatSettingsDialog dialog({}, w.window.host());
    dialog.open();
    QPlainTextEdit* box = nullptr;
    for (auto* one : dialog.findChildren<QPlainTextEdit*>())
      if (one->accessibleName() == "Tools") box = one;
    QVERIFY(box != nullptr);
    const auto says = [&](const QString& words) {
      for (const auto* label : dialog.findChildren<QLabel*>())
        if (label->text().contains(words)) return true;
      return false;
    };
    auto* const ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QVERIFY(ok->isEnabled() && says("Without tools"));
    box->setPlainText("[{\"type\": \"function\",\n oops");
    QVERIFY(!ok->isEnabled());
    QVERIFY(says("line 2"));
    box->setPlainText("[{\"type\": \"function\"}]");
    QVERIFY(!ok->isEnabled() && says("tool 1"));
    for (auto* button : dialog.findChildren<QPushButton*>())
      if (button->text() == "Example") QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(ok->isEnabled() && says("2 tools: get_weather, search"));
    QVERIFY(!says("no place for tools"));
    QCOMPARE(dialog.settings().tools, box->toPlainText());
    box->undo();
    QCOMPARE(box->toPlainText(), QString("[{\"type\": \"function\"}]"));
    box->setPlainText(kTools);
    QVERIFY(w.openModel(none));
    QVERIFY(waitUntil([&] { return says("no place for tools"); }));
    w.offer(kTools);
    QVERIFY2(w.settingsInSight().contains("no place for tools"), qPrintable(w.settingsInSight()));
    w.offer({});
    QVERIFY(w.settingsInSight().isEmpty());
  }
};

QTEST_MAIN(TestChatTools)
#include "tst_chat_tools.moc"
