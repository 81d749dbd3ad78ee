// One window for all starts: the program itself, started again and again with one home, and what the window
// does with what a later start hands over.
#include <signal.h>

#include <QDir>
#include <QFile>
#include <QInputDialog>
#include <QProcess>
#include <QProcessEnvironment>

#include "gui/help/welcome_opening.h"
#include "gui/parts/message_bar.h"
#include "gui/turns/chat_files.h"
#include "gui/window/handed_start.h"
#include "gui/window_files.h"
#include "instance/start_socket.h"
#include "support/chat_window.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr const char* kKeys[] = {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
                                 "XDG_RUNTIME_DIR"};

// A user: a home, settings and runtime folder, in which no window was ever open.
class User {
 public:
  User() { QDir(m_home.path()).mkdir("Vitrine"); }
  QString settings() const { return m_home.filePath("Vitrine/Vitrine.conf"); }
  QString path(const QString& name) const { return m_home.filePath(name); }
  // Names of what stands in the runtime folder for other starts.
  QStringList sockets() const { return QDir(m_home.path()).entryList({"vitrine-*"}, QDir::System); }
  // The model that is open; it is kept as the last one.
  QByteArray kept() const {
    QFile file(settings());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  std::unique_ptr<QProcess> start(const QStringList& arguments, const QString& from = {}) const {
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* key : kKeys) environment.insert(QString::fromLatin1(key), m_home.path());
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    auto program = std::make_unique<QProcess>();
    program->setProcessEnvironment(environment);
    program->setProcessChannelMode(QProcess::ForwardedOutputChannel);
    program->setWorkingDirectory(from.isEmpty() ? m_home.path() : from);
    program->start(QStringLiteral(VITRINE_PROGRAMS "/vitrine"), arguments);
    return program->waitForStarted(kPatience) ? std::move(program) : nullptr;
  }

 private:
  QTemporaryDir m_home;
};

bool isRunning(const std::unique_ptr<QProcess>& program) { return program->state() == QProcess::Running; }

bool endsWell(const std::unique_ptr<QProcess>& program) {
  return waitUntil([&] { return !isRunning(program); }) && program->exitStatus() == QProcess::NormalExit &&
         program->exitCode() == 0;
}

QString write(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes) {
  QFile file(folder.filePath(name));
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
}

// In the chat that is shown, once all were read.
bool hasChips(ShownWindow& w, std::size_t count) {
  const ChatFiles& files = w.window.chats().controller().files();
  const auto* const chips = w.window.findChild<FileChips*>();
  return waitUntil([&] {
    return !files.isReading() && files.of(w.window.chats().desk().shown()).size() == count &&
           chips->isVisible() == (count > 0);
  });
}

void kill(const std::unique_ptr<QProcess>& program) {
  program->kill();
  program->waitForFinished(kPatience);
}

}  // namespace

