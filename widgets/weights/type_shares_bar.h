// TypeSharesBar: the types of a model's weights as parts of one bar, as long as their shares of the bytes,
// with their names and shares below it. Colour and hatch distinguish them. Thread: the window's.
#pragma once

#include <QWidget>
#include <vector>

#include "vitrine/inspected_figures.h"

namespace vitrine {

class TypeSharesBar : public QWidget {
  Q_OBJECT
 public:
  explicit TypeSharesBar(QWidget* parent = nullptr);

  void setShares(std::vector<TypeShare> shares);
  QString text() const;  // "Q4_K 82 %, Q6_K 17.9 %"

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QString entry(const TypeShare& share) const;
  double barHeight() const { return 0.7 * fontMetrics().height(); }
  std::vector<QRectF> entries(double width) const;  // of the legend, with their samples

  std::vector<TypeShare> m_shares;
};

}  // namespace vitrine
