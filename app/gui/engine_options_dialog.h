// EngineOptionsDialog: the knobs of the machine that need a new start, in three pages: what the scheduler
// does, what the memory keeps, what is computed and how. A knob is enabled while it means something; a choice
// that does not go with another is refused in the dialog, where it can be mended. Thread: the window's.
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

#include "vitrine/options.h"

class QLabel;
class QTabWidget;
class QWidget;

namespace vitrine {

class EngineOptionsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit EngineOptionsDialog(const EngineOptions& options, QWidget* parent = nullptr);
  EngineOptions options() const;

  void accept() override;  // only options that go together

 private:
  class Page;
  struct Knob {
    QWidget* widget;
    std::function<void(const EngineOptions&)> show;
    std::function<void(EngineOptions&)> take;
    std::function<bool(const EngineOptions&)> matters;  // empty: always
  };

  void addScheduling(QTabWidget* pages);
  void addMemory(QTabWidget* pages);
  void addComputing(QTabWidget* pages);
  void show(const EngineOptions& options);
  void refresh();  // which knobs mean something, and what does not go together

  EngineOptions m_start;
  std::vector<Knob> m_knobs;
  QLabel* m_complaint;
};

}  // namespace vitrine
