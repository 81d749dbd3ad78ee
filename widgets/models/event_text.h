// Events as lines of a log: a kind, a title and a short text with the numbers. Pure functions. Thread: any.
#pragma once

#include <QString>

#include "widgets/models/sequence_names.h"

namespace vitrine {

QString eventKindName(EventKind kind);
QString eventTitle(const Event& event);  // "Block allocated"
// The event in plain words with its numbers; `state` gives sequences their letters, and `names` those it has
// forgotten.
QString eventText(const Event& event, const MachineState& state, const SequenceNames& names = {});
SequenceId eventSequence(const Event& event);  // 0 when it concerns none

}  // namespace vitrine
