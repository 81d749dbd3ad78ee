#include "gui/help/help_menu.h"

#include <QMessageBox>

#include "gui/help/glossary_dialog.h"
#include "gui/parts/screen_fit.h"
#include "widgets/support/glossary_tips.h"

namespace vitrine {

HelpMenu::HelpMenu(QWidget* parent) : QMenu(tr("&Help"), parent) {
  new LabelTips(this);
  addAction(tr("&Find a command…"), Qt::CTRL | Qt::Key_K, this, &HelpMenu::commandsRequested);
  QAction* glossary = addAction(tr("&Glossary…"), this, [this, parent] { showGlossary(parent); });
  glossary->setShortcut(QKeySequence::HelpContents);
  addAction(tr("&Keyboard shortcuts"), Qt::CTRL | Qt::Key_Slash, this, &HelpMenu::shortcutsRequested);
  addAction(tr("&Welcome…"), this, &HelpMenu::welcomeRequested);
  addSeparator();
  addAction(tr("&About Vitrine"), this, &HelpMenu::aboutRequested);
  addAction(tr("About &Qt"), this, [parent] { QMessageBox::aboutQt(parent); });
}

void HelpMenu::showGlossary(QWidget* parent) {
  auto* dialog = parent->findChild<GlossaryDialog*>();
  if (dialog == nullptr) {
    dialog = new GlossaryDialog(parent);
    connect(dialog, &GlossaryDialog::scenarioRequested, this, &HelpMenu::scenarioRequested);
  }
  if (const prose::Term* term = termInSight()) dialog->choose(*term);
  showInFront(*dialog);
}

}  // namespace vitrine

#include "moc_help_menu.cpp"
