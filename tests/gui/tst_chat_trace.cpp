// A chat exported as a trace: its run is computed again, is the one that the chat had, and opens in the
// window.
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QTimer>

#include "gui/bars/status_strip.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chat_trace.h"
#include "gui/parts/message_bar.h"
#include "gui/runs/run_archive.h"
#include "support/chat_window.h"
#include "vitrine/trace.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kMaxTokens = 12;

struct TracedRun {
  std::vector<RequestSubmitted> requests;
  std::vector<std::vector<TokenId>> tokens;  // of each request
  TraceReading reading;
  int lastStep = 0;
};

TracedRun readRun(const QString& file) {
  TracedRun run;
  run.reading = readTrace(file.toStdString(), [&](const Event& event) {
    run.lastStep = event.step;
    if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
      run.requests.push_back(*submitted);
      run.tokens.push_back(submitted->asked.outputIds);
    } else if (const auto* sampled = bodyOf<TokenSampled>(event)) {
      run.tokens.back().push_back(sampled->token);
    }
  });
  return run;
}

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(kMaxTokens) {
    SamplingOptions sampling;
    sampling.temperature = 0.8;
    sampling.seed = 5;
    emit window.panels().controls->samplingChanged(sampling);
  }
  bool askAndWait(const QString& question, int rows) {
    ask(question);
    return answered(rows);
  }
  ChatTrace& trace() { return window.chats().trace(); }
  ChatRecord record() { return *desk().history().chat(desk().shown(), ChatHistory::Tokens::kRead); }
  std::vector<TokenId> idsAt(int row) {
    std::vector<TokenId> ids;
    for (const AnswerToken& token : desk().history().tokens(chat().at(row).message)) ids.push_back(token.id);
    return ids;
  }
  // What the window says in the end.
  QString exported(ChatId chat, const QString& file) {
    window.messages().closeAll();
    window.chats().menu().exportChat(chat, file);
    if (!waitUntil([&] { return !trace().isUnderWay() && window.messages().isVisible(); })) return {};
    return window.messages().text();
  }
};

}  // namespace

