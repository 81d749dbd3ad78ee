// PhaseStrip: the six phases of a step in a row, those done ticked and the present one lit. Thread: the
// window's. Read next: run_state.h.
#pragma once

#include <QWidget>

#include "gui/machine/run_state.h"

namespace vitrine {

class PhaseStrip : public QWidget {
  Q_OBJECT

 public:
  using Progress = std::array<PhaseProgress, kPhaseCount>;

  explicit PhaseStrip(QWidget* parent = nullptr);

  void show(const Progress& progress);
  QString text() const;  // "Admit ✓ ▸ Plan ✓ ▸ [Allocate] ▸ Forward ▸ Sample ▸ Commit"

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QString words(int phase) const;
  double widthOf(int phase) const;

  Progress m_progress{};
};

}  // namespace vitrine
