// Values to try: the ends of every range, and what is no value at all.
#pragma once

#include <nlohmann/json.hpp>

#include "trials/dice.h"

namespace vitrine::trials {

// A number as a command line or a file spells it: small and sensible, at an end of some type, or just beyond.
std::string anyNumber(Dice& dice);
// A number that fits the option, named by its snake_case key, and costs little.
std::string fittingNumber(Dice& dice, std::string_view key);
// Text that nothing should choke on: empty, long, not UTF-8, control characters. Never a path out of here.
std::string anyText(Dice& dice);
// Any JSON value, sensible or not.
nlohmann::ordered_json anyJson(Dice& dice);

}  // namespace vitrine::trials
