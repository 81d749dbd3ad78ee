// The prompt in the window: it comes in the conversation's place and goes, follows the chat, the draft and
// its settings, and costs nothing while it is hidden.
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/prompt_looker.h"
#include "gui/chat/prompt_page.h"
#include "support/chain_model.h"
#include "support/chat_window.h"
#include "widgets/prompt/prompt_view.h"
#include "widgets/prompt/template_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::filesystem::path kTokenizer =
    std::filesystem::path(VITRINE_SOURCE_DIR) / "tests/golden/tokenizers/qwen2";

constexpr const char* kChatMl =
    "{%- for m in messages %}\n"
    "{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}\n"
    "{%- endfor %}\n"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}";
constexpr const char* kTakesNoSystem =
    "{%- for m in messages %}"
    "{%- if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}";

constexpr const char* kDropsSystem =
    "{%- for m in messages if m.role != 'system' %}"
    "{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{%- endfor %}";

constexpr const char* kWithTools =
    "{%- if tools %}{{- tools | tojson }}{%- endif %}"
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{%- endfor "
    "%}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}";
constexpr const char* kThinks =
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{%- endfor "
    "%}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n<think>' }}{%- endif %}";

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(64) {}
  PromptLooker& looker() { return window.chats().prompt(); }
  PromptPage& page() { return looker().page(); }
  const SeenPrompt& prompt() { return page().model().prompt(); }
  QAction& action() { return *window.chats().menu().prompt; }
  bool reads(const char* text) {
    return waitUntil([&] { return prompt().text.find(text) != std::string::npos; });
  }
  void instruct(const QString& words) {
    const ChatId chat = desk().ensureChat();
    ChatSettings settings = desk().settings(chat);
    settings.instructions = words;
    desk().setSettings(chat, settings);
  }
  QToolButton* button(const QString& text) {
    for (QToolButton* one : page().findChildren<QToolButton*>())
      if (one->text() == text && one->isVisible()) return one;
    return nullptr;
  }
  bool says(const QString& words) {
    for (const QLabel* label : page().findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(words)) return true;
    return false;
  }
};

}  // namespace

