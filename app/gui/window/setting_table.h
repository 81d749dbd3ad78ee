// The table of settings: all that the program keeps and a person may look for, group by group. The dialog is
// made of it, and so is its search. To add one: its value in Settings or with an owner of its own, and an
// entry here.
//
// Thread: the window's. Read next: setting.h, settings_dialog.h.
#pragma once

#include <functional>
#include <vector>

#include "gui/settings/setting.h"

class QAction;

namespace vitrine {

class Appearance;
class Chats;
class ModelsOpening;
class Perspectives;
class SamplingController;
class Settings;

// The owners of settings. All must outlive the table.
struct SettingOwners {
  Settings& settings;
  Appearance& appearance;
  Perspectives& perspectives;
  Chats& chats;
  SamplingController& sampling;
  ModelsOpening& models;
  QAction& thinking;  // whether the model thinks before it answers
  std::function<void()> chooseMachineOptions, showWelcome, speakLanguage;
};

// A command that is on or off, and kept under its key (Settings::isOn()).
struct KeptSwitch {
  QString key;
  QAction* action;
  bool fallback;
  SettingGroup group;
  QString name, help;
};
std::vector<KeptSwitch> keptSwitches(const SettingOwners& owners);

std::vector<Setting> settingTable(const SettingOwners& owners);

}  // namespace vitrine
