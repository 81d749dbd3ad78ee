#include "widgets/requests/request_cards.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <utility>

#include "widgets/painting/lit.h"
#include "widgets/requests/newest_words_painter.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr int kCardSide = 10, kCardPad = 10, kCardGap = 7, kCardIndent = 18;

// A triangle that points down while something is open, and to the right while it is folded.
void paintFold(QPainter& painter, const QRectF& area, bool open, const QColor& colour) {
  const QPointF c = area.center();
  QPainterPath path;
  path.addPolygon(open ? QPolygonF({c + QPointF(-4, -2), c + QPointF(4, -2), c + QPointF(0, 3)})
                       : QPolygonF({c + QPointF(-2, -4), c + QPointF(-2, 4), c + QPointF(3, 0)}));
  painter.fillPath(path, colour);
}

}  // namespace

RequestOrder::RequestOrder(RequestListModel* model, QObject* parent)
    : QSortFilterProxyModel(parent), m_model(model) {
  setSourceModel(model);
  setDynamicSortFilter(true);
  sort(0);
  // How many have finished decides about rows that have not changed themselves.
  connect(model, &SessionModel::refreshed, this, [this] {
    if (std::exchange(m_many, hasManyFinished()) != m_many) invalidateFilter();
  });
}

void RequestOrder::setSelected(SequenceId sequence) {
  const int row = m_model->rowOf(sequence);
  const RequestId request = row < 0 ? 0 : m_model->at(row).request;
  if (sequence == m_selected && request == m_selectedRequest) return;
  m_selected = sequence;
  m_selectedRequest = request;
  invalidateFilter();
}

void RequestOrder::setUnfolded(RequestId request, bool unfolded) {
  if (unfolded)
    m_unfolded.insert(request);
  else
    m_unfolded.erase(request);
  invalidateFilter();
}

void RequestOrder::setShowsAllFinished(bool all) {
  m_allFinished = all;
  invalidateFilter();
}

bool RequestOrder::startsGroup(const QModelIndex& index) const {
  return index.row() == 0 ||
         rowAt(index.siblingAtRow(index.row() - 1)).requestGroup != rowAt(index).requestGroup;
}

bool RequestOrder::isFace(const QModelIndex& index) const {
  const RequestRow& row = rowAt(index);
  return !isUnfolded(row.request) || row.index == 0;
}

bool RequestOrder::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  const RequestRow &first = m_model->at(a.row()), &second = m_model->at(b.row());
  if (first.requestGroup != second.requestGroup) return first.requestGroup < second.requestGroup;
  if (first.request == second.request) return first.index < second.index;
  const bool newestFirst = first.requestGroup == RequestGroup::kFinished;
  return newestFirst ? first.request > second.request : first.request < second.request;
}

bool RequestOrder::filterAcceptsRow(int sourceRow, const QModelIndex&) const {
  const RequestRow& row = m_model->at(sourceRow);
  if (row.requestGroup == RequestGroup::kFinished && hasManyFinished() && !m_allFinished &&
      row.finishedAfter >= kFewFinished && row.request != m_selectedRequest)
    return false;
  if (row.siblings.isEmpty() || isUnfolded(row.request)) return true;
  return row.request == m_selectedRequest ? row.sequence == m_selected : row.index == 0;
}

int RequestOrder::finishedShown() const {
  return hasManyFinished() && !m_allFinished ? kFewFinished : m_model->requests(RequestGroup::kFinished);
}

QString RequestOrder::groupTitle(RequestGroup group) const {
  const QString count = formatCount(m_model->requests(group));
  switch (group) {
    case RequestGroup::kRunning:
      return tr("Running · %1").arg(count);
    case RequestGroup::kWaiting:
      return tr("Waiting · %1").arg(count);
    case RequestGroup::kFinished:
      break;
  }
  if (finishedShown() == m_model->allFinished()) return tr("Finished · %1").arg(count);
  return tr("%1 finished, the last %2 shown")
      .arg(formatCount(m_model->allFinished()), formatCount(finishedShown()));
}

