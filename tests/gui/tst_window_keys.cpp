// What the keyboard reaches: every mnemonic, shortcut and tab stop of every perspective and of the dialog,
// and the keys of a presenter's clicker. Nothing that is out of sight takes a key.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QMenuBar>
#include <QSet>
#include <QSettings>
#include <QShortcut>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>
#include <QTimer>

#include "gui/help/glossary_dialog.h"
#include "gui/panels/panel_dock.h"
#include "gui/parts/focus_ring.h"
#include "gui/scenario/scenario_chooser.h"
#include "gui/scenario/scenario_editor.h"
#include "gui/settings/engine_options_dialog.h"
#include "support/window_bench.h"
#include "vitrine/option_schema.h"
#include "widgets/chat/chat_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/sampler/sampler_controls.h"

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
