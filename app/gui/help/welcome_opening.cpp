#include "gui/help/welcome_opening.h"

#include <QAction>
#include <QPushButton>
#include <QShortcut>
#include <utility>

#include "gui/settings/settings.h"

namespace vitrine {

WelcomeOpening::WelcomeOpening(Settings& settings, WelcomeWays ways, QWidget* window)
    : QObject(window), m_settings(settings), m_ways(std::move(ways)), m_window(window) {}

bool WelcomeOpening::openAtFirstStart() {
  if (!m_settings.isFirstStart()) return false;
  m_isFirst = true;
  open();
  return true;
}

bool WelcomeOpening::leave() {
  const bool wasFirst = std::exchange(m_isFirst, false);
  if (m_dialog) m_dialog->reject();
  return wasFirst;
}

WelcomeDialog* WelcomeOpening::open() {
  if (m_dialog) return m_dialog;
  m_dialog = new WelcomeDialog(m_window);
  m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(m_dialog, &WelcomeDialog::chosen, this, &WelcomeOpening::lead);
  connect(m_dialog, &QDialog::rejected, this, [this] {
    if (std::exchange(m_isFirst, false)) m_ways.byDefault();
  });
  connect(m_dialog, &QDialog::finished, this, [this] { m_settings.isWelcomed.set(true); });
  for (const WelcomeKey& key : m_ways.keys()) hear(key);
  m_dialog->open();
  return m_dialog;
}

// The window behind the page hears no key.
void WelcomeOpening::hear(const WelcomeKey& key) {
  connect(new QShortcut(key.place->shortcut(), m_dialog), &QShortcut::activated, m_dialog,
          [dialog = m_dialog.data(), key] {
            if (key.door) return dialog->button(*key.door)->click();
            dialog->reject();
            key.place->trigger();
          });
}

void WelcomeOpening::lead(WelcomeChoice choice) {
  m_isFirst = false;
  switch (choice) {
    case WelcomeChoice::kLookInside:
      return m_ways.lookInside();
    case WelcomeChoice::kChat:
      return m_ways.chat();
    case WelcomeChoice::kOwnModel:
      return m_ways.ownModel();
  }
}

}  // namespace vitrine

#include "moc_welcome_opening.cpp"
