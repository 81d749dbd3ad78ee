// HelpMenu: the way to every command, what the terms mean, what Vitrine is, and its version.
#pragma once

#include <QMenu>

namespace vitrine {

class HelpMenu : public QMenu {
  Q_OBJECT

 public:
  explicit HelpMenu(QWidget* parent);

 signals:
  void commandsRequested();
  void shortcutsRequested();
  void welcomeRequested();
  void aboutRequested();
  void scenarioRequested(const QString& name);

 private:
  void showGlossary(QWidget* parent);
};

}  // namespace vitrine
