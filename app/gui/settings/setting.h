// Setting: one line of the table of settings: what it is called, what it does, and the way to its owner,
// which alone has the value. A menu asks the same owner, so both say the same.
//
// Thread: the window's. Read next: setting_table.h, setting_editors.h.
#pragma once

#include <QStringList>
#include <QVariant>
#include <functional>

class QWidget;

namespace vitrine {

enum class SettingGroup { kLook, kStart, kChat, kAnswers, kModels, kMachine };
QString groupTitle(SettingGroup group);

// The widget that shows and changes a value.
struct SettingEditor {
  QWidget* widget = nullptr;                       // stands in the row
  QWidget* field = nullptr;                        // of it, what has the focus
  std::function<void(const QVariant&)> show = {};  // tells no change
  std::function<QVariant()> value = {};            // as the person has left it
};
using MakeEditor = std::function<SettingEditor(QWidget* parent, const std::function<void()>& changed)>;

struct Setting {
  QString key;  // of the table; the field's object name
  SettingGroup group;
  QString name;
  QString help;  // one or two sentences
  MakeEditor makeEditor = {};
  // None of the three for a button, which leads to where more is set.
  QVariant fallback = {};  // the default
  std::function<QVariant()> value = {};
  // The owner applies it now and keeps it. Returns what is wrong with it, as a sentence; empty: it is done.
  std::function<QString(const QVariant&)> change = {};
  QStringList also = {};  // what stands behind it, by which the search finds it too: choices, options

  bool hasValue() const { return value != nullptr; }
  bool isDefault() const { return !hasValue() || value() == fallback; }
};

}  // namespace vitrine
