// plainButton: a dialog's button that Enter presses only while it has the focus: elsewhere in the dialog the
// key belongs to a table or a line.
#pragma once

#include <QPushButton>

namespace vitrine {

inline QPushButton* plainButton(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setAutoDefault(false);
  button->setToolTip(tip);
  return button;
}

}  // namespace vitrine
