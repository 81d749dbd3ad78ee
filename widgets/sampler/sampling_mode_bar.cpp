#include "widgets/sampler/sampling_mode_bar.h"

#include <QGridLayout>
#include <QToolButton>

namespace vitrine {
namespace {

constexpr int kColumns = 4;

}  // namespace

SamplingModeBar::SamplingModeBar(QWidget* parent) : QWidget(parent), m_undo(new QToolButton(this)) {
  setAccessibleName(tr("Sampling modes"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 6);
  grid->setSpacing(4);
  const auto place = [&](QToolButton* button, int at) {
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFocusPolicy(Qt::StrongFocus);
    grid->addWidget(button, at / kColumns, at % kColumns);
  };
  int at = 0;
  for (const SamplingMode mode : kSamplingModes) {
    auto* button = new QToolButton(this);
    button->setText(samplingModeName(mode));
    button->setToolTip(samplingModeTip(mode));
    button->setAccessibleDescription(samplingModeTip(mode));
    button->setCheckable(true);
    connect(button, &QToolButton::clicked, this, [this, mode] { emit modeChosen(mode); });
    place(button, at++);
    m_buttons[mode] = button;
  }
  m_undo->setText(tr("Undo"));
  m_undo->setToolTip(tr("Set the controls as they were before the last mode"));
  connect(m_undo, &QToolButton::clicked, this, &SamplingModeBar::undoRequested);
  place(m_undo, at);
  setUndoable(false);
}

void SamplingModeBar::setMode(std::optional<SamplingMode> mode) {
  for (const auto& [one, button] : m_buttons) button->setChecked(one == mode);
}

void SamplingModeBar::setUndoable(bool undoable) { m_undo->setEnabled(undoable); }

}  // namespace vitrine

#include "moc_sampling_mode_bar.cpp"
