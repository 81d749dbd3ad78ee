// RequestCards: paints each request as a card: letter and name, how far it is, the newest words of its
// answer, and why it waits. Above the first card of a group stands the group's title.
//
// Its heights depend on the kinds of the rows alone, never on their words, so that nothing moves while text
// streams in, and a list of hundreds is laid out without measuring text. Thread: the window's.
#pragma once

#include <QSortFilterProxyModel>
#include <set>

#include "widgets/painting/row_delegate.h"
#include "widgets/requests/request_list_model.h"

namespace vitrine {

// Running first, then the queue, then the newest finished requests. The siblings of a request are folded into
// one card, the selected one or the first; of many finished requests the newest few are shown.
class RequestOrder final : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  static constexpr int kManyFinished = 6, kFewFinished = 3;

  explicit RequestOrder(RequestListModel* model, QObject* parent = nullptr);

  const RequestRow& rowAt(const QModelIndex& index) const { return m_model->at(mapToSource(index).row()); }
  const RequestListModel* requests() const { return m_model; }
  void setSelected(SequenceId sequence);
  bool isUnfolded(RequestId request) const { return m_unfolded.contains(request); }
  void setUnfolded(RequestId request, bool unfolded);
  bool hasManyFinished() const { return m_model->requests(RequestGroup::kFinished) > kManyFinished; }
  bool showsAllFinished() const { return m_allFinished; }
  int finishedShown() const;                     // newest ones; a selected older one comes in addition
  QString groupTitle(RequestGroup group) const;  // "Waiting · 2", "3,000 finished, the last 64 shown"
  void setShowsAllFinished(bool all);
  bool startsGroup(const QModelIndex& index) const;
  bool isFace(const QModelIndex& index) const;  // the card that stands for its request

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool filterAcceptsColumn(int column, const QModelIndex&) const override { return column == 0; }

 private:
  RequestListModel* m_model;
  SequenceId m_selected = 0;
  RequestId m_selectedRequest = 0;
  std::set<RequestId> m_unfolded;
  bool m_allFinished = false, m_many = false;
};

class RequestCards final : public RowDelegate {
  Q_OBJECT
 public:
  RequestCards(QAbstractItemView* view, const RequestOrder* order) : RowDelegate(view), m_order(order) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  // Whether running requests have two lines of words, or one as the others have.
  void setRoomy(bool roomy) { m_roomy = roomy; }
  // Parts of a row that a click on does more than select; empty where there are none.
  QRect titleRect(const QRect& row, const QModelIndex& index) const;  // of the group
  QRect foldRect(const QRect& row, const QModelIndex& index) const;   // of the siblings

 private:
  int line() const { return QFontMetrics(font()).height(); }
  int titleHeight(const QModelIndex& index) const;
  int wordLines(const RequestRow& row) const;
  void paintTitle(QPainter& painter, const QRectF& area, RequestGroup group) const;
  void paintFrame(QPainter& painter, const QRectF& card, const QStyleOptionViewItem& option) const;
  bool isLit(const RequestRow& row) const;  // by the spotlight
  void paintHead(QPainter& painter, const QRectF& area, const RequestRow& row) const;
  void paintBody(QPainter& painter, const QRectF& area, const QModelIndex& index) const;

  const RequestOrder* m_order;
  bool m_roomy = true;
};

}  // namespace vitrine
