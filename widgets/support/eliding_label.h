// ElidingLabel: a line of text that shrinks where there is little room: its last parts (behind " · ") go, or
// it ends in "…"; the tooltip shows all of it.
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
  QString shown() const;  // what of the text has room

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace vitrine
