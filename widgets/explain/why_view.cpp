#include "widgets/explain/why_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/explain/why_list.h"
#include "widgets/painting/table_twin.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {

WhyView::WhyView(WhyModel* model, QWidget* parent) : QWidget(parent), m_model(model) {
  setFont(readable(font()));
  setAccessibleName(tr("Why this step?"));
  auto* layout = withoutMargins(new QVBoxLayout(this));
  layout->setSpacing(0);
  makeList();
  layout->addWidget(m_list, 1);
  model->followSightOf(this);
  connect(model, &SessionModel::refreshed, this, &WhyView::onRefreshed);
}

void WhyView::makeList() {
  m_list = new WhyList(m_model, this);
  m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(tr("&Copy the explanation"), m_list);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, &WhyView::copyText);
  m_list->addAction(copy);
  new TableTwin(m_model, m_list);
  connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& current) {
            if (!current.isValid() || current.row() >= m_model->rowCount()) return;
            const SequenceId sequence = m_model->at(current.row()).sequence;
            if (sequence != 0) emit sequenceSelected(sequence);
          });
  connect(m_list, &WhyList::followed, this, &WhyView::follow);
}

// A step of a sequence is the one shown; of a request it is the first sequence that is shown.
void WhyView::follow(const prose::Target& target) {
  SequenceId sequence = target.sequence;
  const auto& requests = m_model->session()->state().requests;
  if (const auto found = requests.find(target.request); sequence == 0 && found != requests.end())
    sequence = found->second.sequences.front();
  if (sequence != 0) emit sequenceSelected(sequence);
  if (!target.blocks.empty()) emit blockRequested(target.blocks.front());
  if (target.sequence == 0 && target.step != 0) emit stepRequested(target.step);
}

void WhyView::onRefreshed() {
  if (!isVisible()) return;
  m_list->doItemsLayout();
  emit summaryChanged(summary());
  if (!bringStop()) showNewest();
}

void WhyView::showStop(const BreakHit& hit) {
  m_stop = hit;
  m_stopShown = false;
  bringStop();
}

// The sentences come with the events of the step, which may arrive later than the stop.
bool WhyView::bringStop() {
  if (!m_stop || !isVisible()) return false;
  if (m_stop->step != m_model->session()->step()) {
    if (m_stopShown) m_stop.reset();
    return false;
  }
  if (m_stopShown) return true;
  const int row = m_model->rowOf(*m_stop);
  if (row < 0) return false;
  m_stopShown = true;
  m_list->choose(row);
  return true;
}

// Scrolls when a phase has begun or another step is shown: its sentences come last in a list that is often
// longer than the view. What came before the step may leave the view.
void WhyView::showNewest() {
  const std::vector<WhyRow>& rows = m_model->rows();
  const auto last = std::find_if(rows.rbegin(), rows.rend(),
                                 [](const WhyRow& row) { return row.section != WhyRow::kAfter; });
  if (last == rows.rend()) return;
  const std::pair shown{m_model->session()->step(), last->section};
  if (std::exchange(m_shown, shown) == shown) return;
  const auto topOf = [&](auto of) {
    const auto row = std::find_if(rows.begin(), rows.end(), of);
    return m_list->visualRect(m_list->indexOf(static_cast<int>(row - rows.begin()))).top();
  };
  const int end = m_list->visualRect(m_list->indexOf(static_cast<int>(rows.rend() - last) - 1)).bottom();
  const int step =
      topOf([&](const WhyRow& row) { return row.section != WhyRow::kBefore || last->section < 0; });
  const int newest = topOf([&](const WhyRow& row) { return row.section == last->section; });
  const int height = m_list->viewport()->height();
  // The whole step where it fits; else the newest phase at the bottom, or from its beginning.
  const int by = end - step < height ? step : end - newest < height ? end + 1 - height : newest;
  m_list->verticalScrollBar()->setValue(m_list->verticalScrollBar()->value() + by);
}

QString WhyView::plainText() const {
  QStringList lines{m_model->title()};
  int section = -1;
  for (const WhyRow& row : m_model->rows()) {
    if (row.section != section) lines << QString() << WhyModel::sectionName(row.section);
    section = row.section;
    lines << tr("– %1").arg(row.text);
  }
  return lines.join(u'\n');
}

void WhyView::copyText() const { QApplication::clipboard()->setText(plainText()); }

void WhyView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  onRefreshed();
}

}  // namespace vitrine

#include "moc_why_view.cpp"