int RequestCards::titleHeight(const QModelIndex& index) const {
  return m_order->startsGroup(index) ? line() + 12 : 0;
}

// A waiting request has one line of words, and one for the reason.
int RequestCards::wordLines(const RequestRow& row) const {
  return m_roomy && row.group == RequestGroup::kRunning ? 2 : 1;
}

QSize RequestCards::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  const RequestRow& row = m_order->rowAt(index);
  const int lines = wordLines(row) + (row.group == RequestGroup::kWaiting ? 1 : 0) +
                    (row.miss.isEmpty() ? 0 : 1) +
                    (row.siblings.isEmpty() || !m_order->isFace(index) ? 0 : 1);
  const int head = static_cast<int>(chipSize(font(), QStringLiteral("A")).height()) + 4;
  return {rowWidth(), titleHeight(index) + kCardPad + head + lines * line() + kCardPad - 2 + kCardGap};
}

QRect RequestCards::titleRect(const QRect& row, const QModelIndex& index) const {
  return {row.left() + kCardSide, row.top(), row.width() - 2 * kCardSide, titleHeight(index)};
}

QRect RequestCards::foldRect(const QRect& row, const QModelIndex& index) const {
  if (m_order->rowAt(index).siblings.isEmpty() || !m_order->isFace(index)) return {};
  const int height = line();
  return {row.left() + kCardSide + kCardPad, row.bottom() + 1 - kCardGap - kCardPad + 2 - height,
          row.width() - 2 * (kCardSide + kCardPad), height};
}

void RequestCards::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setFont(font());
  const RequestRow& row = m_order->rowAt(index);
  if (const int title = titleHeight(index); title > 0)
    paintTitle(*painter, titleRect(option.rect, index).adjusted(2, 4, 0, -4), row.requestGroup);
  const int indent = m_order->isFace(index) ? 0 : kCardIndent;
  const QRectF card =
      QRectF(option.rect).adjusted(kCardSide + indent, titleHeight(index), -kCardSide, -kCardGap);
  paintFrame(*painter, card, option);
  if (isLit(row)) paintLitFrame(*painter, card.adjusted(1, 1, -1, -1), 9, theme());
  const QRectF inner = card.adjusted(kCardPad, kCardPad, -kCardPad, -kCardPad + 2);
  paintHead(*painter, inner, row);
  const double head = chipSize(font(), row.letter).height() + 4;
  paintBody(*painter, inner.adjusted(0, head, 0, 0), index);
  if (const QRectF fold = foldRect(option.rect, index); !fold.isEmpty()) {
    const QColor dim = theme().dimText();
    paintFold(*painter, QRectF(fold.left(), fold.top(), 10, fold.height()), m_order->isUnfolded(row.request),
              dim);
    paintText(*painter, fold.adjusted(16, 0, 0, 0), kAtLeft,
              elidedText(font(), row.siblings, fold.width() - 16), dim);
  }
  painter->restore();
}

bool RequestCards::isLit(const RequestRow& row) const {
  Session& session = *m_order->requests()->session();
  const Spotlight& spotlight = *session.spotlight();
  const bool standsForAll = !row.siblings.isEmpty() && !m_order->isUnfolded(row.request);
  if (!standsForAll)
    return spotlight.isOnSequence(row.sequence, row.request) || holdsLitBlocks(session, row.sequence);
  if (spotlight.isOnRequest(row.request)) return true;
  const auto request = session.state().requests.find(row.request);
  return request != session.state().requests.end() &&
         std::ranges::any_of(request->second.sequences,
                             [&](SequenceId sequence) { return holdsLitBlocks(session, sequence); });
}

