// Engine options that an action changes, from their text: "true" and "false", numbers, and words.
//
// Thread: values. Read next: lesson.h, common/arguments.h.
#pragma once

#include <string>

#include "common/arguments.h"

namespace vitrine {

// Throws UsageError that names the option: there is none of that name, or the value is of another kind.
void changeOption(EngineArguments& arguments, const std::string& name, const std::string& value);

}  // namespace vitrine
