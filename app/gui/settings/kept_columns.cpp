#include "gui/settings/kept_columns.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <algorithm>

#include "widgets/painting/data_table_view.h"

namespace vitrine {

namespace {

// What is kept: the widths by the names of their columns, the name of the column that sorts, and whether the
// largest stands first.
const QString kWidths = QStringLiteral("widths"), kSortedBy = QStringLiteral("sortedBy"),
              kDescending = QStringLiteral("descending");
constexpr int kWidestColumn = 4000;

}  // namespace

KeptColumns::KeptColumns(DataTableView* table, const Stored<QVariantMap>& kept, const QStringList& names,
                         int rest, Sorting usual)
    : QObject(table),
      m_table(table),
      m_header(table->horizontalHeader()),
      m_kept(kept),
      m_names(names),
      m_rest(rest),
      m_usual(usual),
      m_reset(new QAction(tr("&Reset the columns"), this)) {
  table->leaveColumns();
  m_header->setStretchLastSection(false);
  m_header->setResizeContentsPrecision(0);  // the rows in sight: there may be thousands
  m_header->setSectionResizeMode(QHeaderView::Interactive);
  m_header->setSectionResizeMode(rest, QHeaderView::Stretch);
  m_header->setSectionsClickable(true);
  m_header->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_header->addAction(m_reset);
  table->addAction(m_reset);
  connect(m_reset, &QAction::triggered, this, &KeptColumns::goBack);
  sort();
  table->setSortingEnabled(true);
  connect(m_header, &QHeaderView::sortIndicatorChanged, this, &KeptColumns::onSorted);
  connect(m_header, &QHeaderView::sectionResized, this, &KeptColumns::onResized);
  m_fitSoon.setSingleShot(true);
  m_fitSoon.setInterval(0);
  connect(&m_fitSoon, &QTimer::timeout, this, &KeptColumns::fit);
  const auto fitSoon = [this] { m_fitSoon.start(); };
  connect(table->model(), &QAbstractItemModel::rowsInserted, this, fitSoon);
  connect(table->model(), &QAbstractItemModel::dataChanged, this, fitSoon);
  connect(table->model(), &QAbstractItemModel::modelReset, this, fitSoon);
  table->installEventFilter(this);
  fit();
}

// Letters of another size need other widths.
bool KeptColumns::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::Show) m_fitSoon.start();
  return QObject::eventFilter(watched, event);
}

QVariantMap KeptColumns::widths() const { return m_kept()[kWidths].toMap(); }

void KeptColumns::sort() {
  const QVariantMap kept = m_kept();
  const int column = static_cast<int>(m_names.indexOf(kept[kSortedBy].toString()));
  if (column < 0) return m_header->setSortIndicator(m_usual.column, m_usual.order);
  m_header->setSortIndicator(column, kept[kDescending].toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void KeptColumns::fit() {
  const QScopedValueRollback fitting(m_isFitting, true);
  const QVariantMap kept = widths();
  for (int column = 0; column < m_names.size(); ++column) {
    const int wanted = kept[m_names[column]].toInt();
    if (column == m_rest) continue;
    if (wanted > 0)
      m_header->resizeSection(column, std::clamp(wanted, m_header->minimumSectionSize(), kWidestColumn));
    else
      m_table->resizeColumnToContents(column);
  }
}

// Hiding and showing a column change its width, too.
void KeptColumns::onResized(int column, int before, int now) {
  if (m_isFitting || column == m_rest || column >= m_names.size() || before == 0 || now == 0) return;
  QVariantMap kept = m_kept(), all = widths();
  all.insert(m_names[column], now);
  kept.insert(kWidths, all);
  m_kept.set(kept);
}

void KeptColumns::onSorted(int column, Qt::SortOrder order) {
  if (column < 0 || column >= m_names.size()) return;
  QVariantMap kept = m_kept();
  kept.insert(kSortedBy, m_names[column]);
  kept.insert(kDescending, order == Qt::DescendingOrder);
  m_kept.set(kept);
}

void KeptColumns::goBack() {
  m_header->setSortIndicator(m_usual.column, m_usual.order);
  m_kept.set({});
  fit();
}

}  // namespace vitrine

#include "moc_kept_columns.cpp"
