#include "gui/help/about_opening.h"

#include "gui/help/about_dialog.h"

namespace vitrine {

AboutOpening::AboutOpening(Facts facts, QWidget* window)
    : QObject(window), m_facts(std::move(facts)), m_window(window) {}

void AboutOpening::open() {
  auto* dialog = new AboutDialog(diagnosticsText(m_facts()), m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace vitrine

#include "moc_about_opening.cpp"
