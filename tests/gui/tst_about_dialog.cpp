// What the Help menu says about the program: the libraries with their licences, the diagnostics, which have
// nothing private in them, and the list of keys.
#include "gui/help/about_dialog.h"

#include <QClipboard>
#include <QDir>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QTreeWidget>

#include "gui/chat/chats.h"
#include "gui/commands/shortcuts_dialog.h"
#include "gui/help/built_with.h"
#include "gui/help/diagnostics.h"
#include "gui/parts/message_bar.h"
#include "support/window_bench.h"
#include "vitrine/program_files.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

void choose(MainWindow& window, const QString& menuEntry) {
  for (QAction* action : window.findChildren<QAction*>())
    if (QString(action->text()).remove(u'&') == menuEntry) return action->trigger();
  QFAIL("no such command");
}

// Of the menus, each key as the list would show it.
QStringList menuKeys(const QWidget& window) {
  QStringList keys;
  for (const QMenu* menu : window.findChildren<QMenu*>())
    for (const QAction* action : menu->actions())
      if (!action->shortcut().isEmpty() && action->isVisible())
        keys += QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
  return keys;
}

int shownEntries(const QTreeWidget& list) {
  int count = 0;
  for (int g = 0; g < list.topLevelItemCount(); ++g)
    for (int i = 0; i < list.topLevelItem(g)->childCount(); ++i)
      count += !list.topLevelItem(g)->isHidden() && !list.topLevelItem(g)->child(i)->isHidden() ? 1 : 0;
  return count;
}

}  // namespace

