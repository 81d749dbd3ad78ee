// The first page: it comes by itself at the very first start alone, each way leads where it says, by keys,
// and Help brings it back.
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>

#include "gui/help/help_menu.h"
#include "gui/help/welcome_opening.h"
#include "gui/library/models_opening.h"
#include "gui/library/models_window.h"
#include "gui/parts/message_bar.h"
#include "gui/scenario/scenario_line.h"
#include "support/window_bench.h"
#include "widgets/chat/chat_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// The page as the first start shows it, in front.
WelcomeDialog* atFirstStart(MainWindow& window) {
  if (!window.welcome().openAtFirstStart()) return nullptr;
  auto* page = window.findChild<WelcomeDialog*>();
  return page && QTest::qWaitForWindowActive(page) ? page : nullptr;
}

QAction* actionOf(const MainWindow& window, Perspective perspective) {
  const QList<QAction*> all = window.findChildren<QAction*>();
  const auto found = std::ranges::find_if(all, [&](const QAction* action) {
    return action->isCheckable() && action->text() == Perspectives::nameOf(perspective);
  });
  return found == all.end() ? nullptr : *found;
}

bool isGone(const MainWindow& window) {
  return waitUntil([&] { return window.findChild<WelcomeDialog*>() == nullptr; });
}

}  // namespace

