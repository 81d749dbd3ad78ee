// What the keyboard reaches: every mnemonic, shortcut and tab stop of every perspective and of the dialog,
// and the keys of a presenter's clicker. Nothing that is out of sight takes a key.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QSet>
#include <QSettings>
#include <QShortcut>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>
#include <QTimer>

#include "gui/bars/phase_strip.h"
#include "gui/commands/shortcuts_dialog.h"
#include "gui/help/glossary_dialog.h"
#include "gui/panels/card_walk.h"
#include "gui/panels/panel_dock.h"
#include "gui/panels/stage.h"
#include "gui/parts/blank_cover.h"
#include "gui/parts/focus_ring.h"
#include "gui/scenario/scenario_chooser.h"
#include "gui/scenario/scenario_editor.h"
#include "gui/settings/engine_options_dialog.h"
#include "support/window_bench.h"
#include "vitrine/option_schema.h"
#include "widgets/chat/chat_view.h"
#include "widgets/explain/event_log_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Owners = QMap<QString, QStringList>;  // of a key

void note(Owners& owners, const QKeySequence& key, const QString& owner) {
  if (!key.isEmpty()) owners[key.toString()] += owner;
}

QString clashes(const Owners& owners) {
  QString text;
  for (auto it = owners.begin(); it != owners.end(); ++it)
    if (it.value().size() > 1) text += it.key() + ": " + it.value().join(", ") + "; ";
  return text;
}

Owners menuMnemonics(const QMenu& menu) {
  Owners owners;
  for (const QAction* action : menu.actions())
    if (action->isVisible()) note(owners, QKeySequence::mnemonic(action->text()), action->text());
  return owners;
}

// Of a window: its menu bar, and what lies open in it.
Owners openMnemonics(const QWidget& window) {
  Owners owners;
  if (const auto* main = qobject_cast<const QMainWindow*>(&window))
    for (const QAction* action : main->menuBar()->actions())
      note(owners, QKeySequence::mnemonic(action->text()), action->text());
  for (const QLabel* label : window.findChildren<QLabel*>())
    if (label->isVisible() && label->buddy())
      note(owners, QKeySequence::mnemonic(label->text()), label->text());
  for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
    if (button->isVisible() && !button->inherits("QToolButton"))
      note(owners, QKeySequence::mnemonic(button->text()), button->text());
  for (const QTabBar* tabs : window.findChildren<QTabBar*>())
    for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i)
      note(owners, QKeySequence::mnemonic(tabs->tabText(i)), tabs->tabText(i));
  return owners;
}

QString valuesOf(const SamplingOptions& sampling) {
  QString text;
  visitSamplingOptions(sampling, [&](const auto& info, const auto& value) {
    text += QStringLiteral("%1 %2 ").arg(QLatin1String(info.key)).arg(static_cast<double>(value));
  });
  return text;
}

QString nameOf(const QWidget* part) {
  if (!part) return "nothing";
  QString name = QLatin1String(part->metaObject()->className());
  for (const QWidget* one = part; one; one = one->parentWidget())
    if (!one->objectName().isEmpty()) name += " in " + one->objectName();
  return name + ' ' + part->accessibleName();
}

// Of a part, what its ancestors do not cut off. (visibleRegion() leaves out what a viewport covers.)
bool isInSight(const QWidget* part) {
  QRect area = part->rect();
  for (const QWidget* one = part; area.isValid() && !one->isWindow(); one = one->parentWidget())
    area = area.translated(one->pos()).intersected(one->parentWidget()->rect());
  return part->isVisible() && area.isValid();
}

// Goes round with Tab; empty when each stop is in sight and framed.
QString tabComplaint(QWidget& window, const FocusRing* ring, int& stops) {
  QList<QWidget*> seen;
  for (int i = 0; i < 120; ++i) {
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window, Qt::Key_Tab);
    QWidget* now = QApplication::focusWidget();
    if (!now) return "Tab leaves the window";
    if (!seen.isEmpty() && now == seen.last()) continue;  // it has stops of its own, such as links
    if (seen.contains(now)) break;
    seen += now;
    if (!isInSight(now)) return nameOf(now) + " is out of sight";
    if (ring && (ring->around() != now || !ring->isVisible())) return nameOf(now) + " has no frame";
  }
  stops = static_cast<int>(seen.size());
  return {};
}

}  // namespace

