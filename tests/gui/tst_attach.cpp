// Watching a server's engine in another window: every step is the same state there and on a page, a viewer
// that goes disturbs nothing, and a server that was gone is found again.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>
#include <memory>
#include <nlohmann/json.hpp>

#include "gui/bars/machine_bar.h"
#include "gui/bars/status_strip.h"
#include "gui/parts/message_bar.h"
#include "gui/runs/attach_dialog.h"
#include "gui/runs/run_archive.h"
#include "server/model_service.h"
#include "server/raw_socket.h"
#include "support/window_bench.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

watch::ServerPlace at(int port) { return {"127.0.0.1", port, ""}; }

// One whose engine is watched: a scenario that a person steps.
class Teacher : public ShownWindow {
 public:
  bool begin() {
    window.openScenario(QStringLiteral("six-blocks"));
    if (!waitUntil([this] { return !live().waiting.empty() && isPaused(); })) return false;
    return !window.serving().start({QStringLiteral("127.0.0.1"), 0, {}, {}});
  }
  int port() { return window.serving().place().section(u':', -1).toInt(); }
  QString digest() { return window.status().digestText(); }
};

// One that watches.
class Student : public ShownWindow {
 public:
  explicit Student(int port) { window.attach(at(port)); }
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

  void theDialogFits() {
    failOnWarnings();
    AttachDialog dialog({}, nullptr);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    for (const QLabel* label : dialog.findChildren<QLabel*>())
      if (label->wordWrap())
        QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    for (const QLineEdit* line : dialog.findChildren<QLineEdit*>())
      QVERIFY(line->height() >= line->minimumSizeHint().height());
  }
};

QTEST_MAIN(TestAttach)
#include "tst_attach.moc"
