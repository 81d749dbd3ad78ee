// FlowLayout: parts beside each other as words are, in as many lines as they need.
//
// Thread: the window's.
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace vitrine {

class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent);

  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
  void setGeometry(const QRect& rect) override;
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;

 private:
  int arrange(const QRect& rect, bool moves) const;  // the height

  std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace vitrine
