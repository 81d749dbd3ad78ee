// ChatListDelegate: a chat's row: its title with the time, a mark for a draft, an answer under way or a new
// one, and what was found in it with the hits lit. Thread: the window's.
#pragma once

#include <QPointer>

#include "desk/chat_list_model.h"
#include "widgets/painting/row_delegate.h"

namespace vitrine {

class ChatListDelegate : public RowDelegate {
  Q_OBJECT
 public:
  using RowDelegate::RowDelegate;

  bool isEditing() const { return m_editor != nullptr; }  // a title
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;

 signals:
  void editing(bool begun) const;  // not begun: it has ended

 private:
  void paintMark(QPainter& painter, const QRect& area, ChatListModel::Mark mark) const;
  void paintHeading(QPainter& painter, const QRect& row, const QString& text) const;
  void paintLit(QPainter& painter, const QRectF& line, const QString& text, const QVariantList& hits) const;

  mutable QPointer<QWidget> m_editor;
};

}  // namespace vitrine
