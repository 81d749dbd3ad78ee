// The formats of JSON schema's strings that a grammar can have, as regular expressions of whole texts.
//
// Each is a part of the format's texts, so that all validators agree: dates are of the calendar and from the
// year 1000 on, e-mail addresses have no quoted parts. Other formats are annotations, as the standard has
// them by default. Thread: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace vitrine {

// Empty: no format that is followed.
std::string formatPattern(std::string_view format);

}  // namespace vitrine
