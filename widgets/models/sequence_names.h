// SequenceNames: what a sequence is called, "A", or "A2" for the second of several answers: as the state
// shown knows it, or, when the machine has forgotten it by then, as it was called at last. So the log and the
// sentences still speak of those that are gone. Thread: the window's.
#pragma once

#include <QString>
#include <map>

#include "vitrine/machine_state.h"

namespace vitrine {

class SequenceNames {
 public:
  void note(const Event& event, const MachineState& before);
  void clear() { m_forgotten.clear(); }

  QString letter(SequenceId sequence, const MachineState& state) const;       // "?" for an unknown one
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
