#include "gui/load/load_opening.h"

#include "gui/load/load_window.h"
#include "gui/parts/screen_fit.h"
#include "gui/settings/settings.h"

namespace vitrine {

LoadOpening::LoadOpening(const Settings& settings, QWidget* window)
    : QObject(window), m_settings(settings), m_parent(window) {}

LoadWindow* LoadOpening::open(const std::optional<ApiAddress>& server) {
  if (m_window == nullptr) {
    m_window = new LoadWindow(m_settings.loadServers, m_parent);
    new ScreenFit(m_window);
  }
  showInFront(*m_window);
  if (server) m_window->add(*server);
  return m_window;
}

}  // namespace vitrine

#include "moc_load_opening.cpp"
