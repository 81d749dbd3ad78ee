// CommandDelegate: a command's row: the menus around it dimmed, its title, the letters that were hit in bold,
// and its keys at the right. Thread: the window's.
#pragma once

#include "widgets/painting/row_delegate.h"

namespace vitrine {

class CommandDelegate : public RowDelegate {
  Q_OBJECT

 public:
  using RowDelegate::RowDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintWay(QPainter& painter, const QRectF& line, const QModelIndex& index) const;
};

}  // namespace vitrine
