// A model's chat template in the window: a thought that the prompt opens, and one in a channel, while it is
// written, kept, exported and asked on; and a template that refuses, what it says and what helps.
#include <QCheckBox>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include "gui/chat/chat_settings_dialog.h"
#include "gui/chat/template_line.h"
#include "history/chat_export.h"
#include "history/chat_json.h"
#include "support/chain_model.h"
#include "support/chat_window.h"
#include "support/more_tokens.h"
#include "widgets/message/answer_text.h"
#include "widgets/message/fold_button.h"
#include "widgets/message/message_widget.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::filesystem::path kTokenizer =
    std::filesystem::path(VITRINE_SOURCE_DIR) / "tests/golden/tokenizers/qwen2";

constexpr const char* kOpensThought =
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n<think>' }}{%- endif %}";
constexpr const char* kTakesNoSystem =
    "{%- for m in messages %}"
    "{%- if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}";

class Window : public ChatWindow {
 public:
  explicit Window(const QString& file = {}) : ChatWindow(64, file) {}
  TemplateLine& line() { return *window.findChild<TemplateLine*>(); }
  QString refusal() { return line().isVisible() ? line().findChild<QLabel*>()->text() : QString(); }
  QToolButton* choice(const QString& text) {
    for (auto* button : line().findChildren<QToolButton*>())
      if (button->text() == text && button->isVisible()) return button;
    return nullptr;
  }
  std::string newestPrompt() { return live().requests.rbegin()->second.prompt; }
  MessageWidget* message(int row) {
    for (auto* one : view().findChildren<MessageWidget*>())
      if (one->message() != 0 && one->message() == chat().at(row).message) return one;
    return nullptr;
  }
  // What of an answer is in sight, its thought aside.
  QString answerInSight(int row) {
    MessageWidget* const shown = message(row);
    const auto* text = shown == nullptr ? nullptr : shown->findChild<AnswerText*>();
    return text != nullptr && text->isVisible() ? text->toPlainText() : QString();
  }
  // The title of what it thought, when that has ended.
  FoldButton* thought(int row) {
    MessageWidget* const shown = message(row);
    for (auto* fold : shown == nullptr ? QList<FoldButton*>() : shown->findChildren<FoldButton*>())
      if (fold->isVisible() && fold->text().startsWith("Thought")) return fold;
    return nullptr;
  }
  // As the first answer is written, step by step: it thinks and then says "Hi!". No mark, which holds that
  // word, is ever in sight.
  void seeItThink(const char* mark) {
    bool thought = false;
    for (int step = 0; step < 40 && chat().isAnswering(); ++step) {
      const ChatEntry entry = chat().at(1);
      const bool thinks = entry.status == AnswerStatus::kThinking;
      thought = thought || thinks;
      if (thinks) QVERIFY2(entry.text.isEmpty(), qPrintable(entry.text));
      for (const QString& part : {entry.text, entry.thinking, answerInSight(1)})
        QVERIFY2(!part.contains('<') && !part.contains(mark), qPrintable(part));
      QVERIFY(stepTimes(1));
    }
    QVERIFY(thought);
    QVERIFY(answered(2));
    QCOMPARE(chat().at(1).thinking, QString("So, help."));
    QCOMPARE(chat().at(1).text, QString("Hi!"));
    QVERIFY(chat().at(1).thought.tokens > 0);
  }
};

}  // namespace

