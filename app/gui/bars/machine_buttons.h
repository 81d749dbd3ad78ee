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
  void setChoice(const QString& words);
  QString choice() const;
  // Always as wide as so many letters, whatever is chosen: a longer choice is cut with "…". 0: as the choice.
  void setLetters(int letters);
  void give(QMenu* menu);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString shownChoice(double room) const;

  int m_letters = 0;
};

class RunPill final : public QWidget {
  Q_OBJECT

 public:
  explicit RunPill(QWidget* parent);
  bool setState(const QString& state, bool calls);  // whether it has become wider
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QFont face() const;
  int roomFor(const QString& state) const;

  QString m_state;
  bool m_calls = false;
  int m_room = 0;  // the widest state so far, so that nothing beside it moves back and forth
};

}  // namespace vitrine
