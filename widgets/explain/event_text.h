// Events as lines of a log: a kind, a title and a sentence, which the prose room makes
// (vitrine/prose/event_prose.h). Pure functions. Thread: the window's.
#pragma once

#include <QString>

#include "widgets/session/sequence_names.h"

namespace vitrine {

QString eventKindName(EventKind kind);
QString eventTitle(const Event& event);  // "Block allocated"
// The event as a sentence. Letters of sequences come from `state`, and from `names` if it has forgotten them.
QString eventText(const Event& event, const MachineState& state, const SequenceNames& names = {});
SequenceId eventSequence(const Event& event);  // 0: the event concerns none

}  // namespace vitrine
