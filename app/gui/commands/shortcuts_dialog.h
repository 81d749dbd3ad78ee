// ShortcutsDialog: all keys of the window, group by group: those of the menus and of the views come from
// their actions, so that they are always true; what a view does with keys of its own is in one table here.
// Thread: the window's. Read next: command_list.h.
#pragma once

#include <QDialog>
#include <vector>

class QLineEdit;
class QMainWindow;
class QTreeWidget;

namespace vitrine {

struct ShortcutEntry {
  QString group;  // a menu, a view, or "Everywhere"
  QString what;
  QString keys;
};

// Each group's entries stand together.
std::vector<ShortcutEntry> shortcutsOf(const QMainWindow& window);

class ShortcutsDialog : public QDialog {
  Q_OBJECT

 public:
  ShortcutsDialog(const std::vector<ShortcutEntry>& entries, QWidget* parent = nullptr);
  static void open(QMainWindow& window);  // with the window's keys, above it

  QLineEdit* filter() const { return m_filter; }
  QTreeWidget* list() const { return m_list; }  // groups, with their entries below

 private:
  void fill(const std::vector<ShortcutEntry>& entries);
  void narrow(const QString& words);

  QLineEdit* m_filter;
  QTreeWidget* m_list;
};

}  // namespace vitrine
