// The box in which a context is asked for, in tokens: any that a model can have, in steps of a thousand.
// Thread: the window's.
#pragma once

#include <QSpinBox>

namespace vitrine {

// The caller names it for screen readers.
inline QSpinBox* contextBox(int least, QWidget* parent) {
  auto* const box = new QSpinBox(parent);
  box->setRange(least, 1 << 30);
  box->setSingleStep(1024);
  box->setGroupSeparatorShown(true);
  return box;
}

}  // namespace vitrine
