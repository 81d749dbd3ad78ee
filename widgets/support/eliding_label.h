// ElidingLabel: a line of text that gives way where there is little room: what does not fit ends in "…", and
// the whole stands in its tip.
//
// Thread: the window's.
#pragma once

#include <QLabel>

namespace vitrine {

class ElidingLabel : public QLabel {
  Q_OBJECT

 public:
  using QLabel::QLabel;

  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString shown() const;
};

}  // namespace vitrine
