// InspectSummary: a model that is looked into, at a glance: sizes, shape, types of its weights, and what a
// context of so many tokens costs in memory and speed. Thread: the window's. Read next: inspect_words.h.
#pragma once

#include <QWidget>
#include <optional>

#include "vitrine/inspected_figures.h"

class QLabel;
class QSpinBox;

namespace vitrine {

class LinesArea;
class TypeSharesBar;

class InspectSummary : public QWidget {
  Q_OBJECT

 public:
  explicit InspectSummary(QWidget* parent = nullptr);

  void setModel(const InspectedModel& model);
  void setRoof(const MachineRoof& roof);  // of this machine

  QLabel* facts() const { return m_facts; }
  TypeSharesBar* types() const { return m_types; }
  QSpinBox* context() const { return m_context; }  // tokens
  QLabel* memory() const { return m_memory; }
  QLabel* speed() const { return m_speed; }

 private:
  void tell();

  std::optional<InspectedModel> m_model;  // without its tensors and keys
  std::optional<MachineRoof> m_roof;
  QLabel *m_facts, *m_memory, *m_speed;
  LinesArea* m_factLines;
  TypeSharesBar* m_types;
  QSpinBox* m_context;
};

}  // namespace vitrine
