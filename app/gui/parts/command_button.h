// A flat button of words, which the Tab key reaches. Thread: the window's.
#pragma once

#include <QToolButton>

namespace vitrine {

inline QToolButton* commandButton(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace vitrine
