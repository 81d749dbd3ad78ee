// The tool bar's own buttons: MenuButton, StepButton, filled with the accent while there is a step to take,
// and RunPill, the state of the run in one word and a step. Thread: the window's. Read next: machine_bar.h.
#pragma once

#include <QToolButton>

namespace vitrine {

class StepButton final : public QToolButton {
  Q_OBJECT

 public:
  using QToolButton::QToolButton;
  bool isLit() const { return m_lit; }
  void setLit(bool lit);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool m_lit = false;
};

// Its text ends in "▾", where styles would draw a small arrow in a corner.
class MenuButton final : public QToolButton {
  Q_OBJECT

 public:
  using QToolButton::QToolButton;
  QSize sizeHint() const override;
  void setChoice(const QString& words);  // a long one is cut with "…"
  void give(QMenu* menu);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

class RunPill final : public QWidget {
  Q_OBJECT

 public:
  explicit RunPill(QWidget* parent);
  bool setState(const QString& state, bool calls);  // whether its width has changed
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QFont face() const;

  QString m_state;
  bool m_calls = false;
};

}  // namespace vitrine
