#include "gui/bench/bench_table_card.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QStackedLayout>
#include <QToolButton>
#include <algorithm>

#include "gui/bench/bench_table_model.h"
#include "gui/parts/file_name.h"
#include "vitrine/output_file.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/notice.h"

namespace vitrine {

BenchTableCard::BenchTableCard(Session& session, QWidget* parent)
    : HeadedCard(parent),
      m_session(session),
      m_label(new QLabel(tr("Ta&ble"), this)),
      m_choice(new QComboBox(this)),
      m_pages(new QStackedLayout) {
  m_label->setBuddy(m_choice);
  m_choice->setAccessibleName(tr("Table"));
  m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_choice->setMinimumContentsLength(12);
  addParts(head(), {m_label, m_choice})->addStretch(1);
  connect(addCommand(tr("Copy as CSV"), tr("Copy the table with all its numbers and their spreads")),
          &QToolButton::clicked, this, [this] { table()->copyCsv(); });
  connect(addCommand(tr("Save as CSV…"), tr("Save the table with all its numbers and their spreads")),
          &QToolButton::clicked, this, &BenchTableCard::askAndSave);
  column()->addLayout(m_pages, 1);
  connect(m_choice, &QComboBox::currentIndexChanged, m_pages, &QStackedLayout::setCurrentIndex);
}

void BenchTableCard::show(const BenchResults& results) {
  const auto longest =
      std::ranges::max_element(results.tables, {}, [](const BenchTable& table) { return table.rows.size(); });
  const QString chosen =
      m_choice->count() > 0 ? m_choice->currentText() : QString::fromStdString(longest->title);
  m_choice->clear();
  while (m_pages->count() > 0) delete m_pages->widget(0);
  for (const BenchTable& table : results.tables) addTable(table);
  m_choice->setCurrentIndex(std::max(0, m_choice->findText(chosen)));
  updateGeometry();
}

QSize BenchTableCard::sizeHint() const {
  constexpr int kFewest = 4, kMost = 6;
  const int rows = std::clamp(m_pages->count() > 0 ? table()->model()->rowCount() : 0, kFewest, kMost);
  const int line = fontMetrics().height() + 8;  // as DataTableView has them
  return {HeadedCard::sizeHint().width(), (rows + 4) * line};
}

void BenchTableCard::addTable(const BenchTable& table) {
  const QString title = QString::fromStdString(table.title);
  auto* rows = new BenchTableModel(&m_session, table);
  auto* view = new DataTableView(rows, {}, this);
  rows->setParent(view);
  view->makeCsvModel = [rows] { return rows->withSpreads(); };
  view->setAccessibleName(title);
  QHeaderView* header = view->horizontalHeader();
  header->setStretchLastSection(false);
  view->resizeColumnToContents(rows->columnCount() - 1);  // the others when they are shown
  header->setSortIndicatorClearable(true);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  header->setSectionsClickable(true);
  view->setSortingEnabled(true);
  m_pages->addWidget(view);
  m_choice->addItem(title);
}

DataTableView* BenchTableCard::table() const { return static_cast<DataTableView*>(m_pages->currentWidget()); }

void BenchTableCard::saveCsv(const QString& file) const {
  const QByteArray bytes = table()->csv().toUtf8();
  OutputFile out(QFile::encodeName(file).toStdString());
  out.write({bytes.data(), static_cast<std::size_t>(bytes.size())});
  out.finish();
}

void BenchTableCard::askAndSave() {
  const QString name = fileNameFor(m_choice->currentText(), tr("table"));
  const QString file = QFileDialog::getSaveFileName(this, tr("Save the table"), name + QStringLiteral(".csv"),
                                                    tr("Tables (*.csv)"));
  if (file.isEmpty()) return;
  try {
    saveCsv(file);
  } catch (const EngineError& error) {
    QMessageBox::warning(this, tr("The table was not saved"), noticeOf(error).text());
  }
}

}  // namespace vitrine

#include "moc_bench_table_card.cpp"