void RequestCards::paintTitle(QPainter& painter, const QRectF& area, RequestGroup group) const {
  const QFont bold = boldened(font());
  const bool folds = group == RequestGroup::kFinished && m_order->hasManyFinished();
  const QString title = elidedText(bold, m_order->groupTitle(group), area.width() - (folds ? 16 : 0));
  painter.setFont(bold);
  paintText(painter, area, kAtLeft, title, theme().dimText());
  painter.setFont(font());
  if (!folds) return;
  const QString words = m_order->showsAllFinished() ? tr("show few") : tr("show all");
  const double room = area.width() - textWidth(bold, title) - 24;
  if (textWidth(font(), words) <= room) paintText(painter, area.adjusted(0, 0, -16, 0), kAtRight, words);
  paintFold(painter, QRectF(area.right() - 12, area.top(), 12, area.height()), m_order->showsAllFinished(),
            theme().dimText());
}

void RequestCards::paintFrame(QPainter& painter, const QRectF& card,
                              const QStyleOptionViewItem& option) const {
  const Theme colours = theme();
  const bool selected = option.state & QStyle::State_Selected;
  const bool focused = (option.state & QStyle::State_HasFocus) && m_view->hasFocus();
  drawBox(painter, card.adjusted(0.5, 0.5, -0.5, -0.5), 9,
          selected ? QPen(colours.accent(), 2) : QPen(colours.line(), 1),
          !selected && (option.state & QStyle::State_MouseOver) ? colours.panel() : colours.base());
  if (!focused) return;
  drawBox(painter, card.adjusted(-3, -3, 3, 3), 11, QPen(colours.accent(), 1.6));
}

// The name keeps its room; the number of blocks is left out first.
void RequestCards::paintHead(QPainter& painter, const QRectF& area, const RequestRow& row) const {
  const Theme colours = theme();
  const QSizeF chip = chipSize(font(), row.letter);
  paintChip(painter, QRectF(area.topLeft(), chip), row.request, row.letter, colours);
  const bool waits = row.group == RequestGroup::kWaiting;
  const QFont stateFont = boldened(font(), waits);
  const QString name = row.name.simplified();
  const QRectF line(area.left() + chip.width() + 7, area.top(), area.width() - chip.width() - 7,
                    chip.height());
  const double room = line.width() - textWidth(font(), name) - 8;
  QString state = row.progress;
  const QString more =
      row.blocks > 0 ? QStringLiteral(" · ") + tr("%n block(s)", nullptr, row.blocks) : QString();
  if (textWidth(stateFont, state + more) <= room) state += more;
  state = elidedText(stateFont, state, std::max(room, line.width() * 0.7));
  painter.setFont(stateFont);
  paintText(painter, line, kAtRight, state, waits ? colours.warning() : colours.dimText());
  painter.setFont(font());
  painter.setPen(row.group == RequestGroup::kFinished ? colours.dimText() : colours.text());
  const double left = line.width() - textWidth(stateFont, state) - 8;
  paintText(painter, line, kAtLeft, elidedText(font(), name, left));
}

void RequestCards::paintBody(QPainter& painter, const QRectF& area, const QModelIndex& index) const {
  const Theme colours = theme();
  const RequestRow& row = m_order->rowAt(index);
  const double height = line(), words = wordLines(row) * height;
  const QColor answer = row.group == RequestGroup::kFinished ? colours.dimText() : colours.text();
  paintNewestWords(painter, QRectF(area.left(), area.top(), area.width(), words), row.words, wordLines(row),
                   answer, colours);
  QRectF next(area.left(), area.top() + words, area.width(), height);
  const auto say = [&](const QString& text, const QColor& colour) {
    if (text.isEmpty()) return;
    paintText(painter, next, kAtLeft, elidedText(font(), text, next.width()), colour);
    next.translate(0, height);
  };
  say(row.reason, colours.warning());
  say(row.miss, colours.dimText());
}

}  // namespace vitrine

#include "moc_request_cards.cpp"
