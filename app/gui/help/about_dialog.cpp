#include "gui/help/about_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableWidget>

#include "gui/help/built_with.h"
#include "gui/parts/screen_fit.h"
#include "gui/parts/small_parts.h"
#include "vitrine/program_files.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

AboutDialog::AboutDialog(const QString& diagnostics, QWidget* parent)
    : QDialog(parent),
      m_pages(new QTabWidget(this)),
      m_libraries(new QTableWidget(this)),
      m_diagnostics(new QPlainTextEdit(diagnostics, this)),
      m_copy(plainButton(tr("&Copy diagnostics"),
                         tr("For a report of a problem. It has no text, title or path of yours"), this)) {
  setWindowTitle(tr("About Vitrine"));
  setFont(readable(font()));
  auto* words = new QLabel(tr("Vitrine %1 shows how LLM inference works, in an engine that really runs.\n"
                              "Free software under the GNU General Public License, version 3 or later.")
                               .arg(QString::fromLatin1(version())),
                           this);
  words->setWordWrap(true);
  fillLibraries();
  m_diagnostics->setReadOnly(true);
  m_diagnostics->setTabChangesFocus(true);
  m_diagnostics->setAccessibleName(tr("Diagnostics"));
  m_pages->addTab(m_libraries, tr("&Built with"));
  m_pages->addTab(m_diagnostics, tr("&Diagnostics"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(m_copy, &QPushButton::clicked, this, [this] {
    QApplication::clipboard()->setText(m_diagnostics->toPlainText());
    m_pages->setCurrentWidget(m_diagnostics);  // what was copied is in sight
  });
  addParts(new QVBoxLayout(this), {words, {m_pages, 1}, buttons});
  resize(80 * fontMetrics().averageCharWidth(), 24 * fontMetrics().lineSpacing());
  setMinimumSize(320, 240);
  new ScreenFit(this);
}

void AboutDialog::fillLibraries() {
  const std::vector<UsedLibrary> all = builtWith();
  m_libraries->setColumnCount(4);
  m_libraries->setHorizontalHeaderLabels({tr("Library"), tr("Version"), tr("Licence"), tr("Used for")});
  m_libraries->setRowCount(static_cast<int>(all.size()));
  m_libraries->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_libraries->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_libraries->setTabKeyNavigation(false);
  m_libraries->verticalHeader()->hide();
  m_libraries->setAccessibleName(tr("Libraries that Vitrine is built with"));
  for (int row = 0; row < m_libraries->rowCount(); ++row) {
    const UsedLibrary& one = all[static_cast<std::size_t>(row)];
    const QString use = one.optional ? tr("%1, where it is installed").arg(one.use) : one.use;
    int column = 0;
    for (const QString& text :
         {one.name, one.version.isEmpty() ? tr("not told") : one.version, one.licence, use})
      m_libraries->setItem(row, column++, new QTableWidgetItem(text));
  }
  m_libraries->resizeColumnsToContents();
  m_libraries->horizontalHeader()->setStretchLastSection(true);
  m_libraries->setCurrentCell(0, 0);
}

}  // namespace vitrine

#include "moc_about_dialog.cpp"
