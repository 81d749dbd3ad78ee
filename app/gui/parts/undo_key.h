// UndoKey: lets Ctrl+Z reach an action of the window from a text field that has nothing to undo itself. A
// field that has something keeps the key. Where the focus is in no text field, the action's shortcut needs no
// help. Thread: the window's.
#pragma once

#include <QAction>
#include <QObject>

namespace vitrine {

class UndoKey : public QObject {
  Q_OBJECT

 public:
  UndoKey(QAction& action, QWidget* window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QAction& m_action;
  QWidget* m_window;
};

}  // namespace vitrine
