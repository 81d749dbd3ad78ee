// BlankCover: a dark surface over the whole window, as a presenter wants it while the class is to listen. Any
// key or click takes it away, and does nothing else. Thread: the window's.
#pragma once

#include <QPointer>
#include <QWidget>

namespace vitrine {

class BlankCover : public QWidget {
  Q_OBJECT

 public:
  explicit BlankCover(QWidget* window);

  void cover();    // and takes the keyboard
  void uncover();  // which goes back to where it was

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QPointer<QWidget> m_before;  // what had the keyboard
};

}  // namespace vitrine
