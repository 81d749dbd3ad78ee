#include "gui/window_verbs.h"

#include <QAction>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>

#include "desk/chat_list_view.h"
#include "gui/bars/status_strip.h"
#include "gui/runs/run_archive.h"
#include "gui/runs/run_menu.h"
#include "gui/runs/run_to.h"
#include "gui/scenario/scenario_line.h"
#include "gui/scenario/scenario_menu.h"
#include "gui/window_states.h"
#include "widgets/chat/chat_view.h"
#include "widgets/message/message_widget.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/sampler/sampler_view.h"

namespace vitrine::test {

namespace {

// Those whose commands act on the machine or on the run shown; all others change the look.
const char* const kMachinery[] = {"Machine/", "Model/", "Scenario/", "Recording/", "Run to/"};
// Of a menu that lists what there is, each entry is the same command with another object.
const char* const kLists[] = {"Recording/Earlier runs/", "Run to/an event of a request/", "Run to/Bookmarks/",
                              "Scenario/First steps/"};

QString plain(QString text) {
  static const QRegularExpression changing(QStringLiteral("[0-9&…]+"));
  return text.remove(changing).simplified();
}

// The titles of the menus around it, the outermost first; of a command that a view has, the view's name.
QString wayTo(const QAction& action) {
  QString way = plain(action.text());
  for (const QObject* at = action.parent(); at != nullptr; at = at->parent()) {
    if (const auto* menu = qobject_cast<const QMenu*>(at))
      way.prepend(plain(menu->title()) + u'/');
    else if (qobject_cast<const MachineBar*>(at))
      way.prepend(QStringLiteral("Machine/"));
    else if (const auto* view = qobject_cast<const QWidget*>(at); view && !view->accessibleName().isEmpty())
      return view->accessibleName() + u'/' + way;
  }
  return way;
}

template <class Names>
bool isAmong(const Names& names, const QString& name) {
  return std::ranges::any_of(names, [&](const char* begin) { return name.startsWith(QLatin1String(begin)); });
}

// Menus that are filled when they open. Reading all scenarios takes its time, and their menu is filled
// already.
void fillMenus(MainWindow& window) {
  for (const QPointer<QMenu> menu : window.findChildren<QMenu*>())
    if (menu && !qobject_cast<ScenarioMenu*>(menu)) emit menu->aboutToShow();
}

// A menu's commands are actions already; Qt's own buttons are Qt's.
bool isCommand(const QAbstractButton& button) {
  // What they do takes the messages and their buttons away: tst_chat_desk, tst_chat_list.
  for (const QWidget* part = button.parentWidget(); part != nullptr; part = part->parentWidget())
    if (qobject_cast<const MessageWidget*>(part) || qobject_cast<const ChatListView*>(part)) return false;
  const auto* tool = qobject_cast<const QToolButton*>(&button);
  if (tool && (tool->defaultAction() || tool->menu())) return false;
  const QString kind = QLatin1String(button.metaObject()->className());
  return button.isVisible() && button.isEnabled() && !kind.startsWith(QLatin1String("QDock")) &&
         !kind.startsWith(QLatin1String("QTable")) && !kind.startsWith(QLatin1String("QToolBar")) &&
         !kind.startsWith(QLatin1String("QLineEdit")) && !qobject_cast<QTabBar*>(button.parent());
}

void typeMessage(StateWindow& w) {
  QPlainTextEdit* input = w.window.panels().chat->input();
  input->setPlainText(QStringLiteral("Hello!"));
  QTest::keyClick(input, Qt::Key_Return);
}

void give(StateWindow& w, const char* command) {
  for (const WindowCommand& one : commandsOf(w.window))
    if (one.name == QLatin1String(command)) return one.give();
}

void acceptIn(StateWindow& w, const char* command) {
  w.dialogs.answerNext([](QDialog& dialog) { dialog.accept(); });
  give(w, command);
}

void chooseFirst(QDialog& dialog) {
  auto* list = dialog.findChild<QListView*>();
  list->setCurrentIndex(list->model()->index(1, 0));  // below the first heading
  dialog.accept();
}

Breakpoint stepBreak(int step) {
  Breakpoint one;
  one.kind = BreakKind::kStep;
  one.step = step;
  return one;
}

void turnKnob(StateWindow& w) {
  for (auto* knob : w.window.panels().controls->findChildren<QDoubleSpinBox*>())
    if (knob->isEnabled()) return knob->stepUp();
}

void branch(StateWindow& w) {
  emit w.window.panels().sampler->branchRequested(w.session().selectedSequence(), 3, 11, QStringLiteral("x"));
}

void chatAndBack(StateWindow& w) {
  w.window.showPerspective(Perspective::kChat);
  typeMessage(w);
  w.window.showPerspective(Perspective::kStep);
}

}  // namespace

const std::vector<LeftOut>& leftOut() {
  static const std::vector<LeftOut> all = {
      {"Model/Quit", "it closes the window: tst_window_closing"},
      {"Model/Open a model folder", "a dialog of files; then as the verb that opens a model"},
      {"Model/Models on this computer", "a window that searches the home folder: tst_models_window"},
      {"Model/What is inside", "a window of its own, which changes no machine: tst_inspect_window"},
      {"Compute on", "another device, which most machines have not: tst_device_choice"},
      {"Scenario/Open a scenario file", "a dialog of files; then as the verb that opens a scenario"},
      {"Chat/Import chats", "a dialog of files: tst_chat_desk"},
      {"Chat/Attach a file", "a dialog of files: tst_chat_files"},
      {"Chat/This chat", "a dialog, whose keys are tested alone: tst_chat_settings"},
      {"Chat/Export this chat", "a dialog of files: tst_chat_desk"},
      {"Recording/Open a trace", "a dialog of files; then as the verb that opens a trace"},
      {"Recording/Save the run", "a dialog of files; then as the verb that saves"},
      {"Scenario/Batching/", "as the first of the scenarios"},
      {"Scenario/Memory/", "as the first of the scenarios"},
      {"Scenario/Shared prefixes/", "as the first of the scenarios"},
      {"Scenario/Order and deadlines/", "as the first of the scenarios"},
      {"Scenario/Several answers/", "as the first of the scenarios"},
      {"Scenario/Speculation/", "as the first of the scenarios"},
      {"Scenario/Compare with other options", "a window of its own: tst_compare_window"},
      {"Lessons/", "what a lesson does: tst_lesson_window, tst_lesson_course"},
      {"Run to/next admission", "as preemption, with another word"},
      {"Run to/first prefill chunk", "as preemption, with another word"},
      {"Run to/block full", "as preemption, with another word"},
      {"Run to/prefix", "as preemption, with another word"},
      {"Run to/copy-on-write", "as preemption, with another word"},
      {"Run to/swap", "as preemption, with another word"},
      {"Run to/draft rejected", "as preemption, with another word"},
      {"Run to/request finished", "as preemption, with another word"},
      {"View/Theme/Light", "as the theme of high contrast"},
      {"View/Theme/Dark", "as the theme of high contrast"},
      {"View/Text size/", "as a theme, which takes the same way"},
      {"Help/Find a command", "a list of these commands: tst_command_palette"},
      {"Help/Keyboard shortcuts", "a dialog of their own: tst_about_dialog"},
      {"Help/Welcome", "a page of its own: tst_welcome"},
      {"Help/About Vitrine", "a dialog of its own: tst_about_dialog"},
      {"View/Settings", "a dialog of its own: tst_settings_dialog"},
      {"View/Language/", "a window that is made anew: tst_language"},
      {"View/Present", "as the perspectives that the verbs change"},
      {"View/Just chat", "as the perspectives that the verbs change"},
  };
  return all;
}

// The first of a list is told by its place, since its name changes; the others are left out.
QString nameOf(const QAction& action) {
  const QString name = wayTo(action);
  if (!isAmong(kLists, name)) return name;
  const auto* list = qobject_cast<const QMenu*>(action.parent());
  return list->actions().first() == &action ? name.section(u'/', 0, -2) + QStringLiteral("/first")
                                            : QString();
}

void WindowCommand::give() const { action ? action->trigger() : button->click(); }

std::vector<WindowCommand> commandsOf(MainWindow& window) {
  fillMenus(window);
  std::vector<WindowCommand> commands;
  for (QAction* action : window.findChildren<QAction*>()) {
    const bool given = !action->text().isEmpty() && !action->isSeparator() && !action->menu() &&
                       action->isEnabled() && !action->associatedObjects().isEmpty();
    const QString name = given ? nameOf(*action) : QString();
    const bool known = std::ranges::any_of(
        leftOut(), [&](const LeftOut& one) { return name.startsWith(QLatin1String(one.name)); });
    if (!name.isEmpty() && !known) commands.push_back({name, action, nullptr, !isAmong(kMachinery, name)});
  }
  for (QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
    if (!isCommand(*button)) continue;
    const QString name = button->accessibleName().isEmpty() ? button->text() : button->accessibleName();
    commands.push_back({QStringLiteral("button/") + plain(name), nullptr, button, true});
  }
  return commands;
}

std::vector<WindowVerb> commandVerbs(MainWindow& window) {
  std::vector<WindowVerb> verbs;
  for (const WindowCommand& command : commandsOf(window)) {
    if (command.looksOnly) continue;
    const QString name = command.name;
    const bool loads = !name.startsWith(QLatin1String("Machine/")) || name == QLatin1String("Machine/Reset");
    verbs.push_back({name, [name](StateWindow& w) { give(w, qPrintable(name)); }, loads});
  }
  return verbs;
}

std::vector<WindowVerb> windowVerbs() {
  using W = StateWindow;
  return {
      {"pause", [](W& w) { w.window.host().pause(); }},
      {"run to a step", [](W& w) { w.window.runTo().run(stepBreak(w.steps() + 2)); }},
      {"run to what never comes", [](W& w) { w.window.runTo().run(breakpointFromText("preemption")); }},
      {"open a model", [](W& w) { w.window.open(w.files.model()); }, true, "tiny"},
      {"open no model", [](W& w) { w.window.openModel(QStringLiteral("no/such/folder")); }},
      {"open a scenario", [](W& w) { w.window.open(w.files.shortRun()); }, true, "short"},
      {"open no scenario", [](W& w) { w.window.openScenario(QStringLiteral("no-such")); }},
      {"open a trace", [](W& w) { w.window.open(w.files.trace()); }, true, "run.vitrine"},
      {"open what is no trace", [](W& w) { w.window.open(w.files.noTrace()); }},
      {"save", [](W& w) { w.window.archive().save(w.files.path("verb.vitrine")); }},
      {"save where nothing can be", [](W& w) { w.window.archive().save(w.files.path("no/folder.vitrine")); }},
      {"cancel", [](W& w) { emit w.window.status().cancelLoadRequested(); }},
      {"options", [](W& w) { acceptIn(w, "Machine/Machine options"); }, true},
      {"resume with options", [](W& w) { acceptIn(w, "Recording/Resume from step with other options"); },
       true},
      {"edit and play", [](W& w) { acceptIn(w, "Scenario/Edit and add requests"); }, true},
      {"choose a scenario",
       [](W& w) {
         w.dialogs.answerNext(chooseFirst);
         give(w, "Scenario/Choose a scenario");
       },
       true},
      {"run to the step asked for", [](W& w) { acceptIn(w, "Run to/step"); }},
      {"send a message", typeMessage},
      {"stop the answer", [](W& w) { QTest::keyClick(w.window.panels().chat->input(), Qt::Key_Escape); }},
      {"new chat", [](W& w) { emit w.window.panels().chat->newChatRequested(); }},
      {"chat and back", chatAndBack},
      {"cancel a request", [](W& w) { emit w.window.panels().cancelRequested(1); }},
      {"turn a knob", turnKnob},
      {"branch by a token", branch},
      {"scrub", [](W& w) { w.session().goToStep(1); }},
      {"live", [](W& w) { w.session().goLive(); }},
      {"next to see", [](W& w) { w.window.scenario().goToNext(); }},
      {"page down", [](W& w) { QTest::keyClick(&w.window, Qt::Key_PageDown); }},
  };
}

}  // namespace vitrine::test
