// What an ending is worth: an answer, a refusal in clear words, or a fault.
#pragma once

#include <string>

#include "trials/child.h"

namespace vitrine::trials {

// Empty when the ending is a proper one: exit 0; or 1 or 2 with words on standard error that are short and
// our own; in time and memory; with --json one JSON object or nothing on standard output.
std::string faultOf(const Trial& trial, const Ending& ending, const Limits& limits);

}  // namespace vitrine::trials