class TestChatTrace : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;
  QString file(const char* name) { return m_folder.filePath(QLatin1String(name)); }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  // Each answer is a request with the tokens of the chat; the second one finds the first turn in the cache.
  void aChatIsARunThatOpens() {
    Window w;
    QVERIFY(w.openModel());
    ChatSettings settings;
    settings.instructions = QStringLiteral("Answer in one sentence, and do not explain it.");
    w.desk().setSettings(0, settings);
    QVERIFY(w.askAndWait("Tell me a story about a fox.", 2));
    QVERIFY(w.askAndWait("What is a KV cache?", 4));
    const QString said = w.exported(w.desk().shown(), file("chat.vitrine"));
    QVERIFY2(said.contains("chat.vitrine has the run of this chat, token for token the same"),
             qPrintable(said));
    const TraceReport report = verifyTrace(file("chat.vitrine").toStdString());
    QVERIFY(report.whole && report.steps > 2);
    const TracedRun run = readRun(file("chat.vitrine"));
    QCOMPARE(run.requests.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) QCOMPARE(run.tokens[i], w.idsAt(static_cast<int>(2 * i + 1)));
    QCOMPARE(run.requests[0].asked.name, std::string("answer-1"));
    QCOMPARE(run.reading.bookmarks.size(), 2u);
    QCOMPARE(*run.reading.bookmarks.begin(), 1);
    const MachineState before = w.live();  // the machine of the window has had no part in it
    QCOMPARE(before.requests.size(), 2u);

    w.window.open(file("chat.vitrine"));
    QVERIFY(waitUntil(
        [&] { return !w.window.archive().isUnderWay() && w.window.host().mode() == MachineMode::kEmpty; }));
    QCOMPARE(w.window.session().recording().lastFinishedStep(), run.lastStep);
  }

  void theVerdictNamesTheFirstOtherToken() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndWait("What is a KV cache?", 2));
    ChatRecord other = w.record();
    other.summary.id = 0;
    std::vector<AnswerToken>& tokens = other.messages.back().tokens;
    QVERIFY(tokens.size() > 3);
    tokens[2].id += 1;
    const std::vector<ChatId> ids = w.desk().history().insert({other});
    QCOMPARE(ids.size(), 1u);
    const QString said = w.exported(ids.front(), file("other.vitrine"));
    QVERIFY2(said.contains("answer 1 differs in it from token 3 on"), qPrintable(said));
  }

  void aStoppedAnswerEndsWhereItWasStopped() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndWait("Tell me a story about a fox.", 2));
    ChatRecord stopped = w.record();
    stopped.messages.back().state = MessageState::kStopped;
    stopped.messages.back().tokens.resize(5);
    const std::vector<ChatId> ids = w.desk().history().insert({stopped});
    const QString said = w.exported(ids.front(), file("stopped.vitrine"));
    QVERIFY2(said.contains("token for token the same"), qPrintable(said));
    QCOMPARE(readRun(file("stopped.vitrine")).tokens.front().size(), 5u);
  }

  // Older programs kept the name of the model's folder, or of its file.
  void anAnswerWithTheFoldersNameIsOfTheModel() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndWait("What is a KV cache?", 2));
    ChatRecord older = w.record();
    QCOMPARE(older.messages.back().provenance.model, QString("Built-in model"));
    older.messages.back().provenance.model = QStringLiteral("model");
    const std::vector<ChatId> ids = w.desk().history().insert({older});
    const QString said = w.exported(ids.front(), file("older.vitrine"));
    QVERIFY2(said.contains("token for token the same"), qPrintable(said));
  }

  void whatCannotBeComputedAgainIsSaid() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndWait("What is a KV cache?", 2));
    ChatRecord foreign = w.record();
    foreign.messages.back().provenance.model = QStringLiteral("another-model");
    ChatRecord empty = w.record();
    empty.messages.back().tokens.clear();
    const std::vector<ChatId> ids = w.desk().history().insert({foreign, empty});
    QVERIFY(w.exported(ids[0], file("foreign.vitrine")).contains("comes from the model another-model"));
    QVERIFY(w.exported(ids[1], file("empty.vitrine")).contains("no answer of this chat was computed here"));
    const QString nowhere = w.exported(w.desk().shown(), file("no/such/folder.vitrine"));
    QVERIFY2(nowhere.contains("folder.vitrine"), qPrintable(nowhere));
    QVERIFY(QDir(m_folder.path()).entryList({"foreign*", "empty*"}).isEmpty());
  }

  // A name without an ending gets that of the kind that is chosen in the dialog.
  void theDialogsKindDecides() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndWait("What is a KV cache?", 2));
    QTimer asked;
    connect(&asked, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      asked.stop();
      QTest::keyClicks(dialog->findChild<QComboBox*>(QStringLiteral("fileTypeCombo")), "Its");
      dialog->findChild<QLineEdit*>()->setText(file("chosen"));
      static_cast<QDialog*>(dialog)->accept();  // public there
    });
    asked.start(10);
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    w.window.chats().menu().chooseExport({w.desk().shown()});
    QVERIFY(waitUntil([&] { return !w.trace().isUnderWay() && w.window.messages().isVisible(); }));
    QVERIFY(QFileInfo::exists(file("chosen.vitrine")) && !QFileInfo::exists(file("chosen.md")));
  }

  // Cancelled in the midst of it, by the status strip's button: no file, and a file of that name stays.
  void itCanBeCancelled() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndWait("Tell me a story about a fox.", 2));
    const QString target = file("cancelled.vitrine");
    w.window.chats().menu().exportChat(w.desk().shown(), target);
    QVERIFY(w.trace().isUnderWay());
    emit w.window.status().cancelLoadRequested();
    QVERIFY(!w.trace().isUnderWay());
    QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatience));
    QCoreApplication::processEvents();
    QCOMPARE(QDir(m_folder.path()).entryList({"cancelled*"}), QStringList());
    QVERIFY(!w.window.messages().isVisible());
  }
};

QTEST_MAIN(TestChatTrace)
#include "tst_chat_trace.moc"
