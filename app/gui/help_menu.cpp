#include "help_menu.h"

#include <QMessageBox>

#include "glossary_dialog.h"
#include "vitrine/program_files.h"
#include "widgets/support/glossary_tips.h"

namespace vitrine {

HelpMenu::HelpMenu(QWidget* parent) : QMenu(tr("&Help"), parent) {
  new LabelTips(this);
  QAction* glossary = addAction(tr("&Glossary…"), this, [this, parent] { showGlossary(parent); });
  glossary->setShortcut(QKeySequence::HelpContents);
  addSeparator();
  addAction(tr("&About Vitrine"), this, [parent] {
    QMessageBox::about(parent, tr("About Vitrine"),
                       tr("Vitrine %1 shows how LLM inference works, in an engine that really runs.\n\n"
                          "Free software under the GNU General Public License, version 3 or later.")
                           .arg(QString::fromLatin1(version())));
  });
  addAction(tr("About &Qt"), this, [parent] { QMessageBox::aboutQt(parent); });
}

void HelpMenu::showGlossary(QWidget* parent) {
  auto* dialog = parent->findChild<GlossaryDialog*>();
  if (dialog == nullptr) {
    dialog = new GlossaryDialog(parent);
    connect(dialog, &GlossaryDialog::scenarioRequested, this, &HelpMenu::scenarioRequested);
  }
  if (const prose::Term* term = termInSight()) dialog->choose(*term);
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

}  // namespace vitrine
