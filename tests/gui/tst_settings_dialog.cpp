// The dialog of settings in the window: it is made of the table, a change holds at once and after the next
// start, menus and dialog say the same, each setting goes back to its default, the search finds and lights,
// and what is wrong is said and not taken.
#include "gui/settings/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSet>
#include <QTemporaryDir>
#include <QToolButton>

#include "gui/chat/chat_menu.h"
#include "gui/chat/chats.h"
#include "gui/commands/command_palette.h"
#include "gui/library/models_download.h"
#include "gui/library/models_opening.h"
#include "gui/library/models_window.h"
#include "gui/settings/engine_options_dialog.h"
#include "gui/settings/setting_row.h"
#include "gui/window/settings_opening.h"
#include "support/window_bench.h"
#include "widgets/sampler/sampler_controls.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// Opened by its key.
SettingsDialog* opened(MainWindow& window) {
  window.activateWindow();
  if (!QTest::qWaitForWindowActive(&window)) return qWarning("the window does not become active"), nullptr;
  QTest::keyClick(&window, Qt::Key_Comma, Qt::ControlModifier);
  auto* dialog = window.findChild<SettingsDialog*>();
  if (!dialog) return qWarning("the key opens nothing"), nullptr;
  return waitUntil([&] { return dialog->filter()->hasFocus(); }) ? dialog : nullptr;
}

SettingRow* rowOf(const SettingsDialog& dialog, const char* key) {
  for (SettingRow* row : dialog.rows())
    if (row->setting().key == QLatin1String(key)) return row;
  qFatal("no setting has the key %s", key);
}

int shownRows(const SettingsDialog& dialog) {
  return static_cast<int>(
      std::ranges::count_if(dialog.rows(), [](const SettingRow* row) { return row->isVisible(); }));
}

QAction* menuAction(const MainWindow& window, const QString& text) {
  for (QAction* action : window.findChildren<QAction*>())
    if (plainTitle(action->text()) == text && qobject_cast<QMenu*>(action->parent())) return action;
  return nullptr;
}

void type(QWidget* line, const QString& text) {
  qobject_cast<QLineEdit*>(line)->setFocus();
  qobject_cast<QLineEdit*>(line)->selectAll();
  QTest::keyClick(line, Qt::Key_Delete);
  QTest::keyClicks(line, text);
  QTest::keyClick(line, Qt::Key_Return);
}

// By one key where there is one, to something else than the default.
void changeByKeys(const SettingRow& row, const QString& folder) {
  QWidget* const field = row.field();
  if (qobject_cast<QCheckBox*>(field)) return QTest::keyClick(field, Qt::Key_Space);
  if (qobject_cast<QComboBox*>(field)) return QTest::keyClick(field, Qt::Key_Down);
  if (row.setting().key == QLatin1String("download_folder")) return type(field, folder);
  if (row.setting().key == QLatin1String("hub")) return type(field, "https://hub.example");
  if (row.setting().key == QLatin1String("proxy")) return type(field, "socks5://proxy.example:1080");
  if (qobject_cast<QLineEdit*>(field)) return type(field, "42");  // the seed
  const bool isAtMost = row.setting().value().toDouble() >= 1 &&
                        row.setting().key != QLatin1String("top_k") &&
                        row.setting().key != QLatin1String("max_tokens");
  QTest::keyClick(field, isAtMost ? Qt::Key_Down : Qt::Key_Up);
}

}  // namespace

