// ElidingLabel: a line of text that shrinks where there is little room: it ends in "…", and the tooltip shows
// all of it.
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
