#include "widgets/requests/requests_view.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScopedValueRollback>

#include "widgets/painting/table_twin.h"
#include "widgets/requests/request_cards.h"

namespace vitrine {

RequestsView::RequestsView(RequestListModel* model, QWidget* parent)
    : SpokenList(parent),
      m_model(model),
      m_order(new RequestOrder(model, this)),
      m_cards(new RequestCards(this, m_order)),
      m_twin(new TableTwin(model, this)) {
  setFont(readable(font()));
  setAccessibleName(tr("Requests"));
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setResizeMode(Adjust);
  setModel(m_order);
  setItemDelegate(m_cards);
  model->followSightOf(this);
  connect(model, &SessionModel::refreshed, this, [this] {
    if (!isVisible()) return;
    // The session may have chosen a sequence before its row came, and a row may have moved.
    const int selected = m_model->session()->selectedSequence();
    const QModelIndex current = currentIndex();
    if (!current.isValid() || m_order->rowAt(current).sequence != selected) select(selected);
    fitCards();
    scheduleDelayedItemsLayout();  // a row changes its height when it becomes the first of its group
    emit summaryChanged(summary());
  });
  connect(model->session(), &Session::selectionChanged, this, &RequestsView::select);
  connect(model->session()->spotlight(), &Spotlight::changed, viewport(), qOverload<>(&QWidget::update));
}

void RequestsView::select(int sequence) {
  const QScopedValueRollback guard(m_selecting, true);
  m_order->setSelected(sequence);
  const int row = m_model->rowOf(sequence);
  const QModelIndex index = row < 0 ? QModelIndex() : m_order->mapFromSource(m_model->index(row, 0));
  selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
}

void RequestsView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  SpokenList::currentChanged(current, previous);
  if (m_selecting || !current.isValid()) return;
  emit sequenceSelected(current.data(RequestListModel::kSequenceRole).toInt());
}

// A row that leaves the list, since its request is forgotten or folded, selects no other request.
void RequestsView::rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) {
  const QScopedValueRollback guard(m_selecting, true);
  SpokenList::rowsAboutToBeRemoved(parent, start, end);
}

void RequestsView::setUnfolded(int request, bool unfolded) {
  m_order->setUnfolded(request, unfolded);
  select(m_model->session()->selectedSequence());
}

void RequestsView::setShowsAllFinished(bool all) {
  m_order->setShowsAllFinished(all);
  select(m_model->session()->selectedSequence());
}

bool RequestsView::showsAllFinished() const { return m_order->showsAllFinished(); }

// A card that stands for all answers of its request speaks of all of them.
void RequestsView::mouseMoveEvent(QMouseEvent* event) {
  SpokenList::mouseMoveEvent(event);
  const QModelIndex index = indexAt(event->pos());
  prose::Target target;
  if (index.isValid()) {
    const RequestRow& row = m_order->rowAt(index);
    target.request = row.request;
    if (row.siblings.isEmpty() || m_order->isUnfolded(row.request)) target.sequence = row.sequence;
  }
  m_model->session()->spotlight()->point(target);
}

void RequestsView::leaveEvent(QEvent* event) {
  SpokenList::leaveEvent(event);
  m_model->session()->spotlight()->clear();
}

void RequestsView::mousePressEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->pos());
  if (event->button() == Qt::LeftButton && index.isValid()) {
    const QRect row = visualRect(index);
    const RequestRow& request = m_order->rowAt(index);
    if (m_cards->titleRect(row, index).contains(event->pos())) {
      if (request.requestGroup == RequestGroup::kFinished && m_order->hasManyFinished())
        setShowsAllFinished(!showsAllFinished());
      return;
    }
    if (m_cards->foldRect(row, index).contains(event->pos()))
      return setUnfolded(request.request, !m_order->isUnfolded(request.request));
  }
  SpokenList::mousePressEvent(event);
}

void RequestsView::showTable() { m_twin->setOpen(true); }

void RequestsView::paintEvent(QPaintEvent* event) {
  SpokenList::paintEvent(event);
  if (m_order->rowCount() == 0) {
    paintEmpty(this, tr("No requests yet: each message of a chat becomes one."));
  }
}

void RequestsView::showEvent(QShowEvent* event) {
  SpokenList::showEvent(event);
  select(m_model->session()->selectedSequence());
  emit summaryChanged(summary());
}

void RequestsView::resizeEvent(QResizeEvent* event) {
  SpokenList::resizeEvent(event);
  fitCards();
  scheduleDelayedItemsLayout();
}

// A card loses its second line of words before a running or waiting request is out of sight.
void RequestsView::fitCards() {
  m_cards->setRoomy(true);
  int height = 0;
  for (int row = 0; row < m_order->rowCount() && height <= viewport()->height(); ++row) {
    const QModelIndex index = m_order->index(row, 0);
    if (m_order->rowAt(index).requestGroup == RequestGroup::kFinished) break;  // the last group
    height += m_cards->sizeHint({}, index).height();
  }
  m_cards->setRoomy(height <= viewport()->height());
}

void RequestsView::changeEvent(QEvent* event) {
  SpokenList::changeEvent(event);
  if (event->type() == QEvent::FontChange && font() != readable(font())) setFont(readable(font()));
}

void RequestsView::contextMenuEvent(QContextMenuEvent* event) {
  const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
  const QModelIndex index = byMouse ? indexAt(event->pos()) : currentIndex();
  QMenu menu(this);
  if (index.isValid()) addRequestActions(menu, m_order->rowAt(index));
  if (m_order->hasManyFinished()) {
    QAction* all =
        menu.addAction(tr("Show &all finished requests"), this, &RequestsView::setShowsAllFinished);
    all->setCheckable(true);
    all->setChecked(showsAllFinished());
  }
  menu.addAction(m_twin->action());
  menu.exec(byMouse || !index.isValid() ? event->globalPos()
                                        : viewport()->mapToGlobal(visualRect(index).center()));
}

void RequestsView::addRequestActions(QMenu& menu, const RequestRow& row) {
  const RequestId request = row.request;
  QAction* stop =
      menu.addAction(tr("&Stop this request"), this, [this, request] { emit cancelRequested(request); });
  stop->setShortcut(Qt::Key_Delete);
  stop->setEnabled(row.requestGroup != RequestGroup::kFinished);
  menu.addAction(tr("&Copy its text"), this, [this, request] { emit copyRequested(request); });
  menu.addAction(tr("Show its &events"), this, [this, request] { emit eventsRequested(request); });
  if (!row.siblings.isEmpty()) {
    QAction* unfold =
        menu.addAction(tr("Show each answe&r"), this, [this, request](bool on) { setUnfolded(request, on); });
    unfold->setCheckable(true);
    unfold->setChecked(m_order->isUnfolded(request));
  }
  menu.addSeparator();
}

void RequestsView::keyPressEvent(QKeyEvent* event) {
  // PageUp and PageDown step the machine, wherever the focus is.
  if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown) return event->ignore();
  if (currentIndex().isValid()) {
    const RequestRow& row = m_order->rowAt(currentIndex());
    if (event->key() == Qt::Key_Delete) {
      if (row.requestGroup != RequestGroup::kFinished) emit cancelRequested(row.request);
      return;
    }
    if (!row.siblings.isEmpty() && (event->key() == Qt::Key_Right || event->key() == Qt::Key_Left))
      return setUnfolded(row.request, event->key() == Qt::Key_Right);
  }
  SpokenList::keyPressEvent(event);
}

}  // namespace vitrine

#include "moc_requests_view.cpp"
