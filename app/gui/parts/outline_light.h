// OutlineLight: a frame in the accent colour around a part of a window that a person is asked to look at.
//
// It lies above everything, takes no input, and follows the part, also into a window of its own. It goes out
// with fade(), or when the part is pressed. Thread: the window's. Read next: focus_ring.h.
#pragma once

#include <QPointer>
#include <QWidget>

namespace vitrine {

class OutlineLight : public QWidget {
  Q_OBJECT

 public:
  explicit OutlineLight(QWidget* window);

  void shine(QWidget* part);
  void fade();
  const QWidget* around() const { return m_part; }  // null: it is out

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  QPointer<QWidget> m_part;
};

}  // namespace vitrine
