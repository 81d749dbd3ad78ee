#include "gui/window/settings_opening.h"

#include <QAction>

#include "gui/parts/appearance.h"
#include "gui/parts/screen_fit.h"
#include "gui/questions/sampling_controller.h"
#include "gui/settings/settings.h"
#include "gui/settings/settings_dialog.h"

namespace vitrine {

SettingsOpening::SettingsOpening(const SettingOwners& owners, QWidget* window)
    : QObject(window), m_owners(owners), m_window(window) {
  for (const KeptSwitch& kept : keptSwitches(owners)) keep(kept);
  connect(&owners.appearance, &Appearance::changed, this, [this] {
    m_owners.settings.colourScheme.set(Appearance::keyOf(m_owners.appearance.scheme()));
    m_owners.settings.setTextPercent(m_owners.appearance.textPercent());
    follow();
  });
  connect(&owners.sampling, &SamplingController::newMessagesChanged, this, &SettingsOpening::follow);
}

void SettingsOpening::keep(const KeptSwitch& kept) {
  kept.action->setChecked(m_owners.settings.isOn(kept.key, kept.fallback));
  connect(kept.action, &QAction::toggled, this, [this, key = kept.key](bool on) {
    m_owners.settings.setOn(key, on);
    follow();
  });
}

void SettingsOpening::follow() {
  if (m_dialog) m_dialog->follow();
}

SettingsDialog* SettingsOpening::open() {
  if (!m_dialog) {
    m_dialog = new SettingsDialog(settingTable(m_owners), m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  }
  showInFront(*m_dialog);
  return m_dialog;
}

void SettingsOpening::openAt(const QString& key) { open()->showAt(key); }

std::vector<PaletteEntry> SettingsOpening::entries() {
  std::vector<PaletteEntry> entries;
  for (const Setting& setting : settingTable(m_owners))
    entries.push_back({.title = setting.name,
                       .path = SettingsDialog::tr("Settings"),
                       .help = setting.help,
                       .run = [this, key = setting.key] { openAt(key); }});
  return entries;
}

}  // namespace vitrine

#include "moc_settings_opening.cpp"
