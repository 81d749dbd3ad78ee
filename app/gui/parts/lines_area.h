// LinesArea: a few lines of text above the panels. It is as high as its text, but at most a share of the
// window, and shrinks to one line where there is little room. The rest is scrolled to.
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
