#include "widgets/views/requests_view.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <algorithm>
#include <array>

#include "widgets/support/formats.h"
#include "widgets/views/row_delegate.h"

namespace vitrine {
namespace {

QString groupTitle(int group, int count) {
  switch (static_cast<RequestGroup>(group)) {
    case RequestGroup::kRunning:
      return RequestsView::tr("Running · %1").arg(count);
    case RequestGroup::kWaiting:
      return RequestsView::tr("Waiting · %1").arg(count);
    case RequestGroup::kDone:
      return RequestsView::tr("Done · %1").arg(count);
  }
  return {};
}

int groupOf(const QModelIndex& index) { return index.data(RequestListModel::kGroupRole).toInt(); }

bool startsGroup(const QModelIndex& index) {
  return index.row() == 0 || groupOf(index.siblingAtRow(index.row() - 1)) != groupOf(index);
}

class RequestDelegate final : public RowDelegate {
 public:
  RequestDelegate(QAbstractItemView* view, const RequestListModel* model, const QSortFilterProxyModel* sorted)
      : RowDelegate(view), m_model(model), m_sorted(sorted) {}

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const int line = QFontMetrics(font()).height();
    const RequestRow& row = m_model->at(m_sorted->mapToSource(index).row());
    const int lines = (row.group == RequestGroup::kDone ? 2 : 3) + (row.miss.isEmpty() ? 0 : 1);
    return {rowWidth(), lines * line + 24 + (startsGroup(index) ? line + 12 : 0)};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(font());
    QRectF area = option.rect;
    const double line = QFontMetricsF(font()).height();
    if (startsGroup(index)) {
      paintTitle(*painter, QRectF(area.left() + 12, area.top() + 4, area.width() - 24, line + 6),
                 groupOf(index));
      area.setTop(area.top() + line + 12);
    }
    paintGround(*painter, area, option);
    paintRow(*painter, area.adjusted(12, 7, -12, -7), m_model->at(m_sorted->mapToSource(index).row()));
    painter->restore();
  }

 private:
  void paintTitle(QPainter& painter, const QRectF& area, int group) const {
    int count = 0;
    for (const RequestRow& row : m_model->rows()) count += static_cast<int>(row.group) == group ? 1 : 0;
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme().dimText());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, groupTitle(group, count));
    painter.setFont(font());
  }

  void paintRow(QPainter& painter, const QRectF& area, const RequestRow& row) const {
    const Theme colours = theme();
    const QFontMetricsF metrics(font());
    const double line = metrics.height();
    const QSizeF chip = chipSize(font(), row.letter);
    paintChip(painter, QRectF(area.topLeft(), chip), row.request, row.letter, colours);

    const double left = area.left() + chip.width() + 10, width = area.right() - left;
    painter.setPen(row.group == RequestGroup::kDone ? colours.dimText() : colours.text());
    painter.drawText(QRectF(left, area.top() + 2, width, line), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(row.name.simplified(), Qt::ElideRight, width));
    painter.setPen(row.group == RequestGroup::kWaiting ? colours.warning() : colours.dimText());
    painter.drawText(QRectF(left, area.top() + line + 3, width, line), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(row.status, Qt::ElideRight, width));
    double next = area.top() + 2 * line + 5;
    if (row.group != RequestGroup::kDone) {
      paintProgress(painter, QRectF(left, next, width, line), row);
      next += line;
    }
    painter.setPen(colours.dimText());
    painter.drawText(QRectF(left, next, width, line), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(row.miss, Qt::ElideRight, width));
  }

  // Computed tokens as a bar, and the same in words with the blocks, the unit of memory.
  void paintProgress(QPainter& painter, const QRectF& area, const RequestRow& row) const {
    const Theme colours = theme();
    const QFontMetricsF metrics(font());
    QString words =
        RequestsView::tr("%1 of %2").arg(formatCount(row.computedTokens), formatCount(row.totalTokens));
    const QString blocks = QStringLiteral(" · ") + RequestsView::tr("%n block(s)", nullptr, row.blocks);
    if (row.blocks > 0 && metrics.horizontalAdvance(words + blocks) < area.width()) words += blocks;
    const double textWidth = std::min(area.width(), metrics.horizontalAdvance(words) + 2);
    painter.setPen(colours.dimText());
    painter.drawText(QRectF(area.right() - textWidth, area.top(), textWidth, area.height()),
                     Qt::AlignRight | Qt::AlignVCenter, words);
    QRectF bar(area.left(), area.center().y() - 3, area.width() - textWidth - 10, 6);
    if (bar.width() < 24) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(colours.base(), colours.text(), 0.14));
    painter.drawRoundedRect(bar, 3, 3);
    const int whole = std::max(1, row.promptTokens + row.maxTokens);
    const auto part = [&](int tokens) { return bar.width() * std::clamp(tokens / double(whole), 0.0, 1.0); };
    painter.setBrush(mix(colours.base(), colours.text(), 0.32));
    painter.drawRoundedRect(QRectF(bar.left(), bar.top(), part(row.totalTokens), bar.height()), 3, 3);
    painter.setBrush(colours.accent());
    painter.drawRoundedRect(QRectF(bar.left(), bar.top(), part(row.computedTokens), bar.height()), 3, 3);
  }

  const RequestListModel* m_model;
  const QSortFilterProxyModel* m_sorted;
};

