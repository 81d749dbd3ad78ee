// The verbs of the window: what a user can do in it at any moment, for tests of every verb in every state.
//
// Commands of menus and buttons are found by walking the window, so that none is forgotten: each is a verb,
// or one of leftOut(), which says why. windowVerbs() has what needs an answer or has no command of its own.
#pragma once

#include <QStringList>
#include <functional>
#include <vector>

class QAbstractButton;
class QAction;

namespace vitrine {
class MainWindow;
}

namespace vitrine::test {

class StateWindow;

struct WindowVerb {
  QString name;
  std::function<void(StateWindow&)> act;
  bool loads = false;           // may replace the run
  const char* opens = nullptr;  // the name of the run that it leads to
};
std::vector<WindowVerb> windowVerbs();

// A command of the window that can be given now, by its way through the menus ("Machine/Machine options"),
// without the numbers that change, or by the button's name.
struct WindowCommand {
  QString name;
  QAction* action = nullptr;
  QAbstractButton* button = nullptr;
  bool looksOnly = false;  // it changes what the window shows, and not the run
  void give() const;
};
QString nameOf(const QAction& action);  // empty: not the first of a list
std::vector<WindowCommand> commandsOf(MainWindow& window);

// The commands of the machine's menus as verbs: what is offered in the window now.
std::vector<WindowVerb> commandVerbs(MainWindow& window);

struct LeftOut {
  const char* name;  // where a command's name begins
  const char* why;
};
const std::vector<LeftOut>& leftOut();

}  // namespace vitrine::test