class TestWindowKeys : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

  static void addPerspectives() {
    QTest::addColumn<int>("perspective");
    QTest::newRow("chat") << int(Perspective::kChat);
    QTest::newRow("step") << int(Perspective::kStep);
    QTest::newRow("present") << int(Perspective::kPresent);
  }

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void mnemonicsAreUnique_data() { addPerspectives(); }
  void mnemonicsAreUnique() {
    QFETCH(int, perspective);
    ShownWindow w(static_cast<Perspective>(perspective));
    QVERIFY(w.openModel());
    for (const char* panel :
         {"sampler", "block_table", "plot", "events", "metrics", "blockedBy", "comparison", "chat"}) {
      if (perspective != int(Perspective::kChat)) w.window.showPanel(panel);
      QTest::qWait(20);
      QCOMPARE(clashes(openMnemonics(w.window)), QString());
    }
    for (const QMenu* menu : w.window.findChildren<QMenu*>())
      QCOMPARE(clashes(menuMnemonics(*menu)), QString());
  }

  void shortcutsAreUnique() {
    ShownWindow w;
    QVERIFY(w.openModel());
    Owners owners;
    QSet<const QAction*> seen;
    for (const QAction* action : w.window.findChildren<QAction*>()) {
      const Qt::ShortcutContext context = action->shortcutContext();
      if (seen.contains(action) || context == Qt::WidgetShortcut || context == Qt::WidgetWithChildrenShortcut)
        continue;  // a key of a view while it has the focus
      seen += action;
      for (const QKeySequence& key : action->shortcuts()) note(owners, key, action->text());
    }
    for (const QShortcut* shortcut : w.window.findChildren<QShortcut*>())
      if (shortcut->context() == Qt::WindowShortcut) note(owners, shortcut->key(), "a key of the window");
    QCOMPARE(clashes(owners), QString());
    for (const char* key : {"Ctrl+Q", "F5", "F7", "F10", "Shift+F10", "Ctrl+F5", "F11", "PgUp", "PgDown"})
      QVERIFY2(owners.contains(key), key);
  }

  void everyTabStopIsInSightAndFramed_data() { addPerspectives(); }
  void everyTabStopIsInSightAndFramed() {
    QFETCH(int, perspective);
    ShownWindow w(static_cast<Perspective>(perspective));
    QVERIFY(w.openModel());
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    const auto* ring = w.window.findChild<FocusRing*>();
    QVERIFY(ring);
    const bool chatting = perspective == int(Perspective::kChat);
    for (const char* panel : {"sampler", "plot", "events"}) {
      if (!chatting) w.window.showPanel(panel);
      QTest::qWait(30);
      int stops = 0;
      const QString complaint = tabComplaint(w.window, ring, stops);
      QVERIFY2(complaint.isEmpty(), qPrintable(panel + (": " + complaint)));
      QVERIFY2(stops >= (chatting ? 3 : 6), qPrintable(QString::number(stops)));
      if (chatting) break;
    }
  }

  // Alt+S went to "Presence penalty" of a panel behind another tab, and Down changed and saved it.
  void aPanelBehindATabTakesNoKeys() {
    ShownWindow w(Perspective::kStep, {1024, 600});  // the reasons are a tab of the sampler
    QVERIFY(w.openModel());
    QVERIFY(w.window.showPanel("why"));
    QTest::qWait(30);
    const QString before = valuesOf(w.window.panels().controls->sampling());
    QVERIFY(!w.window.panels().controls->isVisible());
    for (const char letter : {'S', 'F', 'R', 'P', 'K'}) {
      QTest::keyClick(&w.window, Qt::Key(letter), Qt::AltModifier);
      QTest::qWait(5);
      if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
      if (QWidget* focus = QApplication::focusWidget()) QTest::keyClick(focus, Qt::Key_Down);
    }
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    QCOMPARE(valuesOf(w.window.panels().controls->sampling()), before);
    QVERIFY(w.window.showPanel("sampler"));
    w.window.panels().controls->setUnfolded(true);
    QTRY_VERIFY(w.window.panels().controls->isVisible());
    for (const QSpinBox* box : w.window.panels().controls->findChildren<QSpinBox*>())
      QVERIFY(box->isVisibleTo(w.window.panels().controls));
  }

  // On each page of a dialog.
  static void checkKeys(QDialog& dialog, int leastStops) {
    dialog.setVisible(true);
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto* pages = dialog.findChild<QTabWidget*>();
    for (int page = 0; page < (pages ? pages->count() : 1); ++page) {
      if (pages) pages->setCurrentIndex(page);
      QTest::qWait(10);
      QCOMPARE(clashes(openMnemonics(dialog)), QString());
      int stops = 0;
      dialog.activateWindow();
      QVERIFY(QTest::qWaitForWindowActive(&dialog));
      QCOMPARE(tabComplaint(dialog, nullptr, stops), QString());
      QVERIFY2(stops >= leastStops, qPrintable(QString::number(stops)));
    }
  }
  void theDialogsKeys() {
    EngineOptionsDialog options(Settings::defaultEngineOptions());
    checkKeys(options, 4);
    options.hide();
    ScenarioEditor editor(readScenario("six-blocks"), 3);
    checkKeys(editor, 12);
    editor.hide();
    ScenarioChooser chooser({}, nullptr);
    checkKeys(chooser, 3);
    chooser.hide();
    GlossaryDialog glossary;
    checkKeys(glossary, 3);
  }

  // A clicker's keys step the machine wherever the focus is.
  void aClickerStepsFromEverywhere() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QVERIFY(w.window.showPanel("sampler"));
    w.window.panels().controls->setUnfolded(true);
    QTest::qWait(30);
    int steps = 0;
    QList<QWidget*> places = w.window.panels().controls->findChildren<QWidget*>();
    places.erase(std::remove_if(places.begin(), places.end(),
                                [](const QWidget* one) { return one->focusPolicy() == Qt::NoFocus; }),
                 places.end());
    places = places.mid(0, 4);
    places += static_cast<QWidget*>(w.window.panels().plot);
    for (const auto* list : w.window.findChildren<QAbstractItemView*>())
      if (list->isVisible()) places += const_cast<QAbstractItemView*>(list);
    const QString before = valuesOf(w.window.panels().controls->sampling());
    for (QWidget* place : places) {
      place->setFocus();
      QTest::keyClick(place, Qt::Key_PageDown);
      ++steps;
      QTRY_COMPARE_WITH_TIMEOUT(w.window.session().recording().lastFinishedStep(), steps, kPatience);
      QTRY_VERIFY(w.isPaused());
    }
    QTest::keyClick(places.first(), Qt::Key_PageUp);
    QCOMPARE(w.window.session().step(), steps - 1);
    QCOMPARE(valuesOf(w.window.panels().controls->sampling()), before);
  }

  // The card of the window that has the keyboard, by its name.
  static QString cardWithKeys(MainWindow& window) {
    for (const QWidget* one = QApplication::focusWidget(); one; one = one->parentWidget()) {
      if (one == window.panels().timeline->parentWidget()) return "timeline";
      if (one->objectName() == "stage" || one->objectName() == "headlineBar" ||
          qobject_cast<const PanelDock*>(one))
        return one->objectName();
    }
    return {};
  }
  static void press(MainWindow& window, Qt::Key key, Qt::KeyboardModifiers held = {}) {
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window, key, held);
  }

  // In sight, as it is read; back again the same way, and out of a text field.
  void f6GoesThroughTheCards() {
    ShownWindow w(Perspective::kStep, {1366, 768});
    QVERIFY(w.openModel());
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QTest::qWait(50);
    const auto* ring = w.window.findChild<FocusRing*>();
    const QStringList cards = {"headlineBar", "requests", "stage", "blocks", "why", "sampler", "timeline"};
    if (QWidget* now = QApplication::focusWidget()) now->clearFocus();
    for (const QString& card : cards + QStringList{cards.first()}) {
      press(w.window, Qt::Key_F6);
      QCOMPARE(cardWithKeys(w.window), card);
      QVERIFY(ring->isVisible() && ring->around() == QApplication::focusWidget());
    }
    for (qsizetype i = cards.size(); i-- > 0;) {
      press(w.window, Qt::Key_F6, Qt::ShiftModifier);
      QCOMPARE(cardWithKeys(w.window), cards[i]);
    }
    QVERIFY(w.window.showPanel("chat"));
    w.window.panels().chat->focusInput();
    QVERIFY(w.window.panels().chat->input()->hasFocus());
    press(w.window, Qt::Key_F6);
    QCOMPARE(cardWithKeys(w.window), "blocks");
    press(w.window, Qt::Key_F6, Qt::ShiftModifier);
    QVERIFY(w.window.panels().chat->input()->hasFocus());  // where it was in this card
    QVERIFY(w.window.showPanel("events"));                 // in front of the KV memory
    QTest::qWait(30);
    press(w.window, Qt::Key_F6);
    QCOMPARE(cardWithKeys(w.window), "events");
  }

  void tabGoesTheSameWay_data() {
    QTest::addColumn<QSize>("window");
    QTest::newRow("a projector") << QSize(1024, 700);
    QTest::newRow("a small laptop") << QSize(1366, 768);
    QTest::newRow("a large screen") << QSize(1920, 1080);
  }
  void tabGoesTheSameWay() {
    QFETCH(QSize, window);
    ShownWindow w(Perspective::kStep, window);
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(3));
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QTest::qWait(50);
    QStringList byCard, byPart;
    w.window.phases().setFocus(Qt::TabFocusReason);
    for (int i = 0; i < 12; ++i) {
      if (const QString card = cardWithKeys(w.window); !byCard.contains(card)) byCard << card;
      press(w.window, Qt::Key_F6);
    }
    w.window.phases().setFocus(Qt::TabFocusReason);
    for (int i = 0; i < 120; ++i) {
      const QString card = cardWithKeys(w.window);
      if (byPart.size() > 1 && card == byPart.first()) break;  // round
      if (!card.isEmpty() && (byPart.isEmpty() || byPart.last() != card)) byPart << card;
      press(w.window, Qt::Key_Tab);
    }
    QVERIFY2(byCard.size() >= 5, qPrintable(byCard.join(", ")));
    QCOMPARE(byPart.join(", "), byCard.join(", "));
  }

  void areasAreReadInColumns() {
    const std::vector<QRect> areas = {{0, 0, 100, 10}, {0, 90, 100, 10}, {60, 10, 40, 30}, {60, 40, 40, 50},
                                      {0, 10, 60, 60}, {30, 70, 30, 20}, {0, 70, 30, 20}};
    const std::vector<std::size_t> expected = {0, 4, 6, 5, 2, 3, 1};
    QCOMPARE(readingOrder(areas), expected);
    QVERIFY(readingOrder({}).empty());
    const std::vector<std::size_t> overlapping = {1, 0};
    QCOMPARE(readingOrder({{5, 5, 20, 20}, {0, 0, 20, 20}}), overlapping);
  }

  void altAndADigitChooseAView() {
    ShownWindow w;
    QVERIFY(w.openModel());
    auto* stage = w.window.findChild<Stage*>();
    const QStringList names = {"schedule", "text", "batch", "layers", "beams", "speculation", "chat"};
    QCOMPARE(stage->tabs()->count(), names.size());
    for (int i = 0; i < names.size(); ++i) {
      press(w.window, static_cast<Qt::Key>(Qt::Key_1 + i), Qt::AltModifier);
      QCOMPARE(stage->shown(), names[i]);
      QVERIFY(stage->tabs()->tabToolTip(i).contains(QString("Alt+%1").arg(i + 1)));
    }
    w.window.showPerspective(Perspective::kChat);
    press(w.window, Qt::Key_3, Qt::AltModifier);
    QCOMPARE(stage->shown(), "chat");
  }

  // Letters are letters in a text field and in the chat perspective.
  void lettersAreCommandsOutsideOfTexts() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    const auto runs = [&] { return w.window.host().mode() == MachineMode::kRunning; };
    w.window.panels().timeline->setFocus();
    press(w.window, Qt::Key_P);
    QTRY_VERIFY_WITH_TIMEOUT(runs(), kPatience);
    press(w.window, Qt::Key_P);
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused(), kPatience);
    QVERIFY(w.window.showPanel("chat"));
    auto* const input = w.window.panels().chat->input();
    input->setFocus();
    for (const Qt::Key key : {Qt::Key_P, Qt::Key_B, Qt::Key_N}) press(w.window, key);
    QCOMPARE(input->toPlainText(), "pbn");
    QVERIFY(w.isPaused());
    QVERIFY(w.window.showPanel("events"));
    auto* const line = w.window.panels().events->findChild<QLineEdit*>();
    line->setFocus();
    for (const Qt::Key key : {Qt::Key_P, Qt::Key_B, Qt::Key_N}) press(w.window, key);
    QCOMPARE(line->text(), "pbn");
    QVERIFY(w.isPaused());
    w.window.showPerspective(Perspective::kChat);
    QVERIFY(!w.window.bar().runPause->shortcuts().contains(QKeySequence(Qt::Key_P)));
    QVERIFY(w.window.bar().runPause->shortcuts().contains(QKeySequence(Qt::Key_F5)));
  }

  void aBlankWindowComesBackWithAnyKey() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    auto* const cover = w.window.findChild<BlankCover*>();
    w.window.panels().timeline->setFocus();
    press(w.window, Qt::Key_B);
    QVERIFY(!cover->isVisible());  // in Present alone
    w.window.showPerspective(Perspective::kPresent);
    w.window.panels().timeline->setFocus();
    press(w.window, Qt::Key_B);
    QVERIFY(cover->isVisible() && cover->hasFocus());
    QCOMPARE(cover->geometry(), w.window.rect());
    const QImage blank = w.window.grab().toImage();
    for (const QPoint at : {QPoint(3, 3), w.window.rect().center(), w.window.rect().bottomRight()})
      QCOMPARE(blank.pixelColor(at * blank.devicePixelRatio()), QColor(Qt::black));
    press(w.window, Qt::Key_Shift);
    QVERIFY(cover->isVisible());
    const int step = w.window.session().recording().lastFinishedStep();
    press(w.window, Qt::Key_PageDown);
    QVERIFY(!cover->isVisible());
    QVERIFY(w.window.panels().timeline->hasFocus());
    QCOMPARE(w.window.session().recording().lastFinishedStep(), step);
    QVERIFY(w.isPaused());
    press(w.window, Qt::Key_B);
    QVERIFY(cover->isVisible());
    QTest::mouseClick(cover, Qt::LeftButton);
    QVERIFY(!cover->isVisible());
  }

  void theListHasTheKeysOfTheWindow() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QStringList keys;
    for (const ShortcutEntry& entry : shortcutsOf(w.window)) keys << entry.keys.split("; ");
    for (const char* key : {"F6", "Shift+F6", "F5", "P", "B", "N", "Alt+1", "Alt+7", "PgDown", "F10"})
      QVERIFY2(keys.contains(QString(key)), key);
  }

  void ctrlQQuits() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QTest::keyClick(&w.window, Qt::Key_Q, Qt::ControlModifier);
    QTRY_VERIFY(!w.window.isVisible());
  }

  void theToolBarCannotBeHiddenForGood() {
    {
      ShownWindow w;
      QVERIFY(w.openModel());
      for (const auto* bar : w.window.findChildren<QToolBar*>())
        QVERIFY(bar->contextMenuPolicy() == Qt::PreventContextMenu);
      w.window.bar().hide();  // as a layout stored by an older program could say
      w.window.close();
    }
    ShownWindow w;
    QVERIFY(w.openModel());
    QVERIFY(w.window.bar().isVisible());
  }
};

QTEST_MAIN(TestWindowKeys)
#include "tst_window_keys.moc"
