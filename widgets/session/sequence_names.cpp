#include "widgets/session/sequence_names.h"

#include "widgets/support/request_style.h"

namespace vitrine {

void SequenceNames::note(const Event& event, const MachineState& before) {
  const auto* forgotten = std::get_if<RequestForgotten>(&event.body);
  const auto request = forgotten ? before.requests.find(forgotten->request) : before.requests.end();
  if (request == before.requests.end()) return;
  for (SequenceId sequence : request->second.sequences) m_forgotten[sequence] = nameIn(before, sequence);
}

SequenceNames::Name SequenceNames::nameIn(const MachineState& state, SequenceId sequence) {
  const auto found = state.sequences.find(sequence);
  if (found == state.sequences.end()) return {};
  const auto request = state.requests.find(found->second.request);
  const bool known = request != state.requests.end();
  return {found->second.request, found->second.index,
          known ? static_cast<int>(request->second.sequences.size()) : 1};
}

SequenceNames::Name SequenceNames::nameOf(SequenceId sequence, const MachineState& state) const {
  const Name name = nameIn(state, sequence);
  const auto forgotten = m_forgotten.find(sequence);
  return name.request != 0 || forgotten == m_forgotten.end() ? name : forgotten->second;
}

QString SequenceNames::letter(SequenceId sequence, const MachineState& state) const {
  const Name name = nameOf(sequence, state);
  return name.request == 0 ? QStringLiteral("?") : sequenceLetter(name.request, name.index, name.answers);
}

prose::Names SequenceNames::proseNames(const MachineState& state) const {
  return {[](RequestId request) { return requestLetter(request).toStdString(); },
          [this, &state](SequenceId sequence) { return letter(sequence, state).toStdString(); }};
}

RequestId SequenceNames::requestOf(SequenceId sequence, const MachineState& state) const {
  return nameOf(sequence, state).request;
}

}  // namespace vitrine
