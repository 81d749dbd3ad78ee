// SamplingModeBar: a button for each sampling mode, and one to take the last mode back. Thread: the window's.
// Read next: widgets/support/sampling_modes.h.
#pragma once

#include <QWidget>
#include <map>

#include "widgets/support/sampling_modes.h"

class QToolButton;

namespace vitrine {

class SamplingModeBar : public QWidget {
  Q_OBJECT
 public:
  explicit SamplingModeBar(QWidget* parent = nullptr);

  void setMode(std::optional<SamplingMode> mode);  // that the knobs are in
  void setUndoable(bool undoable);
  QToolButton* button(SamplingMode mode) const { return m_buttons.at(mode); }
  QToolButton* undoButton() const { return m_undo; }

 signals:
  void modeChosen(vitrine::SamplingMode mode);
  void undoRequested();

 private:
  std::map<SamplingMode, QToolButton*> m_buttons;
  QToolButton* m_undo;
};

}  // namespace vitrine
