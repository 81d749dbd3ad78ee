// CommandPalette: a line to type in, and the commands and chats that fit below it. Up and Down move, Enter
// runs, Esc closes; so does a click elsewhere. The focus stays in the line, which tells a screen reader the
// entry chosen.
//
// Thread: the window's. Read next: command_list.h.
#pragma once

#include <QDialog>

#include "gui/commands/command_list.h"

class QLineEdit;
class QListView;

namespace vitrine {

class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(std::vector<PaletteEntry> commands, QWidget* window);

  QLineEdit* line() const { return m_line; }
  QListView* list() const { return m_list; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool event(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void narrow(const QString& query);
  void choose(int row);
  void tell();  // the entry chosen, to a screen reader
  void run();

  CommandList m_commands;
  QLineEdit* m_line;
  QListView* m_list;
};

}  // namespace vitrine
