#include "bench_table_card.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QStackedLayout>
#include <QTabBar>
#include <QToolButton>

#include "bench_table_model.h"
#include "card.h"
#include "file_name.h"
#include "vitrine/error.h"
#include "vitrine/output_file.h"
#include "widgets/support/table_export.h"
#include "widgets/views/data_table_view.h"

namespace vitrine {

BenchTableCard::BenchTableCard(Session& session, QWidget* parent)
    : BenchCard(parent), m_session(session), m_tabs(new QTabBar(this)), m_pages(new QStackedLayout) {
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setUsesScrollButtons(true);
  m_tabs->setAccessibleName(tr("Tables"));
  head()->addWidget(m_tabs, 1);
  connect(addCommand(tr("Copy as CSV"), tr("Copy the table with all its numbers and their spreads")),
          &QToolButton::clicked, this, [this] { table()->copyCsv(); });
  connect(addCommand(tr("Save as CSV…"), tr("Save the table with all its numbers and their spreads")),
          &QToolButton::clicked, this, &BenchTableCard::askAndSave);
  column()->addLayout(m_pages, 1);
  connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedLayout::setCurrentIndex);
}

void BenchTableCard::show(const BenchResults& results) {
  const int shown = m_tabs->currentIndex();
  while (m_tabs->count() > 0) m_tabs->removeTab(0);
  while (m_pages->count() > 0) delete m_pages->widget(0);
  for (const BenchTable& table : results.tables) addTable(table);
  m_tabs->setCurrentIndex(std::clamp(shown, 0, m_tabs->count() - 1));
  m_pages->setCurrentIndex(m_tabs->currentIndex());
}

void BenchTableCard::addTable(const BenchTable& table) {
  const QString title = QString::fromStdString(table.title);
  auto* rows = new BenchTableModel(&m_session, table);
  auto* view = new DataTableView(rows, {}, this);
  rows->setParent(view);
  view->setAccessibleName(title);
  for (int i = 0; i < rows->columnCount(); ++i) view->setColumnHidden(i, rows->isSpread(i));
  QHeaderView* header = view->horizontalHeader();
  header->setSortIndicatorClearable(true);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  header->setSectionsClickable(true);
  view->setSortingEnabled(true);
  m_pages->addWidget(view);
  m_tabs->addTab(title);
}

DataTableView* BenchTableCard::table() const { return static_cast<DataTableView*>(m_pages->currentWidget()); }

const BenchTableModel* BenchTableCard::model() const {
  return static_cast<const BenchTableModel*>(table()->model());
}

QString BenchTableCard::csv() const { return toCsv(*model()); }

void BenchTableCard::saveCsv(const QString& file) const {
  const QByteArray bytes = csv().toUtf8();
  OutputFile out(QFile::encodeName(file).toStdString());
  out.write({bytes.data(), static_cast<std::size_t>(bytes.size())});
  out.finish();
}

void BenchTableCard::askAndSave() {
  const QString name = fileNameFor(m_tabs->tabText(m_tabs->currentIndex()), tr("table"));
  const QString file = QFileDialog::getSaveFileName(this, tr("Save the table"), name + QStringLiteral(".csv"),
                                                    tr("Tables (*.csv)"));
  if (file.isEmpty()) return;
  try {
    saveCsv(file);
  } catch (const EngineError& error) {
    QMessageBox::warning(
        this, tr("The table was not saved"),
        QStringLiteral("%1\n%2").arg(QString::fromUtf8(error.what()), QString::fromStdString(error.hint())));
  }
}

}  // namespace vitrine