class TestSingleInstance : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  WindowFiles m_files;

  StartRequest requestFor(const QStringList& files, const QString& model = {},
                          const QString& perspective = {}) {
    return startRequest(files, model, perspective, {});
  }

 private slots:
  void initTestCase() {
    QVERIFY(m_surroundings.prepare());
    QVERIFY(m_files.make());
  }
  void init() { QSettings().clear(); }

  void aLaterStartHandsOverAndEnds() {
    const User user;
    const auto window = user.start({"--perspective", "step"});
    QVERIFY(window);
    QVERIFY(waitUntil([&] { return user.kept().contains("last=") && user.sockets().size() == 1; }));
    const QDir models = QFileInfo(m_files.model()).dir();
    const auto later = user.start({QFileInfo(m_files.model()).fileName()}, models.path());
    QVERIFY(later);
    QVERIFY(endsWell(later));
    QVERIFY(later->readAllStandardError().contains("--new-instance"));
    QVERIFY(waitUntil([&] { return user.kept().contains("last=" + m_files.model().toUtf8()); }));
    const auto bare = user.start({});
    QVERIFY(bare && endsWell(bare));
    QVERIFY(isRunning(window));
    kill(window);
  }

  void newInstanceHasAWindowOfItsOwn() {
    const User user;
    const auto window = user.start({"--perspective", "step"});
    QVERIFY(window && waitUntil([&] { return user.kept().contains("last="); }));
    const auto other = user.start({"--new-instance", "--model", m_files.model()});
    QVERIFY(other && waitUntil([&] { return user.kept().contains("last=" + m_files.model().toUtf8()); }));
    QVERIFY(isRunning(other) && isRunning(window));
    kill(other);
    // The first one listens still.
    const auto later = user.start({});
    QVERIFY(later && endsWell(later));
    kill(window);
  }

  void optionsOfQtBringAWindowOfTheirOwn() {
    const User user;
    const auto window = user.start({"--perspective", "step"});
    QVERIFY(window && waitUntil([&] { return user.kept().contains("last="); }));
    const auto other = user.start({"-style", "windows", "--model", m_files.model()});
    QVERIFY(other && waitUntil([&] { return user.kept().contains("last=" + m_files.model().toUtf8()); }));
    QVERIFY(isRunning(other) && isRunning(window));
    kill(other);
    kill(window);
  }

  void afterAKillTheNextStartHasTheWindow() {
    const User user;
    const auto dead = user.start({"--perspective", "step"});
    QVERIFY(dead && waitUntil([&] { return user.kept().contains("last="); }));
    kill(dead);
    QCOMPARE(user.sockets().size(), 1);
    const auto window = user.start({m_files.model()});
    QVERIFY(window && waitUntil([&] { return user.kept().contains("last=" + m_files.model().toUtf8()); }));
    const auto later = user.start({});
    QVERIFY(later && endsWell(later));
    QVERIFY(isRunning(window));
    window->terminate();
    QVERIFY(waitUntil([&] { return !isRunning(window); }));
  }

  // One window, or two that both work; never none, and none that hangs.
  void startsAtOnce() {
    const User user;
    std::vector<std::unique_ptr<QProcess>> starts;
    constexpr int kStarts = 3;
    for (int i = 0; i < kStarts; ++i) starts.push_back(user.start({"--perspective", "step"}));
    const auto running = [&] { return std::count_if(starts.begin(), starts.end(), isRunning); };
    QVERIFY(waitUntil([&] { return user.kept().contains("last="); }));
    waitUntil([&] { return running() == 1; }, 20000);
    QVERIFY(running() >= 1);
    for (const auto& start : starts)
      if (!isRunning(start)) QCOMPARE(start->exitCode(), 0);
    const auto later = user.start({m_files.model()});
    QVERIFY(later && endsWell(later));
    QVERIFY(waitUntil([&] { return user.kept().contains("last=" + m_files.model().toUtf8()); }));
    for (const auto& start : starts) kill(start);
  }

  void workWithoutAWindowNeverListens() {
    const User user;
    const auto tour = user.start({"--tour", user.path("pictures")});
    QVERIFY(tour && waitUntil([&] { return !QDir(user.path("pictures")).isEmpty(); }));
    QVERIFY(user.sockets().isEmpty());
    kill(tour);
  }

  void whatIsHandedIsOpened() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.showMinimized();
    HandedStart handed(w.window);
    const StartRequest trace = requestFor({m_files.trace()}, m_files.model());
    QVERIFY(handed.takes(trace));
    handed.open(trace);  // of files and a model the files, as at a start
    QVERIFY(waitForMode(w.window, MachineMode::kEmpty));
    QVERIFY(!w.window.isMinimized() && QTest::qWaitForWindowActive(&w.window));
    handed.open(requestFor({}, m_files.model(), "chat"));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(w.window.panels().chat->isVisible());
    QCOMPARE(Settings().lastModel(), m_files.model());
  }

  void filesForTheChatGoToTheMessage() {
    ChatWindow w(8);
    QVERIFY(w.openModel());
    const QTemporaryDir folder;
    HandedStart(w.window).open(requestFor({write(folder, "notes.txt", "Notes.\n")}));
    QVERIFY(hasChips(w, 1));
  }

  // The first start of all, with files of no kind that is opened: a chat with them is in front, in place of
  // the first page, and its model is there.
  void aFirstStartWithTextsBeginsAChat() {
    ShownWindow w;
    const QTemporaryDir folder;
    const QStringList texts = {write(folder, "notes.txt", "A fox lives here.\n"),
                               write(folder, "code.json", "{\"rows\": [1]}\n")};
    HandedStart(w.window).begin(requestFor(texts));
    QVERIFY(w.window.findChild<WelcomeDialog*>() == nullptr);
    const ChatView* const chat = w.window.panels().chat;
    QVERIFY(chat->isVisible() && w.window.chats().isAlone());
    QVERIFY(hasChips(w, 2));
    QVERIFY2(!w.window.messages().isVisible(), qPrintable(w.window.messages().text()));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused) && Settings().lastModel().isEmpty());
    QVERIFY(chat->input()->hasFocus());
    QTest::keyClicks(chat->input(), "Who?");
    QTest::keyClick(chat->input(), Qt::Key_Return);
    const ChatModel& rows = *w.window.panels().chatModel;
    QVERIFY(waitUntil([&] { return rows.rowCount() == 2; }));
    const QuestionParts sent = questionParts(rows.at(0).text);
    QCOMPARE(sent.question, QString("Who?"));
    QCOMPARE(sent.files.size(), 2u);
  }

  void aStartAsksTheModelThatIsNamed() {
    ShownWindow w;
    const QTemporaryDir folder;
    HandedStart(w.window).begin(
        requestFor({write(folder, "notes.txt", "Notes.\n")}, m_files.model(), "present"));
    QVERIFY(hasChips(w, 1));  // no conversation is in sight in that perspective
    QVERIFY(w.window.chats().isAlone());
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QCOMPARE(Settings().lastModel(), m_files.model());
  }

  void aStartSaysWhatCannotGo_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("mend");
    QTest::newRow("a picture") << "photo.png" << QByteArray("\x89PNG\r\n\x1a\n....")
                               << "photo.png is a picture (PNG)."
                               << "a vision model would be needed";
    QTest::newRow("no text") << "nul.bin" << QByteArray("a\0b", 3) << "nul.bin is not a text file."
                             << "can go with a message";
    QTest::newRow("no file") << "none.txt" << QByteArray() << "none.txt"
                             << "Check the path";
  }
  void aStartSaysWhatCannotGo() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    QFETCH(QString, mend);
    ShownWindow w;
    const QTemporaryDir folder;
    const QString file = bytes.isEmpty() ? folder.filePath(name) : write(folder, name, bytes);
    HandedStart(w.window).begin(requestFor({file}));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(waitUntil([&] { return w.window.messages().isVisible(); }));
    const QString text = w.window.messages().text();
    QVERIFY2(text.contains(said) && text.contains(mend), qPrintable(text));
    QVERIFY(hasChips(w, 0));
  }

  // The chat that a crash has cut is in front at the next start. A file is no word in it, and it goes on
  // where it was cut.
  void afterACrashAStartWithATextBeginsAChat() {
    const QTemporaryDir folder;
    const QString chats = folder.filePath("chats.sqlite"), copy = folder.filePath("cut.sqlite");
    ChatId cut = 0;
    {
      ChatWindow before(64, chats);
      QVERIFY(before.openModel() && before.askAndHold("Hello!"));
      for (int i = 0; i < 4; ++i) before.window.host().step();
      QVERIFY(waitUntil([&] { return !before.chat().at(1).text.isEmpty(); }));
      before.desk().history().flush();
      cut = before.desk().shown();
      for (const QString& end : {QString(), QStringLiteral("-wal")})  // as they are at a kill
        if (QFile::exists(chats + end)) QVERIFY(QFile::copy(chats + end, copy + end));
    }
    ChatWindow w(8, copy);
    QCOMPARE(w.desk().shown(), cut);
    HandedStart(w.window).begin(requestFor({write(folder, "notes.txt", "Notes.\n")}));
    QVERIFY(hasChips(w, 1));
    QCOMPARE(w.desk().shown(), ChatId{0});
    QVERIFY(w.view().isVisible() && waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(w.window.chats().controller().files().of(cut).empty());
    QVERIFY(w.desk().open(cut));
    QVERIFY(hasChips(w, 0));
    const QString text = w.chat().at(1).text;
    QVERIFY(w.press("Continue"));
    QVERIFY(w.answered(2));
    QVERIFY2(w.chat().at(1).text.startsWith(text) && w.chat().at(1).text != text,
             qPrintable(w.chat().at(1).text));
  }

  // A conversation that was left is not continued behind the person's back.
  void outOfSightAnotherChatBegins() {
    ChatWindow w(4);
    QVERIFY(w.openModel());
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    w.window.showPerspective(Perspective::kStep);
    QVERIFY(!w.view().isVisible());
    const QTemporaryDir folder;
    HandedStart(w.window).open(requestFor({write(folder, "notes.txt", "Notes.\n")}));
    QVERIFY(hasChips(w, 1));
    QCOMPARE(w.desk().shown(), ChatId{0});
    QVERIFY(w.view().isVisible() && w.window.chats().isAlone());
  }

  void theFirstPageGoesForWhatIsHanded_data() {
    QTest::addColumn<QString>("perspective");
    QTest::addColumn<bool>("file");
    QTest::newRow("a trace") << QString() << true;
    QTest::newRow("a perspective") << QStringLiteral("chat") << false;
  }
  void theFirstPageGoesForWhatIsHanded() {
    QFETCH(QString, perspective);
    QFETCH(bool, file);
    ShownWindow w;
    QVERIFY(w.window.welcome().openAtFirstStart());
    HandedStart handed(w.window);
    const StartRequest request =
        requestFor(file ? QStringList{m_files.trace()} : QStringList(), {}, perspective);
    QVERIFY(handed.takes(request));
    handed.open(request);
    QVERIFY(waitUntil([&] { return w.window.findChild<WelcomeDialog*>() == nullptr; }));
    if (file)
      QVERIFY(waitUntil([&] { return w.window.session().recording().size() > 0; }));
    else
      QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QCOMPARE(w.window.host().mode(), file ? MachineMode::kEmpty : MachineMode::kPaused);
  }

  void theFirstPageStaysForNothing() {
    ShownWindow w;
    QVERIFY(w.window.welcome().openAtFirstStart());
    HandedStart(w.window).open(requestFor({}));
    QTest::qWait(50);
    QVERIFY(w.window.findChild<WelcomeDialog*>());
  }

  // What is opened behind a question could change what is asked.
  void aDialogThatWaitsRefuses() {
    ShownWindow w;
    HandedStart handed(w.window);
    QInputDialog question(&w.window);
    question.open();
    QVERIFY(!handed.takes(requestFor({m_files.trace()})));
    QVERIFY(handed.takes(requestFor({})));  // it comes to the front
    question.reject();
    QVERIFY(handed.takes(requestFor({m_files.trace()})));
  }

  void pathsAreWholeAndByteForByte() {
    const StartRequest request = requestFor({"a b.vitrine", "/c"}, "models/x", "step");
    const std::string here = QDir::currentPath().toStdString() + '/';
    QCOMPARE(request.files, (std::vector<std::string>{here + "a b.vitrine", "/c"}));
    QCOMPARE(request.model, here + "models/x");
    QVERIFY(toStartMessage(request));
  }
};

QTEST_MAIN(TestSingleInstance)
#include "tst_single_instance.moc"
