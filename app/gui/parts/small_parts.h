// The window's small parts, each made in one call. Thread: the window's.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace vitrine {

// A flat button of words, which the Tab key reaches.
inline QToolButton* commandButton(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

// A dialog's button that Enter presses only while it has the focus: elsewhere in the dialog the key belongs
// to a table or a line.
inline QPushButton* plainButton(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setAutoDefault(false);
  button->setToolTip(tip);
  return button;
}

// Plain text in lines.
inline QLabel* wrappedLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

// The same, empty, with a name for a screen reader.
inline QLabel* namedLabel(const QString& name, QWidget* parent) {
  QLabel* label = wrappedLabel({}, parent);
  label->setAccessibleName(name);
  return label;
}

// The size of its letters follows the window.
inline void makeBold(QWidget* part) {
  QFont bold;
  bold.setBold(true);
  part->setFont(bold);
}

// The line of a search, with an example of its words and a name for a screen reader.
inline QLineEdit* findLine(const QString& example, const QString& name, QWidget* parent) {
  auto* line = new QLineEdit(parent);
  line->setPlaceholderText(example);
  line->setAccessibleName(name);
  line->setClearButtonEnabled(true);
  return line;
}

// The box in which a context is asked for, in tokens: any that a model can have, in steps of a thousand. The
// caller names it for screen readers.
inline QSpinBox* contextBox(int least, QWidget* parent) {
  auto* box = new QSpinBox(parent);
  box->setRange(least, 1 << 30);
  box->setSingleStep(1024);
  box->setGroupSeparatorShown(true);
  return box;
}

}  // namespace vitrine
