// Watching a server's engine in another window: every step is the same state there and on a page, a viewer
// that goes disturbs nothing, and a server that was gone is found again.
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>
#include <memory>
#include <nlohmann/json.hpp>

#include "gui/bars/machine_bar.h"
#include "gui/bars/status_strip.h"
#include "gui/parts/message_bar.h"
#include "gui/runs/attach_dialog.h"
#include "gui/runs/remote_steering.h"
#include "gui/runs/request_dialog.h"
#include "gui/runs/run_archive.h"
#include "server/model_service.h"
#include "server/raw_socket.h"
#include "support/window_bench.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

watch::ServerPlace at(int port, const std::string& token = {}) { return {"127.0.0.1", port, token}; }
const QString kToken = QStringLiteral("0123456789abcdef"), kWatchToken = QStringLiteral("fedcba9876543210");

// One whose engine is watched: a scenario that a person steps.
class Teacher : public ShownWindow {
 public:
  bool begin(const QString& token = {}, const QString& watchToken = {}) {
    window.openScenario(QStringLiteral("six-blocks"));
    if (!waitUntil([this] { return !live().waiting.empty() && isPaused(); })) return false;
    return !window.serving().start({QStringLiteral("127.0.0.1"), 0, token, watchToken});
  }
  int port() { return window.serving().place().section(u':', -1).toInt(); }
  QString digest() { return window.status().digestText(); }
};

// One that watches.
class Student : public ShownWindow {
 public:
  explicit Student(int port, const QString& token = {}) { window.attach(at(port, token.toStdString())); }
  RemoteSteering& steering() { return window.steering(); }
  bool comesTo(MachineMode mode) {
    return waitUntil([this, mode] { return steering().mode() == mode; });
  }
  RemoteRun& remote() { return window.archive().remote(); }
  QString digest() { return window.status().digestText(); }
  bool shows(const QString& digest) {
    return waitUntil([&] { return this->digest() == digest; });
  }
};

}  // namespace