class TestAboutDialog : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void librariesHaveLicencesAndVersions() {
    QStringList names, withoutVersion;
    for (const UsedLibrary& one : builtWith()) {
      QVERIFY2(!one.licence.isEmpty() && !one.use.isEmpty(), qPrintable(one.name));
      names += one.name;
      if (one.version.isEmpty())
        withoutVersion += one.name;
      else
        QVERIFY2(one.version[0].isDigit(), qPrintable(one.name + ' ' + one.version));
    }
    for (const char* name : {"Qt", "QCustomPlot", "SQLite", "MD4C", "GNU Source-highlight", "SentencePiece",
                             "libtorch", "nlohmann-json", "CLI11", "PCRE2", "utf8proc", "Highway",
                             "Zstandard", "libzip", "prometheus-cpp", "ZeroMQ"})
      QVERIFY2(names.contains(QLatin1String(name)), name);
    for (const char* name :
         {"Qt", "QCustomPlot", "SQLite", "MD4C", "PCRE2", "Zstandard", "libzip", "nlohmann-json"})
      QVERIFY2(!withoutVersion.contains(QLatin1String(name)), name);
  }

  // A chat, a failed load from a folder of the user, and an option that names a folder: all are in the
  // window's memory when the diagnostics are made.
  void diagnosticsHaveNothingPrivate() {
    qputenv("USER", "zacharias-testperson");
    qputenv("LOGNAME", "zacharias-testperson");
    const QString secret = QStringLiteral("Marigold confession"), title = QStringLiteral("Pomegranate plans");
    ShownWindow w;
    QVERIFY(w.openModel());
    Desk& desk = w.window.chats().desk();
    const ChatId chat = desk.history().createChat();
    desk.history().addMessage(chat, 0, MessageRole::kUser, secret);
    QVERIFY(desk.history().rename(chat, title) && desk.open(chat));
    const QString folder = QDir::homePath() + QStringLiteral("/zacharias-testperson/no-such-model");
    w.window.openModel(folder);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.messages().isVisible(), kPatience);
    QVERIFY(w.window.messages().text().contains(QStringLiteral("no-such-model")));
    QVERIFY(!w.window.messages().codes().isEmpty());
    choose(w.window, QStringLiteral("About Vitrine"));
    auto* dialog = w.window.findChild<AboutDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    dialog->copyButton()->click();
    const QString text = QApplication::clipboard()->text();
    QCOMPARE(text, dialog->diagnostics()->toPlainText());
    QCOMPARE(dialog->pages()->currentWidget(), dialog->diagnostics());
    for (const QString& hidden : {secret, title, QDir::homePath(), QStringLiteral("zacharias-testperson"),
                                  QStringLiteral("no-such-model"), QDir::tempPath(),
                                  QString::fromStdString(builtinModelDirectory().string()),
                                  QSysInfo::machineHostName() + QStringLiteral("/")})
      QVERIFY2(!text.contains(hidden, Qt::CaseInsensitive), qPrintable(hidden + " in " + text));
    const EngineLoaded& engine = *w.window.session().engine();
    for (const QString& told :
         {QString::fromLatin1(version()), QString::fromLatin1(qVersion()),
          QString::fromStdString(engine.device), QString::number(engine.model.layers) + " layers",
          QString::number(engine.model.vocabularySize), w.window.messages().codes().last(),
          QStringLiteral("Theme: desktop, text 100 %"), QStringLiteral("Options: defaults")})
      QVERIFY2(text.contains(told), qPrintable(told + " in " + text));
  }

  void aFolderAmongTheOptionsIsNotTold() {
    DiagnosticsFacts facts;
    facts.options = Settings::defaultEngineOptions();
    facts.options.swapFolder = "/home/zacharias-testperson/swap";
    facts.options.numBlocks = 77;
    facts.engine.emplace().model.name = "/home/zacharias-testperson/models/llama/";
    const QString text = diagnosticsText(facts);
    QVERIFY2(!text.contains(QLatin1String("zacharias")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1String("num_blocks=77")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1String("=(set)")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1String("Model: llama,")), qPrintable(text));
    facts.engine.reset();
    QVERIFY(diagnosticsText(facts).contains(QLatin1String("Machine: none")));
  }

  void onlyTheLastCodesAreKept() {
    MessageBar bar;
    for (int i = 0; i < 30; ++i)
      bar.say(MessageCause::kMachine, {Notice::kProblem, "message", {}, QString::number(i)});
    QCOMPARE(bar.codes().size(), 10);
    QCOMPARE(bar.codes().last(), QStringLiteral("29"));
  }

  void allKeysOfTheMenusAreListed() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QTest::keyClick(&w.window, Qt::Key_Slash, Qt::ControlModifier);
    auto* dialog = w.window.findChild<ShortcutsDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    QStringList listed;
    for (int g = 0; g < dialog->list()->topLevelItemCount(); ++g)
      for (int i = 0; i < dialog->list()->topLevelItem(g)->childCount(); ++i)
        listed += dialog->list()->topLevelItem(g)->child(i)->text(1);
    const QStringList keys = menuKeys(w.window);
    QVERIFY(keys.size() > 15);
    for (const QString& key : keys) QVERIFY2(listed.contains(key), qPrintable(key));
    const QString copy = QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText);
    QVERIFY2(listed.contains(copy), "a key of a view");
    const int all = shownEntries(*dialog->list());
    QTest::keyClicks(dialog->filter(), "clicker");
    QCOMPARE(shownEntries(*dialog->list()), 2);
    dialog->filter()->clear();
    QCOMPARE(shownEntries(*dialog->list()), all);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(waitUntil([&] { return w.window.findChild<ShortcutsDialog*>() == nullptr; }));
  }

  void theyFit_data() {
    QTest::addColumn<int>("percent");
    QTest::newRow("100 %") << 100;
    QTest::newRow("200 %") << 200;
  }
  void theyFit() {
    QFETCH(int, percent);
    const QSize projector(1024, 700);
    const QFont before = QApplication::font();
    QFont larger = before;
    larger.setPointSizeF(before.pointSizeF() * percent / 100);
    QApplication::setFont(larger);
    {
      AboutDialog about(diagnosticsText({}));
      std::vector<ShortcutEntry> keys(
          30, {QStringLiteral("View"), QStringLiteral("Restore default layout"), "F1"});
      ShortcutsDialog shortcuts(keys);
      for (QDialog* dialog : {static_cast<QDialog*>(&about), static_cast<QDialog*>(&shortcuts)}) {
        const QSize least = dialog->minimumSizeHint();
        QVERIFY2(least.width() <= projector.width() && least.height() <= projector.height() - 40,
                 qPrintable(QStringLiteral("%1×%2").arg(least.width()).arg(least.height())));
        dialog->setVisible(true);
        dialog->resize(least.expandedTo({900, 600}).boundedTo(projector));
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        for (const QPushButton* button : dialog->findChildren<QPushButton*>()) {
          QVERIFY(dialog->rect().contains(QRect(button->mapTo(dialog, QPoint()), button->size())));
          QVERIFY(button->width() >= button->sizeHint().width());
        }
        const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
        if (!folder.isEmpty())
          dialog->grab().save(QStringLiteral("%1/%2-%3.png")
                                  .arg(folder, QString(dialog->windowTitle()).replace(u' ', u'-'))
                                  .arg(percent));
      }
    }
    QApplication::setFont(before);
  }
};

QTEST_MAIN(TestAboutDialog)
#include "tst_about_dialog.moc"