class TestWelcome : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_home;  // the window of models searches it

 private slots:
  void initTestCase() {
    QVERIFY(m_surroundings.prepare());
    for (const char* name : {"HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
      qputenv(name, m_home.path().toLocal8Bit());
  }
  void init() { QSettings().clear(); }

  void lookInsideStagesThreeRequests() {
    ShownWindow w(Perspective::kChat);
    WelcomeDialog* page = atFirstStart(w.window);
    QVERIFY(page);
    QVERIFY(page->button(WelcomeChoice::kLookInside)->hasFocus());
    QTest::keyClick(page, Qt::Key_Return);
    QVERIFY(isGone(w.window));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QTRY_COMPARE(w.live().requests.size(), std::size_t{3});
    QVERIFY(!w.window.panels().chat->isVisible() && !Settings().isFirstStart());
  }

  void justChatOpensTheConversation() {
    ShownWindow w;
    WelcomeDialog* page = atFirstStart(w.window);
    QVERIFY(page);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    QVERIFY(page->button(WelcomeChoice::kChat)->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QVERIFY(isGone(w.window));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(w.window.panels().chat->isVisible());
    QVERIFY(w.live().requests.empty());  // nothing is staged that a first message would answer along with it
    QVERIFY(!w.window.welcome().openAtFirstStart());
  }

  void openMyModelShowsTheModels() {
    ShownWindow w;
    WelcomeDialog* page = atFirstStart(w.window);
    QVERIFY(page);
    for (int i = 0; i < 2; ++i) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(page->button(WelcomeChoice::kOwnModel)->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QVERIFY(isGone(w.window));
    auto* models = w.window.findChild<ModelsWindow*>();
    QVERIFY(models && models->isVisible());
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(!Settings().isFirstStart());
  }

  // The keys that lead to a place of the window lead there from the page, too: each as its door does.
  void theKeysOfThePlacesAreItsDoors_data() {
    QTest::addColumn<Qt::Key>("key");
    QTest::addColumn<Perspective>("perspective");
    QTest::addColumn<bool>("stages");
    QTest::newRow("Ctrl+1") << Qt::Key_1 << Perspective::kChat << false;
    QTest::newRow("Ctrl+2") << Qt::Key_2 << Perspective::kStep << true;
    QTest::newRow("Ctrl+4") << Qt::Key_4 << Perspective::kPresent << true;
  }
  void theKeysOfThePlacesAreItsDoors() {
    QFETCH(Qt::Key, key);
    QFETCH(Perspective, perspective);
    QFETCH(bool, stages);
    ShownWindow w;
    WelcomeDialog* page = atFirstStart(w.window);
    QVERIFY(page);
    QTest::keyClick(QApplication::focusWidget(), key, Qt::ControlModifier);
    QVERIFY(isGone(w.window));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    for (const Perspective place : {Perspective::kChat, Perspective::kStep, Perspective::kPresent})
      QCOMPARE(actionOf(w.window, place)->isChecked(), place == perspective);
    QTRY_COMPARE(w.live().requests.size(), stages ? std::size_t{3} : std::size_t{0});
    QVERIFY(!Settings().isFirstStart());
  }

  void theKeyOfTheModelsIsADoor() {
    ShownWindow w;
    WelcomeDialog* page = atFirstStart(w.window);
    QVERIFY(page);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(isGone(w.window));
    const auto* models = w.window.findChild<ModelsWindow*>();
    QVERIFY(models && models->isVisible());
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
  }

  void skippingOpensWhatADefaultStartOpens_data() {
    QTest::addColumn<bool>("byKey");
    QTest::newRow("Esc") << true;
    QTest::newRow("Skip") << false;
  }
  void skippingOpensWhatADefaultStartOpens() {
    QFETCH(bool, byKey);
    ShownWindow w;
    WelcomeDialog* page = atFirstStart(w.window);
    QVERIFY(page);
    byKey ? QTest::keyClick(page, Qt::Key_Escape) : QTest::mouseClick(page->skip(), Qt::LeftButton);
    QVERIFY(isGone(w.window));
    QVERIFY(waitUntil([&] { return w.isPaused() && !w.live().waiting.empty(); }));
    QVERIFY(!w.window.panels().chat->isVisible() && !Settings().isFirstStart());
  }

  // A window that was closed before the first page was made: it was used.
  void itDoesNotComeToOneThatHasUsedTheProgram() {
    {
      ShownWindow w;
      QVERIFY(Settings().isFirstStart());
      w.window.close();
    }
    ShownWindow w;
    QVERIFY(!w.window.welcome().openAtFirstStart());
    QVERIFY(!w.window.findChild<WelcomeDialog*>());
  }

  // No load takes away what is said there: a file of chats that opens well is no news.
  void nothingIsSaidBehindIt() {
    ShownWindow w;
    w.window.keepChatsIn(m_home.filePath("chats.db"));
    QVERIFY(atFirstStart(w.window));
    QVERIFY2(!w.window.messages().isVisible(), qPrintable(w.window.messages().text()));
    w.window.keepChatsIn(m_home.path());  // a folder, which is
    QVERIFY(w.window.messages().isVisible());
    w.window.keepChatsIn(m_home.filePath("chats.db"));
    QVERIFY2(w.window.messages().text().contains("again"), qPrintable(w.window.messages().text()));
  }

  // And changes nothing there when it is left.
  void helpBringsItBack() {
    ShownWindow w(Perspective::kChat);
    QVERIFY(w.openModel());
    Settings().isWelcomed.set(true);
    auto* help = w.window.menuBar()->findChild<HelpMenu*>();
    if (!help) help = w.window.findChild<HelpMenu*>();
    QVERIFY(help);
    for (QAction* action : help->actions())
      if (action->text() == QStringLiteral("&Welcome…")) action->trigger();
    auto* page = w.window.findChild<WelcomeDialog*>();
    QVERIFY(page && QTest::qWaitForWindowActive(page));
    QTest::keyClick(page, Qt::Key_Escape);
    QVERIFY(isGone(w.window));
    QVERIFY(w.window.panels().chat->isVisible() && w.isPaused() && w.live().requests.empty());
  }

  // The program itself: what it keeps tells whether the page was in its way.
  void theProgramShowsItOnce_data() {
    QTest::addColumn<QByteArray>("kept");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<bool>("opensModel");
    QTest::newRow("the first start") << QByteArray() << QStringList() << false;
    QTest::newRow("a later start") << QByteArray("[window]\nwelcomed=true\n") << QStringList() << true;
    QTest::newRow("a perspective is asked for")
        << QByteArray() << QStringList{"--perspective", "chat"} << true;
  }
  void theProgramShowsItOnce() {
    QFETCH(QByteArray, kept);
    QFETCH(QStringList, arguments);
    QFETCH(bool, opensModel);
    const QTemporaryDir home;
    QVERIFY(QDir(home.path()).mkpath("config/Vitrine"));
    const QString settings = home.filePath("config/Vitrine/Vitrine.conf");
    QFile file(settings);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kept) == kept.size());
    file.close();
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"HOME", "XDG_RUNTIME_DIR"})
      environment.insert(QString::fromLatin1(name), home.path());
    for (const char* name : {"config", "data", "cache"})
      environment.insert(QStringLiteral("XDG_%1_HOME").arg(QString::fromLatin1(name).toUpper()),
                         home.filePath(name));
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(VITRINE_PROGRAMS "/vitrine"), arguments);
    QVERIFY(program.waitForStarted(kPatience));
    // A model that was opened is kept as the last one; behind the first page none is opened.
    const auto hasOpened = [&] {
      QFile now(settings);
      return now.open(QIODevice::ReadOnly) && now.readAll().contains("last=");
    };
    if (opensModel)
      QVERIFY(waitUntil(hasOpened));
    else
      QVERIFY(!waitUntil(hasOpened, 1500));
    program.kill();
    QVERIFY(program.waitForFinished(kPatience));
  }

  void itFits_data() {
    QTest::addColumn<int>("percent");
    QTest::newRow("100 %") << 100;
    QTest::newRow("150 %") << 150;
    QTest::newRow("200 %") << 200;
  }
  void itFits() {
    QFETCH(int, percent);
    const QFont before = QApplication::font();
    QFont larger = before;
    larger.setPointSizeF(before.pointSizeF() * percent / 100);
    QApplication::setFont(larger);
    {
      const auto screens = QGuiApplication::screens();
      const auto laptop = std::ranges::find(screens, QStringLiteral("1366x768"), &QScreen::name);
      QVERIFY(laptop != screens.end());
      MainWindow window;
      window.setScreen(*laptop);
      window.move((*laptop)->geometry().topLeft());
      window.show();
      QVERIFY(QTest::qWaitForWindowExposed(&window));
      WelcomeDialog* page = window.welcome().open();
      QVERIFY(QTest::qWaitForWindowExposed(page));
      QVERIFY(waitUntil([&] { return (*laptop)->availableGeometry().contains(page->frameGeometry()); }));
      const QScrollBar* bar = page->findChild<QScrollArea*>()->verticalScrollBar();
      QVERIFY2(percent > 150 || bar->maximum() == 0, qPrintable(QString::number(bar->maximum())));
      for (const WelcomeChoice choice :
           {WelcomeChoice::kOwnModel, WelcomeChoice::kChat, WelcomeChoice::kLookInside}) {
        page->button(choice)->setFocus();
        const int seen = page->button(choice)->visibleRegion().boundingRect().height();
        QVERIFY(seen == page->button(choice)->height());
      }
      for (const QPushButton* button : page->findChildren<QPushButton*>()) {
        QVERIFY(!button->accessibleName().isEmpty() || !button->text().isEmpty());
        for (const QLabel* label : button->findChildren<QLabel*>())
          QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
      }
      const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
      for (const ColourScheme scheme : {ColourScheme::kLight, ColourScheme::kDark}) {
        if (folder.isEmpty()) break;
        window.appearance().setScheme(scheme);
        QTest::qWait(300);  // of the picture
        page->grab().save(QStringLiteral("%1/welcome-%2-%3.png")
                              .arg(folder, QString::number(percent), Appearance::keyOf(scheme)));
      }
    }
    QApplication::setFont(before);
  }
};

QTEST_MAIN(TestWelcome)
#include "tst_welcome.moc"
