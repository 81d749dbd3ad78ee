// Values that the fields of an event must have (vitrine/breakpoint.h): compared, and as one JSON object.
//
// The values are those of the event's line in a trace. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "vitrine/breakpoint.h"

namespace vitrine {

// False for a field that the event lacks.
bool hasFields(const Event& event, const FieldValues& wanted);

// {"reason":"importance","blocks":"> 3"}. Throws EngineError(kInvalidArgument) for what is no object.
FieldValues fieldValuesFrom(std::string_view object);
std::string toText(const FieldValues& values);

}  // namespace vitrine
