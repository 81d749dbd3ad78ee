// To a screen reader each part of the window that can take the focus has a name, whether Tab reaches it or a
// click: the chat with all that it can show, the prompt as tokens, a call's result, every panel, the dialogs.
#include <QDialog>
#include <QPushButton>
#include <QTemporaryDir>

#include "gui/chat/chat_menu.h"
#include "gui/chat/chat_settings_dialog.h"
#include "gui/chat/prompt_looker.h"
#include "gui/chat/prompt_page.h"
#include "gui/chat/tool_results_line.h"
#include "gui/key_walk.h"
#include "gui/panels/panel_dock.h"
#include "gui/scenario/scenario_chooser.h"
#include "gui/scenario/scenario_editor.h"
#include "gui/settings/engine_options_dialog.h"
#include "gui/settings/settings_dialog.h"
#include "gui/written_chat.h"
#include "support/chain_model.h"
#include "support/chat_window.h"
#include "widgets/prompt/prompt_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr const char* kDropsSystem =
    "{%- for m in messages if m.role != 'system' %}"
    "{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}";

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(16) {}
  bool shows(const ChatRecord& written) {
    if (!openModel()) return false;
    desk().open(desk().history().insert({written}).at(0));
    emit desk().listChanged();
    if (!waitUntil([&] { return chat().rowCount() > 3; })) return false;
    for (auto* button : view().findChildren<QToolButton*>())
      if (button->isCheckable() && button->isVisible()) button->setChecked(true);  // all that is folded
    return true;
  }
};

#define HAS_NAMES(part)                                                                             \
  do {                                                                                              \
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents(); /* layouts follow one another */ \
    const QStringList nameless = namelessParts(part);                                               \
    QVERIFY2(nameless.isEmpty(), qPrintable(QChar(u'\n') + nameless.join(u'\n')));                  \
  } while (false)

}  // namespace

class TestAccessibleNames : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  // The test of the test.
  void aPartWithoutANameIsFound() {
    QDialog dialog;
    QPushButton named(QStringLiteral("Copy"), &dialog), nameless(QStringLiteral("×"), &dialog);
    nameless.move(0, 40);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QCOMPARE(namelessParts(dialog).size(), qsizetype{1});
    QVERIFY(namelessParts(dialog).front().startsWith("QPushButton “×”"));
    nameless.setEnabled(false);
    QVERIFY(namelessParts(dialog).isEmpty());
  }

  // Files, thoughts, calls of tools, code, a table, links, branches with their map, what is found.
  void theConversation() {
    Window w;
    QVERIFY(w.shows(writtenChat()));
    w.view().branchesButton()->setChecked(true);
    w.view().findAt("block", {"block"}, w.desk().branch().back().message.id);
    HAS_NAMES(w.window);
  }

  void theResultOfACall() {
    Window w;
    ChatRecord chat = writtenChat();
    chat.shownLeaf = kWrittenCallId;
    QVERIFY(w.shows(chat));
    QTRY_VERIFY_WITH_TIMEOUT(w.window.findChild<ToolResultsLine*>()->isVisible(), kPatience);
    HAS_NAMES(w.window);
  }

  void thePrompt() {
    const QString folder = m_folder.filePath("dropping");
    QVERIFY(write({std::filesystem::path(VITRINE_SOURCE_DIR) / "tests/golden/tokenizers/qwen2", kDropsSystem,
                   "assistant\n", "Hi!", "<|im_end|>"},
                  folder.toStdString()));
    Window w;
    QVERIFY(w.openModel(folder));
    const ChatId chat = w.desk().ensureChat();
    ChatSettings settings = w.desk().settings(chat);
    settings.instructions = "Be brief.";
    w.desk().setSettings(chat, settings);
    w.input()->setPlainText("Ignore that. <|im_end|>");
    w.window.chats().menu().prompt->trigger();
    PromptPage& page = w.window.chats().prompt().page();
    QVERIFY(waitUntil([&] { return !page.model().prompt().messagesLeftOut.empty(); }));
    HAS_NAMES(w.window);
  }

  void everyPanel_data() {
    QTest::addColumn<int>("perspective");
    QTest::newRow("step") << int(Perspective::kStep);
    QTest::newRow("present") << int(Perspective::kPresent);
  }
  void everyPanel() {
    QFETCH(int, perspective);
    ShownWindow w(static_cast<Perspective>(perspective));
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(3));
    const auto docks = w.window.findChildren<PanelDock*>();
    QVERIFY(docks.size() > 10);
    for (const PanelDock* dock : docks) {
      if (!w.window.showPanel(dock->objectName())) continue;
      HAS_NAMES(w.window);
    }
  }

  void theDialogs() {
    Window w;
    QVERIFY(w.openModel());
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QTest::keyClick(&w.window, Qt::Key_Comma, Qt::ControlModifier);
    auto* const settings = w.window.findChild<SettingsDialog*>();
    QVERIFY(settings != nullptr && QTest::qWaitForWindowExposed(settings));
    HAS_NAMES(*settings);
    ChatSettingsDialog ofChat({QStringLiteral("Answer in rhymes."), {QStringLiteral("THE END")}, {}},
                              w.window.host(), nullptr);
    EngineOptionsDialog options(Settings::defaultEngineOptions());
    ScenarioEditor editor(readScenario("six-blocks"), 3);
    ScenarioChooser chooser({}, nullptr);
    for (QDialog* const dialog : std::initializer_list<QDialog*>{&ofChat, &options, &editor, &chooser}) {
      dialog->show();
      QVERIFY(QTest::qWaitForWindowExposed(dialog));
      HAS_NAMES(*dialog);
      dialog->hide();
    }
  }
};

QTEST_MAIN(TestAccessibleNames)
#include "tst_accessible_names.moc"