// Running first, then the queue, then the newest finished ones.
class RequestOrder final : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override {
    const int groupA = groupOf(a), groupB = groupOf(b);
    if (groupA != groupB) return groupA < groupB;
    const bool done = groupA == static_cast<int>(RequestGroup::kDone);
    return done ? a.row() > b.row() : a.row() < b.row();
  }
};

}  // namespace

RequestsView::RequestsView(RequestListModel* model, QWidget* parent)
    : QListView(parent), m_model(model), m_sorted(new RequestOrder(this)) {
  setFont(readable(font()));
  setAccessibleName(tr("Requests"));
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setResizeMode(Adjust);
  m_sorted->setSourceModel(model);
  m_sorted->setDynamicSortFilter(true);
  m_sorted->sort(0);
  setModel(m_sorted);
  setItemDelegate(new RequestDelegate(this, model, m_sorted));
  model->setWatched(this, false);
  // Rows change height when a group's first row changes.
  connect(model, &SessionModel::refreshed, this, [this] {
    if (!isVisible()) return;
    scheduleDelayedItemsLayout();
    if (const QString now = summary(); now != m_summary) emit summaryChanged(m_summary = now);
  });
  connect(model->session(), &Session::selectionChanged, this, &RequestsView::select);
}

QString RequestsView::summary() const {
  std::array<int, 3> counts{};
  for (const RequestRow& row : m_model->rows()) ++counts[static_cast<std::size_t>(row.group)];
  const auto [run, wait, done] = counts;
  QStringList parts;
  if (run > 0) parts << tr("%n run(s)", "running sequences", run);
  if (wait > 0) parts << tr("%n wait(s)", "waiting sequences", wait);
  if (done > 0) parts << tr("%1 done").arg(done);
  return parts.join(QStringLiteral(" · "));
}

void RequestsView::select(int sequence) {
  const int row = m_model->rowOf(sequence);
  m_selecting = true;
  const QModelIndex index = row < 0 ? QModelIndex() : m_sorted->mapFromSource(m_model->index(row, 0));
  selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
  m_selecting = false;
}

void RequestsView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QListView::currentChanged(current, previous);
  if (m_selecting || !current.isValid()) return;
  emit sequenceSelected(current.data(RequestListModel::kSequenceRole).toInt());
}

void RequestsView::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (m_sorted->rowCount() == 0) {
    paintEmpty(this, tr("No requests yet. Write something in the chat."));
  }
}

void RequestsView::showEvent(QShowEvent* event) {
  QListView::showEvent(event);
  m_model->setWatched(this, true);
  select(m_model->session()->selectedSequence());
}

void RequestsView::hideEvent(QHideEvent* event) {
  QListView::hideEvent(event);
  m_model->setWatched(this, false);
}

void RequestsView::resizeEvent(QResizeEvent* event) {
  QListView::resizeEvent(event);
  scheduleDelayedItemsLayout();
}

void RequestsView::changeEvent(QEvent* event) {
  QListView::changeEvent(event);
  if (event->type() == QEvent::FontChange && font() != readable(font())) setFont(readable(font()));
}

void RequestsView::contextMenuEvent(QContextMenuEvent* event) {
  const QModelIndex index =
      event->reason() == QContextMenuEvent::Mouse ? indexAt(event->pos()) : currentIndex();
  if (!index.isValid()) return;
  const int request = index.data(RequestListModel::kRequestRole).toInt();
  QMenu menu(this);
  QAction* stop =
      menu.addAction(tr("&Stop this request"), this, [this, request] { emit cancelRequested(request); });
  stop->setShortcut(Qt::Key_Delete);
  stop->setEnabled(groupOf(index) != static_cast<int>(RequestGroup::kDone));
  menu.addAction(tr("&Copy its text"), this, [this, request] { emit copyRequested(request); });
  menu.exec(event->reason() == QContextMenuEvent::Mouse
                ? event->globalPos()
                : viewport()->mapToGlobal(visualRect(index).center()));
}

void RequestsView::keyPressEvent(QKeyEvent* event) {
  const QModelIndex index = currentIndex();
  if (event->key() == Qt::Key_Delete && index.isValid()) {
    if (groupOf(index) != static_cast<int>(RequestGroup::kDone)) {
      emit cancelRequested(index.data(RequestListModel::kRequestRole).toInt());
    }
    return;
  }
  // PageUp and PageDown step the machine, wherever the focus is.
  if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown) return event->ignore();
  QListView::keyPressEvent(event);
}

}  // namespace vitrine