class TestChatTemplates : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

  // The folder of a model with that template that says `answer`.
  QString model(const char* name, const char* chatTemplate, const char* promptEnd, const char* answer) {
    const QString folder = m_folder.filePath(name);
    return write({kTokenizer, chatTemplate, promptEnd, answer, "<|im_end|>"}, folder.toStdString())
               ? folder
               : QString();
  }
  // One whose vocabulary has the marks of channels.
  QString channelModel(const char* name, const char* answer) {
    const auto words = m_folder.filePath("channel-words").toStdString();
    writeTokenizer(kTokenizer, channelTokens(), words);
    const QString folder = m_folder.filePath(name);
    const ChainModel chains{words, kChannelTemplate, "<|start|>assistant", answer, "<|return|>"};
    return write(chains, folder.toStdString()) ? folder : QString();
  }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aThoughtThatThePromptOpens() {
    const QString thinker = model("thinker", kOpensThought, "<think>", "So, help.</think>\n\nHi!");
    QVERIFY(!thinker.isEmpty());
    const QString file = m_folder.filePath("thoughts.db");
    {
      Window w(file);
      QVERIFY(w.openModel(thinker));
      w.window.bar().setStepsPerSecond(1);  // else the short answer may end before the pause comes
      QVERIFY(w.askAndHold("Who?"));
      QVERIFY(w.newestPrompt().ends_with("<think>"));
      w.seeItThink("think");
      if (QTest::currentTestFailed()) return;
      // The template has no place for thoughts of before.
      w.window.bar().setStepsPerSecond(0);
      w.window.host().run();
      w.ask("And?");
      QVERIFY(w.answered(4));
      const std::string prompt = w.newestPrompt();
      QVERIFY2(prompt.find("<|im_start|>assistant\nHi!<|im_end|>") != std::string::npos, prompt.c_str());
      QVERIFY(prompt.find("help") == std::string::npos);
    }
    Window again(file);
    QVERIFY(again.openModel());
    const auto chats = again.desk().history().chats(ChatShelf::kCurrent);
    QCOMPARE(chats.size(), std::size_t{1});
    again.desk().open(chats.front().id);
    QCOMPARE(again.chat().rowCount(), 4);
    QCOMPARE(again.chat().at(1).thinking, QString("So, help."));
    QCOMPARE(again.chat().at(1).text, QString("Hi!"));
  }

  void aThoughtInAChannel() {
    const QString thinker = channelModel("channels",
                                         "<|channel|>analysis<|message|>So, help.<|end|><|start|>"
                                         "assistant<|channel|>final<|message|>Hi!");
    QVERIFY(!thinker.isEmpty());
    const QString file = m_folder.filePath("channels.db");
    {
      Window w(file);
      QVERIFY(w.openModel(thinker));
      w.window.bar().setStepsPerSecond(1);  // else the short answer may end before the pause comes
      QVERIFY(w.askAndHold("Who?"));
      w.seeItThink("assist");
      if (QTest::currentTestFailed()) return;
      QTRY_COMPARE(w.answerInSight(1), QString("Hi!"));
      QTRY_VERIFY(w.thought(1) != nullptr && !w.thought(1)->isChecked());
      w.window.bar().setStepsPerSecond(0);
      w.window.host().run();
      w.ask("And?");
      QVERIFY(w.answered(4));
      QCOMPARE(w.newestPrompt(),
               std::string("<|start|>user<|message|>Who?<|end|><|start|>assistant<|channel|>final<|message|>"
                           "Hi!<|end|><|start|>user<|message|>And?<|end|><|start|>assistant"));
    }
    Window again(file);
    QVERIFY(again.openModel());
    const ChatId id = again.desk().history().chats(ChatShelf::kCurrent).front().id;
    again.desk().open(id);
    QCOMPARE(again.chat().rowCount(), 4);
    QCOMPARE(again.chat().at(1).thinking, QString("So, help."));
    QCOMPARE(again.chat().at(1).text, QString("Hi!"));
    QTRY_COMPARE(again.answerInSight(1), QString("Hi!"));
    QTRY_VERIFY(again.thought(1) != nullptr && !again.thought(1)->isChecked());
    const auto kept = again.desk().history().chat(id);
    QVERIFY(kept);
    for (const QString& exported : {chatToMarkdown(*kept), QString::fromUtf8(chatsToJson({*kept}))}) {
      QVERIFY2(exported.contains("So, help.") && exported.contains("Hi!"), qPrintable(exported));
      QVERIFY2(!exported.contains("<|") && !exported.contains("analysis"), qPrintable(exported));
    }
    QVERIFY(chatToMarkdown(*kept).contains("> So, help.\n\nHi!\n"));
  }

  void aLimitInAThoughtSaysSo() {
    const QString thinker = model("cut", kOpensThought, "<think>", "So, help.</think>\n\nHi!");
    QVERIFY(!thinker.isEmpty());
    Window w;
    w.setMaxTokens(2);
    QVERIFY(w.openModel(thinker));
    w.ask("Who?");
    QVERIFY(w.answered(2));
    QVERIFY(!w.chat().at(1).thinking.isEmpty() && w.chat().at(1).text.isEmpty());
    QTRY_COMPARE(w.chat().at(1).limit.words, QString("Stopped at 2 tokens, while it was thinking"));
    w.setMaxTokens(64);
    QVERIFY(w.press("Continue"));
    QVERIFY(waitUntil([&] { return w.answered(2) && w.chat().at(1).text == "Hi!"; }));
    QCOMPARE(w.chat().at(1).thinking, QString("So, help."));
  }

  void aTemplateThatRefuses() {
    const QString strict = model("strict", kTakesNoSystem, "assistant\n", "Hi!");
    QVERIFY(!strict.isEmpty());
    Window w;
    QVERIFY(w.openModel(strict));
    const ChatId chat = w.desk().ensureChat();
    ChatSettings settings = w.desk().settings(chat);
    settings.instructions = "Be brief.";
    w.desk().setSettings(chat, settings);
    QVERIFY(w.refusal().isEmpty());
    w.ask("Who?");
    QVERIFY(waitUntil([&] { return !w.refusal().isEmpty(); }));
    QVERIFY2(w.refusal().contains("System role not supported"), qPrintable(w.refusal()));
    QCOMPARE(w.input()->toPlainText(), QString("Who?"));
    QCOMPARE(w.chat().rowCount(), 0);
    QVERIFY(w.choice("Join messages in a row of one author") == nullptr);  // it would not help

    QTest::mouseClick(w.choice("Put the system prompt before the first question"), Qt::LeftButton);
    QVERIFY(w.answered(2));
    QVERIFY(w.refusal().isEmpty() && w.input()->toPlainText().isEmpty());
    QCOMPARE(w.newestPrompt(),
             std::string("<|im_start|>user\nBe brief.\n\nWho?<|im_end|>\n<|im_start|>assistant\n"));
    w.ask("Really?");  // from now on
    QVERIFY(w.answered(4));

    // The settings of the chat have it, and take it back.
    ChatSettingsDialog dialog(w.desk().settings(chat), w.window.host());
    const auto boxes = dialog.findChildren<QCheckBox*>();
    QCOMPARE(boxes.size(), 3);
    QVERIFY(boxes[0]->isChecked() && !boxes[1]->isChecked() && !boxes[2]->isChecked());
    QCOMPARE(dialog.settings(), w.desk().settings(chat));
    boxes[0]->setChecked(false);
    w.desk().setSettings(chat, dialog.settings());
    w.ask("Now?");
    QVERIFY(waitUntil([&] { return !w.refusal().isEmpty(); }));
    QTest::mouseClick(w.choice("Not now"), Qt::LeftButton);
    QVERIFY(w.refusal().isEmpty());
    QCOMPARE(w.input()->toPlainText(), QString("Now?"));
  }
};

QTEST_MAIN(TestChatTemplates)
#include "tst_chat_templates.moc"
