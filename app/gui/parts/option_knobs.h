// OptionKnobs: the options of a form, each with a widget that shows and changes its value. The kind of widget
// follows from the type of the value; label, help, range, unit and words come from the schema
// (vitrine/option_schema.h).
//
// A value that a widget does not show exactly (bytes in MiB, three decimals) stays as it is while the widget
// is not changed. Thread: the window's.
#pragma once

#include <QFormLayout>
#include <QSignalBlocker>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vitrine/option_schema.h"

class QScrollArea;

namespace vitrine {

using Changed = std::function<void()>;

// `take(shown)` is the widget's value; `shown`, what show() got last, where the widget was not changed.
template <class Value>
struct Knob {
  QWidget* widget;
  std::function<void(const Value&)> show;
  std::function<Value(const Value& shown)> take;
};

Knob<int> makeKnob(const OptionInfo<int>& info, QWidget* parent, const Changed& changed);
Knob<std::int64_t> makeKnob(const OptionInfo<std::int64_t>& info, QWidget* parent, const Changed& changed);
Knob<std::uint64_t> makeKnob(const OptionInfo<std::uint64_t>& info, QWidget* parent, const Changed& changed);
Knob<double> makeKnob(const OptionInfo<double>& info, QWidget* parent, const Changed& changed);
Knob<bool> makeKnob(const OptionInfo<bool>& info, QWidget* parent, const Changed& changed);
Knob<std::string> makeKnob(const OptionInfo<std::string>& info, QWidget* parent, const Changed& changed);
Knob<std::vector<std::string>> makeKnob(const OptionInfo<std::vector<std::string>>& info, QWidget* parent,
                                        const Changed& changed);
Knob<int> makeChoice(std::span<const char* const> labels, QWidget* parent, const Changed& changed);
template <Named Value>
Knob<Value> makeKnob(const OptionInfo<Value>& info, QWidget* parent, const Changed& changed) {
  const Knob<int> choice = makeChoice(info.labels, parent, changed);
  return {choice.widget, [choice](const Value& value) { choice.show(static_cast<int>(value)); },
          [choice](const Value& shown) { return static_cast<Value>(choice.take(static_cast<int>(shown))); }};
}

// A disabled knob says why in its tip.
void enableKnob(QWidget* widget, const QString& help, const Condition* unmet, bool fixedInRun);

// Name, tip and row of a knob; a check box says its label itself.
void addKnobRow(QFormLayout* form, QWidget* widget, const char* key, const char* label, const char* help);

// On a small screen a page is scrolled, so that a dialog's buttons stay in sight. As wide as the page asks
// for when it is called.
QScrollArea* scrolledPage(QWidget* page);

template <class Options>
class OptionKnobs {
 public:
  explicit OptionKnobs(Changed changed) : m_changed(std::move(changed)) {}

  // access(options) is the option's value in const or changing options.
  template <class Value, class Access>
  void add(QFormLayout* form, const OptionInfo<Value>& info, Access access) {
    const Knob<Value> knob = makeKnob(info, form->parentWidget(), m_changed);
    addKnobRow(form, knob.widget, info.key, info.label, info.help);
    m_rows.push_back({knob.widget, [=](const Options& options) { knob.show(access(options)); },
                      [=](Options& options) { access(options) = knob.take(access(options)); }, info.when,
                      info.scope == OptionScope::kStep, knob.widget->toolTip()});
  }

  void show(const Options& options) {
    m_shown = options;
    for (const Row& row : m_rows) {
      const QSignalBlocker quiet(row.widget);
      row.show(options);
    }
  }
  // The options that were shown, with all changes.
  Options options() const {
    Options options = m_shown;
    for (const Row& row : m_rows) row.take(options);
    return options;
  }
  // An option that means nothing with these options of the machine is disabled, and one that may not change
  // in the midst of a run when that is asked for.
  void enableFor(const EngineOptions& machine, bool inRun = false) {
    for (const Row& row : m_rows) {
      const bool means = row.when == nullptr || row.when->holds(machine);
      enableKnob(row.widget, row.help, means ? nullptr : row.when, inRun && !row.inRun);
    }
  }

 private:
  struct Row {
    QWidget* widget;
    std::function<void(const Options&)> show;
    std::function<void(Options&)> take;
    const Condition* when;  // null: always
    bool inRun;             // may change in the midst of a run
    QString help;
  };

  Changed m_changed;
  Options m_shown;
  std::vector<Row> m_rows;
};

}  // namespace vitrine
