// TimeAxisBar: the time axis over the whole width at the foot of the window, and the button of the drawer
// with plots, events and metrics. Thread: the window's.
#pragma once

#include <QToolBar>

class QToolButton;

namespace vitrine {

class TimeAxisBar : public QToolBar {
  Q_OBJECT

 public:
  TimeAxisBar(QWidget* axis, QWidget* parent);
  QToolButton* drawerButton() const { return m_drawer; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QToolButton* m_drawer;
};

}  // namespace vitrine
