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
#include "widgets/support/theme.h"

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
  if (!bringStop()) showStep();
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
  bring(row, row);
  return true;
}

// Scrolls when another step is shown and when a phase has begun: inside a step to the newest phase, of a
// whole step to the headline.
void WhyView::showStep() {
  const int last = m_model->rowCount() - 1;
  if (last < 0) return;
  const bool isInside = m_model->session()->isInsideStep();
  const int row = isInside ? m_model->firstOfSection(last) : m_model->headlineRow();
  const std::pair shown{m_model->session()->step(), row};
  if (std::exchange(m_shown, shown) != shown) bring(row, isInside ? last : row);
}

// To the top of the step, which what came before it may leave, or to the rows with their phase's name where
// the top would hide them. -1: no row.
void WhyView::bring(int first, int last) {
  const auto areaOf = [&](int row) { return m_list->visualRect(m_list->indexOf(row)); };
  const auto inStep = [](const WhyRow& row) { return row.section != WhyRow::kBefore; };
  const auto found = std::ranges::find_if(m_model->rows(), inStep);
  const int begin = found == m_model->rows().end() ? 0 : static_cast<int>(found - m_model->rows().begin());
  const int height = m_list->viewport()->height(), top = areaOf(begin).top();
  const bool isInSight = first < 0 || (areaOf(first).top() >= top && areaOf(last).bottom() - top < height);
  const int by = isInSight ? top : areaOf(m_model->firstOfSection(first)).top();
  m_list->verticalScrollBar()->setValue(m_list->verticalScrollBar()->value() + by);
  if (!isInSight) m_list->scrollTo(m_list->indexOf(first));
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
