#include "help_menu.h"

#include <QMessageBox>

#include "vitrine/program_files.h"

namespace vitrine {

HelpMenu::HelpMenu(QWidget* parent) : QMenu(tr("&Help"), parent) {
  addAction(tr("&About Vitrine"), this, [parent] {
    QMessageBox::about(parent, tr("About Vitrine"),
                       tr("Vitrine %1 shows how LLM inference works, in an engine that really runs.\n\n"
                          "Free software under the GNU General Public License, version 3 or later.")
                           .arg(QString::fromLatin1(version())));
  });
  addAction(tr("About &Qt"), this, [parent] { QMessageBox::aboutQt(parent); });
}

}  // namespace vitrine
