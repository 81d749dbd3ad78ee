// The parts of a row or a column as one list. Thread: the window's.
#pragma once

#include <QBoxLayout>
#include <QLabel>
#include <initializer_list>

namespace vitrine {

// A widget or a layout, and its share of the room that the others leave.
struct LayoutPart {
  LayoutPart(QWidget* one, int share = 0, Qt::Alignment place = {})
      : widget(one), stretch(share), alignment(place) {}
  LayoutPart(QLayout* one, int share = 0) : layout(one), stretch(share) {}

  QWidget* widget = nullptr;
  QLayout* layout = nullptr;
  int stretch = 0;
  Qt::Alignment alignment = {};
};

// Gives the row or column back.
template <typename Box>
Box* addParts(Box* box, std::initializer_list<LayoutPart> parts) {
  for (const LayoutPart& part : parts)
    if (part.layout != nullptr)
      box->addLayout(part.layout, part.stretch);
    else
      box->addWidget(part.widget, part.stretch, part.alignment);
  return box;
}

// Of a part whose surroundings have margins.
template <typename Layout>
Layout* withoutMargins(Layout* layout) {
  layout->setContentsMargins(0, 0, 0, 0);
  return layout;
}

// The letter after the & of its text leads to the field.
inline QLabel* labelFor(QWidget* field, const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setBuddy(field);
  return label;
}

}  // namespace vitrine
