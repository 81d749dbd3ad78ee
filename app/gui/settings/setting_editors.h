// The editors of settings: a switch, a list, a line, a folder, a button, or the field that the schema
// of options asks for. Thread: the window's. Read next: option_knobs.h.
#pragma once

#include <memory>
#include <vector>

#include "gui/parts/option_knobs.h"
#include "gui/settings/setting.h"

namespace vitrine {

struct SettingChoice {
  QString name;
  QVariant value;
};

MakeEditor switchEditor();                                    // bool
MakeEditor choiceEditor(std::vector<SettingChoice> choices);  // one of their values
// QString, without blanks at its ends; changed when Enter is pressed or the focus leaves it. `empty` says
// what an empty one stands for.
MakeEditor textEditor(const QString& empty);
MakeEditor folderEditor(const QString& empty);  // the same, with a button that chooses one
MakeEditor buttonEditor(const QString& text, std::function<void()> press);

// Value, in the range and the words of the schema.
template <class Value>
MakeEditor optionEditor(const OptionInfo<Value>& info) {
  return [info](QWidget* parent, const std::function<void()>& changed) {
    const Knob<Value> knob = makeKnob(info, parent, changed);
    const auto shown = std::make_shared<Value>();
    const auto show = [knob, shown](const QVariant& value) {
      const QSignalBlocker quiet(knob.widget);
      *shown = value.value<Value>();
      knob.show(*shown);
    };
    return SettingEditor{knob.widget, knob.widget, show,
                         [knob, shown] { return QVariant::fromValue(knob.take(*shown)); }};
  };
}

}  // namespace vitrine