class TestSettingsDialog : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_home;  // the window of models searches it

 private slots:
  void initTestCase() {
    QVERIFY(m_surroundings.prepare());
    for (const char* name : {"HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
      qputenv(name, m_home.path().toLocal8Bit());
    for (const char* name : {"HF_ENDPOINT", "HF_HOME", "HF_HUB_CACHE", "OLLAMA_MODELS", "LLAMA_CACHE"})
      qunsetenv(name);
  }
  void init() { QSettings().clear(); }

  void everySettingIsWhole() {
    ShownWindow w;
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    QSet<QString> keys, names;
    for (const SettingRow* row : dialog->rows()) {
      const Setting& one = row->setting();
      QVERIFY2(!one.name.isEmpty() && one.help.endsWith(u'.'), qPrintable(one.key));
      QCOMPARE(row->field()->accessibleName(), one.name);
      QCOMPARE(row->field()->accessibleDescription(), one.help);
      QVERIFY2(row->field()->focusPolicy() & Qt::TabFocus, qPrintable(one.key));
      keys << one.key;
      names << one.name;
    }
    QCOMPARE(keys.size(), static_cast<qsizetype>(dialog->rows().size()));
    QCOMPARE(names.size(), keys.size());
    QVERIFY(keys.size() >= 20);
  }

  // Each setting: changed by keys, held by the next window, and taken back.
  void everySettingChangesIsKeptAndGoesBack() {
    std::map<QString, QVariant> changed;
    {
      ShownWindow w;
      SettingsDialog* dialog = opened(w.window);
      QVERIFY(dialog);
      for (SettingRow* row : dialog->rows()) {
        const Setting& one = row->setting();
        if (!one.hasValue()) continue;
        QVERIFY2(one.isDefault() && !row->reset()->isVisible(), qPrintable(one.key));
        changeByKeys(*row, m_home.filePath("downloads"));
        QVERIFY2(!one.isDefault() && row->reset()->isVisible(), qPrintable(one.key));
        QVERIFY2(!row->complaint()->isVisible(), qPrintable(row->complaint()->text()));
        changed[one.key] = one.value();
      }
    }
    QVERIFY(changed.size() >= 18);
    ShownWindow w;
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    for (SettingRow* row : dialog->rows()) {
      const Setting& one = row->setting();
      if (!one.hasValue()) continue;
      QVERIFY2(one.value() == changed.at(one.key), qPrintable(one.key));
      QTest::keyClick(row->reset(), Qt::Key_Space);
      QVERIFY2(one.isDefault() && !row->reset()->isVisible(), qPrintable(one.key));
      QVERIFY2(row->field()->hasFocus(), qPrintable(one.key));
    }
    QVERIFY(!dialog->resetAll()->isEnabled());
  }

  void menusAndDialogSayTheSame() {
    ShownWindow w;
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    auto* themes = qobject_cast<QComboBox*>(rowOf(*dialog, "theme")->field());
    QTest::keyClick(themes, Qt::Key_End);
    QVERIFY(menuAction(w.window, "High contrast")->isChecked());
    menuAction(w.window, "Dark")->trigger();
    QCOMPARE(themes->currentText(), QStringLiteral("Dark"));
    QVERIFY(rowOf(*dialog, "theme")->reset()->isVisible());
    menuAction(w.window, "125 %")->trigger();
    QCOMPARE(rowOf(*dialog, "text_size")->setting().value().toInt(), 125);
    QCOMPARE(Settings().textPercent(), 125);

    auto* list = qobject_cast<QCheckBox*>(rowOf(*dialog, "chat/listShown")->field());
    w.window.chats().menu().listShown->trigger();
    QVERIFY(!list->isChecked());
    QTest::keyClick(list, Qt::Key_Space);
    QVERIFY(w.window.chats().menu().listShown->isChecked());

    SamplerControls* controls = w.window.panels().controls;
    auto* temperature = rowOf(*dialog, "temperature");
    QTest::keyClick(temperature->field(), Qt::Key_Up);
    QCOMPARE(controls->sampling().temperature, temperature->setting().value().toDouble());
    SamplingOptions sampling = controls->sampling();
    sampling.temperature = 1.5;
    emit controls->samplingChanged(sampling);
    QCOMPARE(temperature->setting().value().toDouble(), 1.5);
    QCOMPARE(temperature->field()->property("value").toDouble(), 1.5);
    QTest::keyClick(rowOf(*dialog, "max_tokens")->field(), Qt::Key_Up);
    QCOMPARE(controls->maxTokens(), Settings::kDefaultMaxTokens + 1);
  }

  void theNextStartIsAsSet() {
    Settings settings;
    settings.perspective.set("step");
    settings.lastModel.set("/my/model");
    QCOMPARE(settings.perspectiveAtStart(), QStringLiteral("step"));
    QCOMPARE(settings.modelAtStart(), QStringLiteral("/my/model"));
    QCOMPARE(settings.chatsFileAtStart(), Settings::chatsFile());
    ShownWindow w;
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    QTest::keyClick(rowOf(*dialog, "first_perspective")->field(), Qt::Key_Down);
    QTest::keyClick(rowOf(*dialog, "last_model")->field(), Qt::Key_Space);
    QTest::keyClick(rowOf(*dialog, "keep_chats")->field(), Qt::Key_Space);
    QCOMPARE(settings.perspectiveAtStart(), QStringLiteral("chat"));
    QVERIFY(settings.modelAtStart().isEmpty() && settings.chatsFileAtStart().isEmpty());
  }

  // It is said so, and what is written until then is in the file.
  void chatsAreKeptUntilTheNextStart() {
    QTemporaryDir folder;
    const QString file = folder.filePath("chats.db");
    ShownWindow w;
    w.window.keepChatsIn(file);
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    SettingRow* const row = rowOf(*dialog, "keep_chats");
    QVERIFY2(row->setting().help.startsWith("From the next start on; until then"),
             qPrintable(row->setting().help));
    QTest::keyClick(row->field(), Qt::Key_Space);
    QVERIFY(!Settings().keepsChats());
    ChatHistory& history = w.window.chats().desk().history();
    const ChatId chat = history.createChat();
    QVERIFY(history.addMessage(chat, 0, MessageRole::kUser, "Still kept?") != 0);
    history.flush();
    QTest::keyClick(row->field(), Qt::Key_Space);  // and back: as it was
    QVERIFY(Settings().keepsChats());
    ChatHistory reader;
    reader.open(file);
    QVERIFY(reader.summary(chat).has_value());
  }

  void thePaletteLeadsToASetting() {
    ShownWindow w;
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QTest::keyClick(&w.window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = w.window.findChild<CommandPalette*>();
    QVERIFY(palette && waitUntil([&] { return palette->line()->hasFocus(); }));
    QTest::keyClicks(palette->line(), "proxy");
    QCOMPARE(palette->list()->currentIndex().data().toString(),
             QStringLiteral("Settings › Proxy for downloads"));
    QTest::keyClick(palette->line(), Qt::Key_Return);
    SettingsDialog* dialog = nullptr;
    QVERIFY(waitUntil([&] { return (dialog = w.window.findChild<SettingsDialog*>()) != nullptr; }));
    QWidget* const field = rowOf(*dialog, "proxy")->field();
    QVERIFY(waitUntil([&] { return field->hasFocus(); }));
    QVERIFY(waitUntil([&] { return !field->visibleRegion().isEmpty(); }));  // scrolled into sight
  }

  void wordsFindAndLight() {
    ShownWindow w;
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    const int all = shownRows(*dialog);
    QTest::keyClicks(dialog->filter(), "LETTERS");
    QCOMPARE(shownRows(*dialog), 1);
    SettingRow* row = rowOf(*dialog, "text_size");
    QVERIFY(row->isVisible());
    int lit = 0;
    for (const QLabel* label : row->findChildren<QLabel*>())
      lit += static_cast<int>(label->text().count(QLatin1String(">letters<"), Qt::CaseInsensitive));
    QCOMPARE(lit, 1);
    const auto groups = dialog->findChildren<QGroupBox*>();
    QCOMPARE(std::ranges::count_if(groups, [](const QGroupBox* group) { return group->isVisible(); }), 1);
    type(dialog->filter(), "contrast  dark");  // two of its choices
    QVERIFY(rowOf(*dialog, "theme")->isVisible() && shownRows(*dialog) == 1);
    type(dialog->filter(), "machine blocks");
    QVERIFY(rowOf(*dialog, "machine_options")->isVisible());
    type(dialog->filter(), "models");  // a group's name
    QVERIFY(rowOf(*dialog, "proxy")->isVisible());
    QVERIFY(!dialog->nothing()->isVisible());
    type(dialog->filter(), "no such <b>words");
    QCOMPARE(shownRows(*dialog), 0);
    QVERIFY(dialog->nothing()->isVisible());
    QVERIFY(dialog->nothing()->text().contains("no such <b>words"));
    QCOMPARE(dialog->filter()->accessibleDescription(), dialog->nothing()->text());
    QTest::keyClick(dialog->filter(), Qt::Key_Down);
    QVERIFY(dialog->filter()->hasFocus());
    dialog->filter()->clear();
    QCOMPARE(shownRows(*dialog), all);
    QVERIFY(!dialog->nothing()->isVisible());
  }

  void theKeysAreEnough() {
    ShownWindow w;
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    QTest::keyClicks(dialog->filter(), "surpris");
    QTest::keyClick(dialog->filter(), Qt::Key_Return);
    QVERIFY(dialog->isVisible());
    QWidget* const field = rowOf(*dialog, "chat/colours")->field();
    QVERIFY(field->hasFocus());
    QTest::keyClick(field, Qt::Key_Space);
    QVERIFY(w.window.chats().colours()->isChecked());
    QTest::keyClick(field, Qt::Key_Tab);
    QVERIFY(rowOf(*dialog, "chat/colours")->reset()->hasFocus());
    QTest::keyClick(&w.window, Qt::Key_Comma, Qt::ControlModifier);  // the same dialog
    QCOMPARE(w.window.findChildren<SettingsDialog*>().size(), 1);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(waitUntil([&] { return w.window.findChild<SettingsDialog*>() == nullptr; }));
  }

  void resetAllCanBeUndone() {
    ShownWindow w;
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    QVERIFY(!dialog->resetAll()->isEnabled());
    QTest::keyClick(rowOf(*dialog, "text_size")->field(), Qt::Key_Down);
    QTest::keyClick(rowOf(*dialog, "keep_chats")->field(), Qt::Key_Space);
    type(rowOf(*dialog, "hub")->field(), "https://hub.example");
    QTest::keyClicks(dialog->filter(), "theme");  // what is not in sight is reset, too
    dialog->resetAll()->click();
    QCOMPARE(w.window.appearance().textPercent(), 100);
    QVERIFY(Settings().keepsChats() && Settings().hub().isEmpty());
    dialog->resetAll()->click();
    QCOMPARE(w.window.appearance().textPercent(), 125);
    QVERIFY(!Settings().keepsChats());
    QCOMPARE(Settings().hub(), QStringLiteral("https://hub.example"));
    dialog->resetAll()->click();
    dialog->filter()->clear();
    QTest::keyClick(rowOf(*dialog, "last_model")->field(), Qt::Key_Space);  // from here on there is no undo
    dialog->resetAll()->click();
    QVERIFY(Settings().opensLastModel() && Settings().keepsChats());
  }

  void whatIsWrongIsSaidAndNotTaken_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("wrong");
    QTest::addColumn<QString>("right");
    QTest::newRow("proxy without a port") << "proxy"
                                          << "http://proxy.example"
                                          << "proxy.example:8080";
    QTest::newRow("proxy of another kind") << "proxy"
                                           << "ftp://proxy.example:1"
                                           << "NONE";
    QTest::newRow("hub without a scheme") << "hub"
                                          << "hub.example"
                                          << "https://hub.example";
    QTest::newRow("folder below a file") << "download_folder"
                                         << "/dev/null/models" << m_home.path();
    QTest::newRow("half a path") << "download_folder"
                                 << "models" << m_home.path();
  }
  void whatIsWrongIsSaidAndNotTaken() {
    QFETCH(QString, key);
    QFETCH(QString, wrong);
    QFETCH(QString, right);
    ShownWindow w;
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    SettingRow* row = rowOf(*dialog, qPrintable(key));
    type(row->field(), wrong);
    QVERIFY(row->complaint()->isVisible() && row->complaint()->text().endsWith(u'.'));
    QCOMPARE(row->field()->accessibleDescription(), row->complaint()->text());
    QVERIFY(row->setting().isDefault());
    QCOMPARE(row->field()->property("text").toString(), wrong);  // to be mended
    type(row->field(), right);
    QVERIFY(!row->complaint()->isVisible());
    QCOMPARE(row->setting().value().toString(), right);
    type(row->field(), wrong);
    QTest::keyClick(row->reset(), Qt::Key_Space);
    QVERIFY(!row->complaint()->isVisible() && row->setting().isDefault());
    QVERIFY(row->field()->property("text").toString().isEmpty());
  }

  // The window of models that is open is made anew.
  void downloadsFollow() {
    ShownWindow w;
    ModelsWindow* models = w.window.models().open();
    QVERIFY(models->download().promise()->text().contains("huggingface.co"));
    SettingsDialog* dialog = w.window.settings().open();
    type(rowOf(*dialog, "hub")->field(), "http://hub.example");
    type(rowOf(*dialog, "download_folder")->field(), m_home.filePath("my models"));
    type(rowOf(*dialog, "proxy")->field(), "proxy.example:8080");
    models = w.window.models().open();
    QVERIFY(models->isVisible());
    QVERIFY2(models->download().promise()->text().contains("hub.example"),
             qPrintable(models->download().promise()->text()));
    const ModelsPlaces places = modelsPlaces(QProcessEnvironment::systemEnvironment(), Settings());
    QCOMPARE(places.downloads, m_home.filePath("my models"));
    QCOMPARE(places.hub.plainHosts, QStringList("hub.example"));
    QCOMPARE(places.hub.proxy->hostName(), QStringLiteral("proxy.example"));
    bool isSearched = false;
    for (const ModelRoot& root : places.roots({}).folders)
      isSearched = isSearched || root.folder == places.downloads;
    QVERIFY(isSearched);
  }

  void aButtonLeadsToTheMachineOptions() {
    ShownWindow w;
    QVERIFY(w.openModel());
    SettingsDialog* dialog = opened(w.window);
    QVERIFY(dialog);
    bool isSeen = false;
    QTimer look;
    connect(&look, &QTimer::timeout, this, [&] {
      auto* options = w.window.findChild<EngineOptionsDialog*>();
      if (!options || !options->isVisible()) return;
      isSeen = true;
      options->reject();
    });
    look.start(10);
    QTest::keyClick(rowOf(*dialog, "machine_options")->field(), Qt::Key_Space);
    QVERIFY(isSeen);
  }

  void itFits_data() {
    QTest::addColumn<int>("percent");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("typed");
    QTest::newRow("as it opens") << 100 << QSize() << "";
    QTest::newRow("found") << 100 << QSize() << "model";
    QTest::newRow("nothing found") << 100 << QSize() << "coffee";
    QTest::newRow("larger letters") << 150 << QSize() << "";
    QTest::newRow("a projector, letters of the desktop twice as large") << 200 << QSize(960, 620) << "";
  }
  void itFits() {
    QFETCH(int, percent);
    QFETCH(QSize, size);
    QFETCH(QString, typed);
    const int own = std::min(percent, Appearance::kLargestPercent);  // the rest is the desktop's
    const QFont before = QApplication::font();
    QFont larger = before;
    larger.setPointSizeF(before.pointSizeF() * percent / own);
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
      SettingsDialog* dialog = window.settings().open();
      window.appearance().setTextPercent(own);  // while it is open
      if (size.isValid()) dialog->resize(size);
      QVERIFY(QTest::qWaitForWindowExposed(dialog));
      const QPoint middle = dialog->frameGeometry().center() - window.frameGeometry().center();
      if (typed.isEmpty() && percent == 100)  // larger ones have grown since
        QVERIFY2(middle.manhattanLength() < 40, "the dialog does not stand over its window");
      QVERIFY(waitUntil([&] { return (*laptop)->availableGeometry().contains(dialog->frameGeometry()); }));
      auto* area = dialog->findChild<QScrollArea*>();
      QVERIFY2(area->widget()->minimumSizeHint().width() <= area->viewport()->width(),
               qPrintable(QStringLiteral("%1 in %2")
                              .arg(area->widget()->minimumSizeHint().width())
                              .arg(area->viewport()->width())));
      for (const SettingRow* row : dialog->rows())
        QVERIFY2(row->field()->width() >= row->field()->minimumSizeHint().width(),
                 qPrintable(row->setting().key));
      dialog->filter()->setText(typed);
      const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
      for (const ColourScheme scheme : {ColourScheme::kLight, ColourScheme::kDark}) {
        if (folder.isEmpty()) break;
        window.appearance().setScheme(scheme);
        QTest::qWait(300);  // of the picture
        dialog->grab().save(
            QStringLiteral("%1/settings-%2-%3.png")
                .arg(folder, QLatin1String(QTest::currentDataTag()), Appearance::keyOf(scheme)));
      }
    }
    QApplication::setFont(before);
  }
};

QTEST_MAIN(TestSettingsDialog)
#include "tst_settings_dialog.moc"