class TestAttach : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void eachStepIsTheSameEverywhere() {
    Teacher teacher;
    QVERIFY(teacher.begin());
    auto first = std::make_unique<Student>(teacher.port());
    QVERIFY(first->shows(teacher.digest()));
    RawSocket page(teacher.port(), "/v1/page");
    QCOMPARE(page.answer.status, 101);
    const auto pageShows = [&](const QString& digest) {
      const std::string wanted = "\"digest\":\"" + digest.section(u' ', 1).toStdString();
      while (const auto message = page.read())
        if (message->find(wanted) != std::string::npos) return true;
      return false;
    };
    std::unique_ptr<Student> second;
    for (int step = 1; step <= 12; ++step) {
      QVERIFY(teacher.stepTimes(1));
      if (step == 4) second = std::make_unique<Student>(teacher.port());  // comes late
      if (step == 9) first.reset();                                       // is killed
      const QString digest = teacher.digest();
      if (first) QVERIFY(first->shows(digest));
      if (second) QVERIFY(second->shows(digest));
      QVERIFY(pageShows(digest));
    }
    QCOMPARE(second->window.session().step(), 12);
    QVERIFY(second->live() == teacher.live());
    QVERIFY(second->window.host().mode() == MachineMode::kEmpty);  // nothing is computed there
    // It may look back, and stays there while the machine goes on.
    second->window.back();
    QVERIFY(!second->window.session().isLive());
    QVERIFY(teacher.stepTimes(1));
    QVERIFY(waitUntil([&] { return second->window.session().recording().lastFinishedStep() == 13; }));
    QCOMPARE(second->window.session().step(), 11);
  }

  // With the server's own token a window far away has its commands.
  void aWindowFarAwaySteers() {
    Teacher teacher;
    QVERIFY(teacher.begin(kToken, kWatchToken));
    Student far(teacher.port(), kToken);
    QVERIFY(far.comesTo(MachineMode::kPaused) && far.shows(teacher.digest()));
    MachineBar& bar = far.window.bar();
    QVERIFY(bar.step->isEnabled() && !bar.phase->isEnabled() && !bar.reset->isEnabled());
    for (int step = 1; step <= 3; ++step) {
      bar.step->trigger();
      QVERIFY(waitUntil([&] { return far.window.session().recording().lastFinishedStep() == step; }));
      // The far window may be told of the step before the machine's own one is.
      QVERIFY(waitUntil([&] {
        return teacher.isPaused() && teacher.window.session().recording().lastFinishedStep() == step;
      }));
      QVERIFY(far.shows(teacher.digest()));
    }
    QVERIFY(!teacher.isIdle());
    bar.runPause->trigger();
    QVERIFY(waitUntil([&] { return teacher.isIdle() && far.isIdle(); }));
    QVERIFY(far.comesTo(MachineMode::kRunning));
    QCOMPARE(bar.runPause->text(), QStringLiteral("Pause"));
    bar.runPause->trigger();  // a later request waits
    QVERIFY(far.comesTo(MachineMode::kPaused));
    QVERIFY(!teacher.window.host().goesOn());
    const std::size_t before = far.live().requests.size();
    far.steering().submit(QStringLiteral("What is a block?"), 4);
    QVERIFY(waitUntil([&] { return far.live().waiting.size() == 1; }));
    QCOMPARE(far.live().requests.size(), before + 1);
    QVERIFY(bar.runPause->isEnabled());
    bar.runPause->trigger();
    QVERIFY(waitUntil([&] { return far.isIdle(); }));
    QVERIFY(far.live() == teacher.live());
  }

  void aWindowThatWatchesDoesNotSteer() {
    Teacher teacher;
    QVERIFY(teacher.begin(kToken, kWatchToken));
    Student student(teacher.port(), kWatchToken);
    QVERIFY(student.shows(teacher.digest()));
    for (const QAction* action : {student.window.bar().step, student.window.bar().runPause})
      QVERIFY(!action->isEnabled() && action->toolTip().contains(QStringLiteral("watched")));
    student.window.step();
    student.window.run();
    student.steering().submit(QStringLiteral("What is a block?"), 4);
    QVERIFY(!student.steering().isPossible());
    QCOMPARE(teacher.window.session().step(), 0);
    // The server's word counts, whatever a window takes itself for.
    Student far(teacher.port(), kToken);
    QVERIFY(far.comesTo(MachineMode::kPaused));
    teacher.window.serving().stop();
    QVERIFY(far.comesTo(MachineMode::kEmpty));
  }

  // An answer that cannot be given is said.
  void aRequestThatIsRefusedIsSaid() {
    Service service;
    Student student(service.port());
    QVERIFY(student.comesTo(MachineMode::kRunning));
    student.steering().submit(QString(5000, u'a') + QStringLiteral(" b").repeated(5000), 4);
    QVERIFY(waitUntil([&] {
      return student.window.messages().textOf(MessageCause::kMachine).contains(QStringLiteral("refused"));
    }));
  }

  void aServerThatWasGoneIsFoundAgain() {
    Teacher teacher;
    QVERIFY(teacher.begin());
    const int port = teacher.port();
    Student student(port);
    QVERIFY(student.shows(teacher.digest()));
    QSignalSpy lost(&student.remote(), &RemoteRun::noticed), found(&student.remote(), &RemoteRun::found);
    teacher.window.serving().stop();
    QVERIFY(waitUntil([&] { return lost.count() > 0; }));
    QVERIFY(student.remote().isOpen() && !student.remote().isConnected());
    QVERIFY(!student.window.messages().textOf(MessageCause::kOpened).isEmpty());
    QVERIFY(teacher.stepTimes(2));
    QVERIFY(waitUntil([&] { return teacher.window.serving().state() == Serving::State::kOff; }));
    QVERIFY(!teacher.window.serving().start({QStringLiteral("127.0.0.1"), port, {}, {}}));
    QVERIFY(waitUntil([&] { return found.count() > 0; }));
    QVERIFY(student.shows(teacher.digest()));
    QVERIFY(student.window.messages().textOf(MessageCause::kOpened).isEmpty());
  }

  // Where nothing can be shown, the window has the built-in model, and says why.
  void aServerThatIsNotThereIsSaid() {
    QTcpServer none;
    QVERIFY(none.listen(QHostAddress::LocalHost));
    const int port = none.serverPort();
    none.close();
    Student student(port);
    QVERIFY(waitForMode(student.window, MachineMode::kPaused));
    QVERIFY(!student.remote().isOpen());
    const QString wanted = QStringLiteral("127.0.0.1:%1").arg(port);
    QVERIFY(waitUntil(
        [&] { return student.window.messages().textOf(MessageCause::kBuiltinInstead).contains(wanted); }));
  }

  void aModelThatIsOpenedEndsTheWatching() {
    Service service;
    Student student(service.port());
    QVERIFY(waitUntil([&] { return student.remote().isConnected(); }));
    QVERIFY(student.openModel());
    QVERIFY(!student.remote().isOpen());
  }

  void addressesAreRead() {
    const auto place = [](const char* text) { return serverPlace(QString::fromUtf8(text)); };
    QCOMPARE(place("10.0.0.5")->port, 8000);
    QCOMPARE(place("10.0.0.5:9000")->port, 9000);
    QCOMPARE(place(" http://host:1/v1 ")->host, std::string("host"));
    QCOMPARE(place("http://[::1]:8000/")->host, std::string("::1"));
    QCOMPARE(place("http://host:8000/#token=a%2Bb")->token, std::string("a+b"));
    for (const char* const none : {"", " ", "https://host", "ftp://host", "http://", "two words"})
      QVERIFY2(!place(none), none);
    AttachDialog dialog({}, nullptr);
    QVERIFY(!dialog.watch()->isEnabled());
    dialog.address()->setText("host:1/#token=from-the-link");
    QVERIFY(dialog.watch()->isEnabled());
    QCOMPARE(dialog.place()->token, std::string("from-the-link"));
    dialog.token()->setText("typed");
    QCOMPARE(dialog.place()->token, std::string("typed"));
  }

  void aRequestIsAskedFor() {
    RequestDialog dialog(QStringLiteral("host:1"));
    QVERIFY(!dialog.send()->isEnabled());
    dialog.text()->setPlainText(QStringLiteral("  What is a block?\n"));
    QVERIFY(dialog.send()->isEnabled());
    QCOMPARE(dialog.message(), QStringLiteral("What is a block?"));
    fits(dialog);
  }

  void theDialogFits() {
    AttachDialog dialog({}, nullptr);
    fits(dialog);
  }

 private:
  void fits(QDialog& dialog) {
    failOnWarnings();
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    for (const QLabel* label : dialog.findChildren<QLabel*>())
      if (label->wordWrap())
        QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    for (const QLineEdit* line : dialog.findChildren<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly))
      QVERIFY(line->height() >= line->minimumSizeHint().height());
  }
};

QTEST_MAIN(TestAttach)
#include "tst_attach.moc"
