// A label of plain text in lines, with a name for a screen reader. Thread: the window's.
#pragma once

#include <QLabel>

namespace vitrine {

inline QLabel* namedLabel(const QString& name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setAccessibleName(name);
  return label;
}

}  // namespace vitrine
