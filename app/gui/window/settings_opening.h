// SettingsOpening: opens the dialog of settings, and keeps what menus and dialog change: the look, and the
// commands that are on or off. Thread: the window's. Read next: settings_dialog.h.
#pragma once

#include <QObject>
#include <QPointer>

#include "gui/commands/command_list.h"
#include "gui/window/setting_table.h"

class QWidget;

namespace vitrine {

class SettingsDialog;

class SettingsOpening : public QObject {
  Q_OBJECT

 public:
  // Brings the commands to the state that was kept.
  SettingsOpening(const SettingOwners& owners, QWidget* window);

  SettingsDialog* open();  // one at a time
  void openAt(const QString& key);
  std::vector<PaletteEntry> entries();  // each setting, which opens the dialog at it

 private:
  void keep(const KeptSwitch& kept);
  void follow();

  const SettingOwners m_owners;
  QWidget* const m_window;
  QPointer<SettingsDialog> m_dialog;
};

}  // namespace vitrine
