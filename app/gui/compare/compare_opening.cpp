#include "gui/compare/compare_opening.h"

#include <utility>

#include "gui/compare/compare_window.h"
#include "gui/parts/screen_fit.h"

namespace vitrine {

CompareOpening::CompareOpening(QWidget* window) : QObject(window), m_parent(window) {}

CompareWindow& CompareOpening::window() {
  if (m_window == nullptr) {
    m_window = new CompareWindow(m_parent);
    new ScreenFit(m_window);
  }
  showInFront(*m_window);
  return *m_window;
}

CompareWindow* CompareOpening::open(Scenario scenario) {
  window().compare(std::move(scenario));
  return m_window;
}

CompareWindow* CompareOpening::open(Scenario one, Scenario other) {
  window().compare(std::move(one), std::move(other));
  return m_window;
}

}  // namespace vitrine

#include "moc_compare_opening.cpp"
