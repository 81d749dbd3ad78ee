// Chats while models come and go: one chosen while an answer streams, one whose folder is deleted while it is
// loaded. Real keys in the window.
#include <QDir>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "chats.h"
#include "message_bar.h"
#include "support/window_bench.h"
#include "vitrine/files.h"
#include "widgets/models/chat_model.h"
#include "widgets/views/chat_view.h"
#include "widgets/views/sampler_controls.h"

using namespace vitrine;
using namespace vitrine::test;

class TestChatModels : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

  QString copyOfTheModel(const char* name) {
    const QString folder = m_folder.filePath(QLatin1String(name));
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

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
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
