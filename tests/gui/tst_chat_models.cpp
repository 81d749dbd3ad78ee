// Chats while models come and go: one chosen while an answer streams, one whose folder is deleted while it is
// loaded. Real keys in the window.
#include <QAbstractButton>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <functional>

#include "gui/chat/chats.h"
#include "gui/commands/command_palette.h"
#include "gui/library/models_opening.h"
#include "gui/parts/message_bar.h"
#include "gui/window/handed_start.h"
#include "gui/window_files.h"
#include "support/window_bench.h"
#include "vitrine/files.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/sampler/sampler_controls.h"

using namespace vitrine;
using namespace vitrine::test;

class TestChatModels : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;
  WindowFiles m_files;

  QString copyOfTheModel(const char* name) {
    const QString folder = m_folder.filePath(QLatin1String(name));
    if (QFileInfo::exists(folder)) return folder;
    std::filesystem::copy(builtinModelDirectory(), folder.toStdString());
    return folder;
  }
  static void ask(ShownWindow& w, const QString& question) {
    QPlainTextEdit* const input = w.window.panels().chat->input();
    QTest::keyClicks(input, question);
    QTest::keyClick(input, Qt::Key_Return);
  }
  static const ChatEntry& last(ShownWindow& w) {
    const ChatModel& chat = *w.window.panels().chatModel;
    return chat.at(chat.rowCount() - 1);
  }
  static void answerUpTo(ShownWindow& w, int tokens) {
    w.window.panels().controls->setMaxTokens(tokens);
    emit w.window.panels().controls->maxTokensChanged(tokens);
  }

  // Presses a button of the question that stands.
  static bool decide(const QString& button) {
    QMessageBox* box = nullptr;
    const bool stands = waitUntil([&] {
      box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      return box != nullptr && box->isVisible();
    });
    if (!stands) return false;
    for (QAbstractButton* one : box->buttons())
      if (one->text().remove(u'&') == button) return one->click(), true;
    return false;
  }
  static void drop(MainWindow& window, const QString& file) {
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter({9, 9}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QDropEvent event(QPointF(9, 9), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
  }
  static void chooseInPalette(MainWindow& window, const QString& words) {
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) return;
    window.panels().chat->input()->setFocus();
    QTest::keyClick(window.panels().chat->input(), Qt::Key_K, Qt::ControlModifier);
    CommandPalette* palette = nullptr;
    const bool opened = waitUntil([&] {
      palette = window.findChild<CommandPalette*>();
      return palette != nullptr && palette->isVisible();
    });
    if (!opened) return;
    QTest::keyClicks(palette->line(), words);
    QTest::keyClick(palette->line(), Qt::Key_Return);
  }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
    QVERIFY(m_files.make());
  }
  void init() { QSettings().clear(); }

  void anotherModelIsChosenWhileAnAnswerStreams() {
    const QString first = copyOfTheModel("first"), second = copyOfTheModel("second");
    ShownWindow w(Perspective::kChat);
    w.window.keepChatsIn(m_folder.filePath("switched.db"));
    QVERIFY(w.openModel(first));
    answerUpTo(w, 400);
    w.window.host().setStepsPerSecond(20);  // it is still writing when the other one comes
    ask(w, QStringLiteral("Tell me a story about a fox."));
    QVERIFY(waitUntil([&] { return last(w).status == AnswerStatus::kWriting && last(w).message != 0; }));
    w.window.openModel(second);
    QVERIFY(decide("Change the model"));
    QVERIFY(waitUntil([&] { return last(w).status == AnswerStatus::kStopped; }));
    const QString kept = last(w).text;
    QVERIFY(!kept.isEmpty());
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    w.window.host().setStepsPerSecond(0);
    answerUpTo(w, 8);
    ask(w, QStringLiteral("Go on."));
    QVERIFY(waitUntil([&] { return last(w).status == AnswerStatus::kDone && last(w).message != 0; }));
    w.window.chats().keep();
    Desk& desk = w.window.chats().desk();
    const std::vector<ShownMessage> branch = desk.branch();
    QCOMPARE(branch.size(), std::size_t{4});
    QCOMPARE(branch[1].message.state, MessageState::kStopped);
    QCOMPARE(branch[1].message.text, kept);
    QCOMPARE(branch[1].message.provenance.model, QStringLiteral("first"));
    QCOMPARE(branch[3].message.state, MessageState::kComplete);
    QCOMPARE(branch[3].message.provenance.model, QStringLiteral("second"));
  }

  // Whichever way another machine comes, an answer that is being written is not ended without a question.
  void aChangeAsksFirst_data() {
    QTest::addColumn<std::function<void(MainWindow&)>>("change");
    QTest::addColumn<QString>("button");
    const QString second = copyOfTheModel("another");
    const auto row = [](const char* name, const char* button, std::function<void(MainWindow&)> change) {
      QTest::newRow(name) << std::move(change) << QString(button);
    };
    row("menu", "Change the model", [](MainWindow& window) {
      for (QAction* action : window.findChildren<QAction*>())
        if (action->text().remove(u'&') == "Built-in model") return action->trigger();
    });
    row("window of models", "Change the model",
        [=](MainWindow& window) { emit window.findChild<ModelsOpening*>()->modelChosen(second); });
    row("drop", "Change the model", [=](MainWindow& window) { drop(window, second); });
    row("palette", "Change the model", [](MainWindow& window) { chooseInPalette(window, "built-in model"); });
    row("second program", "Change the model",
        [=](MainWindow& window) { HandedStart(window).open(startRequest({}, second, {}, {})); });
    row("second program's file", "Change the model",
        [=](MainWindow& window) { HandedStart(window).open(startRequest({second}, {}, {}, {})); });
    row("scenario", "Open the scenario", [](MainWindow& window) {
      window.openScenario(QString::fromStdString(shippedScenarioNames().front()));
    });
    row("recording", "Open the recording", [this](MainWindow& window) { window.open(m_files.trace()); });
  }
  void aChangeAsksFirst() {
    QFETCH(std::function<void(MainWindow&)>, change);
    QFETCH(QString, button);
    const QString first = copyOfTheModel("first");
    ShownWindow w(Perspective::kChat);
    QVERIFY(w.openModel(first));
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    const auto model = [&] { return w.window.session().engine()->model.name; };
    answerUpTo(w, 400);
    w.window.host().setStepsPerSecond(20);
    ask(w, QStringLiteral("Tell me a story about a fox."));
    QVERIFY(waitUntil([&] { return last(w).status == AnswerStatus::kWriting && last(w).message != 0; }));
    const qint64 answer = last(w).message;
    change(w.window);
    QVERIFY(waitUntil([] { return QApplication::activeModalWidget() != nullptr; }));
    const auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    QVERIFY(box && box->text().contains("Tell me a story"));
    const auto written = last(w).text.size();
    QVERIFY(waitUntil([&] { return last(w).text.size() > written; }));  // it is not held up
    QVERIFY(decide("Keep answering"));
    const auto kept = last(w).text.size();
    QVERIFY(waitUntil([&] { return last(w).text.size() > kept; }));
    QCOMPARE(model(), std::string("first"));
    QCOMPARE(last(w).message, answer);
    change(w.window);
    QVERIFY(decide(button));
    QVERIFY(waitUntil([&] {
      const auto& engine = w.window.session().engine();
      return engine && engine->model.name != "first";
    }));
    const auto chats = w.window.chats().desk().history().chats();
    const auto chat = w.window.chats().desk().history().chat(chats.front().id);
    QCOMPARE(chat->messages.back().state, MessageState::kStopped);
    QVERIFY(chat->messages.back().text.size() >= kept);
  }

  void aModelDeletedWhileItIsLoadedGoesOnAnswering() {
    const QString model = copyOfTheModel("deleted");
    ShownWindow w(Perspective::kChat);
    QVERIFY(w.openModel(model));
    answerUpTo(w, 8);
    QVERIFY(QDir(model).removeRecursively());
    w.window.host().setStepsPerSecond(0);
    ask(w, QStringLiteral("Hello!"));
    QVERIFY(waitUntil([&] { return last(w).status == AnswerStatus::kDone; }));
    QVERIFY(!last(w).text.isEmpty());
    // Loading it anew cannot work: the reason is said, and the machine that is there stays.
    w.window.reset();
    QVERIFY(waitUntil([&] { return w.window.messages().isVisible(); }));
    QVERIFY2(w.window.messages().text().contains(QStringLiteral("deleted")),
             qPrintable(w.window.messages().text()));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    ask(w, QStringLiteral("Are you there?"));
    QVERIFY(waitUntil([&] {
      return w.window.panels().chatModel->rowCount() == 4 && last(w).status == AnswerStatus::kDone;
    }));
  }
};

QTEST_MAIN(TestChatModels)
#include "tst_chat_models.moc"
