// Closing: by the window's button, by Quit, and right after every verb, in every state, the program ends at
// once: no load, step or file holds it up, and nothing that the window owned is used after it.
#include <QCloseEvent>
#include <QPointer>
#include <QSettings>
#include <QTimer>
#include <QWindow>

#include "gui/runs/run_archive.h"
#include "gui/window_states.h"
#include "gui/window_verbs.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// On an idle computer it takes a tenth of a second, and the longest time is printed; two seconds are what a
// user may see. A busy computer gets its time: what hangs takes longer than this.
constexpr int kClosingMs = 30000;

}  // namespace

class TestWindowClosing : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;
  WindowFiles m_files;
  qint64 m_longest = 0;
  QByteArray m_longestCase;

  static std::vector<WindowState> windowStates() {
    std::vector<WindowState> all = machineStates();
    for (WindowState& state : recordingStates()) all.push_back(std::move(state));
    return all;
  }
  std::unique_ptr<StateWindow> newWindow() const { return std::make_unique<StateWindow>(m_files); }

  // The program's own loop runs until `end` closes the window; then the window goes, as at the end of main().
  void closeBy(std::unique_ptr<StateWindow> w, const std::function<void(MainWindow&)>& end) {
    QElapsedTimer time;
    time.start();
    QTimer::singleShot(0, &w->window, [&] { end(w->window); });
    QTimer hangs;
    hangs.setSingleShot(true);
    connect(&hangs, &QTimer::timeout, qApp, [] { QCoreApplication::exit(1); });
    hangs.start(kClosingMs);
    const int code = QApplication::exec();
    QVERIFY2(code == 0, "the loop did not end with its window");
    w.reset();
    const qint64 ms = time.elapsed();
    QVERIFY2(ms < kClosingMs, QByteArray::number(ms));
    if (ms <= m_longest) return;
    m_longest = ms;
    m_longestCase = QTest::currentDataTag() ? QTest::currentDataTag() : QTest::currentTestFunction();
  }
  // A dialog that takes the window's input also keeps its button from closing it; the session's end does not.
  static void pressClose(MainWindow& window) {
    if (QApplication::activeModalWidget())
      window.close();
    else
      window.windowHandle()->close();
  }
  static void giveQuit(MainWindow& window) {
    for (QAction* action : window.findChildren<QAction*>())
      if (nameOf(*action) == QLatin1String("Model/Quit")) return action->trigger();
  }

 private slots:
  void initTestCase() {
    QVERIFY(m_surroundings.prepare());
    QVERIFY(m_files.make());
  }
  void init() { QSettings().clear(); }
  void cleanupTestCase() {
    qInfo("the longest closing took %lld ms: %s", m_longest, m_longestCase.constData());
  }

  void everyStateEndsAtOnce_data() {
    QTest::addColumn<int>("state");
    QTest::addColumn<bool>("byQuit");
    const std::vector<WindowState> all = windowStates();
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const bool byQuit : {false, true})
        QTest::addRow("%s, by %s", all[i].name, byQuit ? "Quit" : "its button") << int(i) << byQuit;
  }
  void everyStateEndsAtOnce() {
    QFETCH(int, state);
    QFETCH(bool, byQuit);
    auto w = newWindow();
    QVERIFY(windowStates().at(std::size_t(state)).reach(*w));
    closeBy(std::move(w), byQuit ? giveQuit : pressClose);
  }

  void rightAfterEveryVerb_data() {
    QTest::addColumn<int>("verb");
    const std::vector<WindowVerb> all = windowVerbs();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::addRow("%s", qPrintable(all[i].name)) << int(i);
  }
  void rightAfterEveryVerb() {
    QFETCH(int, verb);
    auto w = newWindow();
    QVERIFY(w->hasRun());
    windowVerbs().at(std::size_t(verb)).act(*w);
    closeBy(std::move(w), [](MainWindow& window) { window.close(); });
  }

  // Every panel that a command shows, and every view as a table, once.
  void withEveryLook() {
    auto w = newWindow();
    QVERIFY(w->hasRun());
    for (const WindowCommand& command : commandsOf(w->window))
      if (command.looksOnly) command.give();
    QVERIFY(w->comesToRest());
    closeBy(std::move(w), giveQuit);
  }

  // Views hear of the focus that they lose with the window, and then speak to the session.
  void theWindowIsOutOfSightBeforeWhatItShowsIsGone() {
    auto w = newWindow();
    QPointer<MainWindow> window = &w->window;
    bool seen = true;
    connect(&window->session(), &QObject::destroyed, this,
            [&] { seen = window.isNull() || window->isVisible(); });
    QVERIFY(window->isVisible());
    w.reset();
    QVERIFY(!seen);
  }

  // A window that is destroyed while it is shown, as when the program ends otherwise.
  void withoutClosing() {
    auto w = newWindow();
    QVERIFY(w->hasRun());
    for (const WindowCommand& command : commandsOf(w->window))
      if (command.name.endsWith(QLatin1String("Show as a table"))) command.give();
    w.reset();
  }
};

QTEST_MAIN(TestWindowClosing)
#include "tst_window_closing.moc"