class TestPromptWindow : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

  QString model(const char* name, const char* chatTemplate) {
    const QString folder = m_folder.filePath(name);
    return write({kTokenizer, chatTemplate, "assistant\n", "Hi!", "<|im_end|>"}, folder.toStdString())
               ? folder
               : QString();
  }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void itStandsInTheConversationsPlaceAndFollows() {
    const QString folder = model("chatml", kChatMl);
    QVERIFY(!folder.isEmpty());
    Window w;
    QVERIFY(w.openModel(folder));
    w.instruct("Be brief.");
    w.ask("Who?");
    QVERIFY(w.answered(2));
    QCOMPARE(w.looker().looks(), 0);  // hidden, it asks nothing
    w.input()->setPlainText("And then?");

    w.action().trigger();
    QVERIFY(w.page().isVisible() && !w.view().isVisible());
    QVERIFY(w.reads("<|im_start|>user\nAnd then?<|im_end|>\n<|im_start|>assistant\n"));
    QVERIFY(w.reads("<|im_start|>system\nBe brief.<|im_end|>"));
    QVERIFY(w.reads("<|im_start|>assistant\nHi!<|im_end|>"));
    QVERIFY(w.says("of them written by the template"));
    QVERIFY(w.says("tokenizer_config.json · 4 lines"));
    QVERIFY(w.page().prompt().hasFocus());
    QTest::keyClick(&w.page().prompt(), Qt::Key_Home);
    QCOMPARE(w.page().chatTemplate().markedLine(), 2);
    QVERIFY(w.says("Line 2 wrote this: the role and the words of message 1 (system)"));
    QTest::keyClick(&w.page().prompt(), Qt::Key_End);
    QVERIFY(w.says("Line 4 wrote this: the beginning of the answer."));

    w.instruct("Be long.");
    QVERIFY(w.reads("system\nBe long."));
    QTest::mouseClick(w.button("Copy text"), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text().toStdString(), w.prompt().text);
    QTest::mouseClick(w.button("Copy ids"), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text().split(", ").size(), qsizetype(w.prompt().tokens.size()));
    QVERIFY(w.page().command().contains("vitrine-cli template --json "));

    QTest::keyClick(&w.page().prompt(), Qt::Key_Escape);
    QVERIFY(!w.page().isVisible() && w.view().isVisible() && !w.action().isChecked());
    QVERIFY(w.input()->hasFocus());
    QCOMPARE(w.input()->toPlainText(), QString("And then?"));
    const int looks = w.looker().looks();
    w.instruct("Be silent.");
    QTest::keyClicks(w.input(), " And?");
    QCOMPARE(w.looker().looks(), looks);
  }

  void typedMarksAreReadTheOtherWay() {
    const QString folder = model("marks", kChatMl);
    QVERIFY(!folder.isEmpty());
    Window w;
    QVERIFY(w.openModel(folder));
    w.input()->setPlainText("Ignore <|im_end|> now");
    w.action().trigger();
    QVERIFY(w.reads("Ignore <|im_end|> now"));
    const auto tokens = w.prompt().tokens.size();
    QVERIFY(w.says("Typed names of special tokens (dotted line) are read as"));
    QVERIFY(w.button("What if they were not?") != nullptr);
    QTest::mouseClick(w.button("What if they were not?"), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return w.prompt().typedMarksCount; }));
    QVERIFY(w.prompt().tokens.size() < tokens);
    QCOMPARE(w.desk().settings(w.desk().shown()).asking.size(), 1);
    QTest::mouseClick(w.button("Read them as text"), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return !w.prompt().typedMarksCount; }));
    QCOMPARE(w.prompt().tokens.size(), tokens);
  }

  // Also where the words are a shell's, a template's or a tokenizer's own.
  void whatIsCopiedGivesTheSameTokens() {
    const QString folder = model("copied 'model'", kWithTools);
    QVERIFY(!folder.isEmpty());
    Window w;
    QVERIFY(w.openModel(folder));
    const ChatId chat = w.desk().ensureChat();
    ChatSettings settings = w.desk().settings(chat);
    settings.tools = "[ {\"type\": \"function\",\n \"function\": {\"name\": \"it's\"}} ]";
    w.desk().setSettings(chat, settings);
    w.input()->setPlainText(
        QString::fromUtf8("%s '$HOME' `date` \\n \"%1\" é 狐 🦊\n<|im_end|> {{ 1 }} !!\t-"));
    w.action().trigger();
    QVERIFY(w.reads("<|im_end|> {{ 1 }}"));
    const auto check = [&] {
      QStringList ids;
      for (const SeenToken& token : w.prompt().tokens) ids << QString::number(token.id);
      QTest::mouseClick(w.button("Copy command"), Qt::LeftButton);
      const QJsonObject printed = runInShell(QApplication::clipboard()->text());
      QCOMPARE(printed["text"].toString().toStdString(), w.prompt().text);
      QStringList theirs;
      for (const auto& id : printed["token_ids"].toArray()) theirs << QString::number(id.toInt());
      QCOMPARE(theirs, ids);
      QTest::mouseClick(w.button("Copy ids"), Qt::LeftButton);
      const CliResult answer = runCli({"generate", "--json", "--max-tokens", "2", "--model", folder,
                                       "--token-ids", QApplication::clipboard()->text()});
      QCOMPARE(answer.json()["usage"].toObject()["prompt_tokens"].toInt(), int(ids.size()));
    };
    QVERIFY(!w.prompt().typedMarksCount && w.prompt().typedMarks == 1);
    check();
    QTest::mouseClick(w.button("What if they were not?"), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return w.prompt().typedMarksCount; }));
    check();
  }

  // The model thinks, and the template forgets it: the prompt of the next turn differs behind the first.
  void itSaysWhereTheLastPromptIsLeft() {
    const QString folder = m_folder.filePath("thinker");
    QVERIFY(write({kTokenizer, kThinks, "<think>", "So, help.</think>\n\nHi!", "<|im_end|>"},
                  folder.toStdString()));
    Window w;
    QVERIFY(w.openModel(folder));
    w.input()->setPlainText("Who?");
    w.action().trigger();
    QVERIFY(w.reads("Who?"));
    QVERIFY(w.button("Go there") == nullptr);  // there is no prompt before
    w.action().trigger();
    w.input()->clear();
    w.ask("Who?");
    QVERIFY(w.answered(2));
    w.input()->setPlainText("And?");
    w.action().trigger();
    QVERIFY(w.reads("And?"));
    QVERIFY(waitUntil([&] { return w.says("differs: the template drops earlier thoughts."); }));
    const int row = w.page().model().firstThatDiffers();
    QVERIFY(row > 0 && w.page().model().at(row).message == 1);
    QTest::mouseClick(w.button("Go there"), Qt::LeftButton);
    QCOMPARE(w.page().prompt().current(), row);
    QVERIFY(w.page().prompt().hasFocus());
  }

  // In sight, within the keyboard's reach, and as a screen reader reads it.
  void aMessageThatTheTemplateDropsIsNamed() {
    const QString folder = model("dropping", kDropsSystem);
    QVERIFY(!folder.isEmpty());
    Window w;
    QVERIFY(w.openModel(folder));
    w.input()->setPlainText("Who?");
    w.action().trigger();
    QVERIFY(w.reads("Who?"));
    QVERIFY(!w.says("leaves out"));
    w.instruct("Be brief.");
    const QString words = "The template leaves out: message 1 (system) “Be brief.”";
    QVERIFY(waitUntil([&] { return w.says(words); }));
    QWidget* reached = &w.page().prompt();
    for (int tabs = 0; tabs < 5 && !reached->property("text").toString().contains(words); ++tabs) {
      QTest::keyClick(reached, Qt::Key_Tab);
      reached = QApplication::focusWidget();
      QVERIFY(reached != nullptr);
    }
    QCOMPARE(QAccessible::queryAccessibleInterface(reached)->text(QAccessible::Name), words);
    QVERIFY(w.page().prompt().summary().endsWith("1 message left out"));
  }

  void aRefusalIsShownInItsWords() {
    const QString folder = model("strict", kTakesNoSystem);
    QVERIFY(!folder.isEmpty());
    Window w;
    QVERIFY(w.openModel(folder));
    w.instruct("Be brief.");
    w.input()->setPlainText("Who?");
    w.action().trigger();
    QVERIFY(waitUntil(
        [&] { return w.page().prompt().accessibleDescription().contains("System role not supported"); }));
    QVERIFY(w.prompt().tokens.empty() && w.page().chatTemplate().lines() == 1);
  }

  void aModelWithoutATemplateHasThePlainForm() {
    Window w;
    QVERIFY(w.openModel());
    w.action().trigger();
    QVERIFY(waitUntil([&] { return w.page().prompt().accessibleDescription().contains("No question yet"); }));
    w.input()->setPlainText("Who?");
    QVERIFY(w.reads("Who?"));
    QTest::mouseClick(w.button("‹ Conversation"), Qt::LeftButton);
    QVERIFY(w.view().isVisible());
  }
};

QTEST_MAIN(TestPromptWindow)
#include "tst_prompt_window.moc"
