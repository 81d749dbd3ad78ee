// SettingsDialog: all settings on one page that scrolls, in their groups, under a line that searches them. A
// change holds at once, so there is no OK; each setting has its way back, and all of them together one that
// can be undone.
//
// It is open beside the window, and follows what a menu changes meanwhile. Thread: the window's. Read next:
// setting_table.h, setting_row.h.
#pragma once

#include <QDialog>
#include <map>
#include <vector>

#include "gui/settings/setting.h"

class QGroupBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace vitrine {

class SettingRow;

class SettingsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit SettingsDialog(const std::vector<Setting>& settings, QWidget* parent = nullptr);

  QLineEdit* filter() const { return m_filter; }
  QLabel* nothing() const { return m_nothing; }         // is said where no setting has the words
  QPushButton* resetAll() const { return m_resetAll; }  // and, right after that, undo
  const std::vector<SettingRow*>& rows() const { return m_rows; }

  void showAt(const QString& key);  // the focus goes to its field
  void follow();                    // what the owners have now

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeRows(const std::vector<Setting>& settings);
  QWidget* makeFoot();
  void narrow(const QString& typed);
  void goToFirst();
  void resetOrUndo();
  void forgetUndo();

  QLineEdit* m_filter;
  QLabel* m_nothing;
  QLabel* m_told;  // beside the buttons
  QPushButton* m_resetAll;
  std::vector<SettingRow*> m_rows;
  std::map<SettingGroup, QGroupBox*> m_groups;
  std::vector<std::pair<SettingRow*, QVariant>> m_before;  // Reset all was pressed: the values until then
};

}  // namespace vitrine
