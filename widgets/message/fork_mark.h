// ForkMark: words between two lines, over the first message that two conversations do not share. Thread: the
// window's.
#pragma once

#include <QLabel>

namespace vitrine {

class ForkMark : public QLabel {
  Q_OBJECT
 public:
  explicit ForkMark(const QString& words, QWidget* parent);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void applyTheme();
};

}  // namespace vitrine
