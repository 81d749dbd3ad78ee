// SequenceNames: the name of a sequence, "A", or "A2" for the second of several answers. It comes from the
// state shown; of a forgotten sequence the last name is kept, for the log and the sentences. Thread: the
// window's.
#pragma once

#include <QString>
#include <map>

#include "vitrine/machine_state.h"
#include "vitrine/prose/event_prose.h"

namespace vitrine {

class SequenceNames {
 public:
  void note(const Event& event, const MachineState& before);
  void clear() { m_forgotten.clear(); }

  QString letter(SequenceId sequence, const MachineState& state) const;       // "?" for an unknown one
  prose::Names proseNames(const MachineState& state) const;                   // valid as long as both live
  RequestId requestOf(SequenceId sequence, const MachineState& state) const;  // 0 for an unknown one

 private:
  struct Name {
    RequestId request = 0;
    int index = 0, answers = 1;
  };
  static Name nameIn(const MachineState& state, SequenceId sequence);
  Name nameOf(SequenceId sequence, const MachineState& state) const;

  std::map<SequenceId, Name> m_forgotten;
};

}  // namespace vitrine
