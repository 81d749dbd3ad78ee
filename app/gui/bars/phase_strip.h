// PhaseStrip: the six phases of a step as chips in a row, those done marked and the present one filled; where
// there is no room for the row, one chip. Thread: the window's. Read next: run_state.h.
#pragma once

#include <QRectF>
#include <QWidget>
#include <array>

#include "gui/machine/run_state.h"

namespace vitrine {

class PhaseStrip : public QWidget {
  Q_OBJECT

 public:
  using Progress = std::array<PhaseProgress, kPhaseCount>;

  explicit PhaseStrip(QWidget* parent = nullptr);

  void show(const Progress& progress);
  void setAlone(bool alone);  // one phase at a time
  QString text() const;       // "Admit ✓ ▸ Plan ✓ ▸ [Allocate] ▸ Forward ▸ Sample ▸ Commit"

  double wholeWidth() const;  // of all phases
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QString words(int phase) const;
  double widthOf(int phase) const;
  int shownAlone() const;
  std::array<QRectF, kPhaseCount> areas() const;

  Progress m_progress{};
  bool m_alone = false;
};

}  // namespace vitrine
