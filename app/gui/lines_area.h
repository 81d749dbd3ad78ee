// LinesArea: a few lines of text above the work. As high as they are, but at most a share of the window, and
// where that leaves too little it shrinks to one line; what does not show is scrolled to.
//
// Thread: the window's.
#pragma once

#include <QScrollArea>

namespace vitrine {

class LinesArea : public QScrollArea {
  Q_OBJECT

 public:
  explicit LinesArea(QWidget* content, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
};

}  // namespace vitrine
