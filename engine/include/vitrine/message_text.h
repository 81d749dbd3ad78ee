// Text from outside made fit for a message: text of a file, a command line or a library may be long, contain
// control characters, or name the library's own functions. Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace vitrine {

// At most `longest` bytes of it and "..." for the rest; control characters replaced.
std::string forMessage(std::string_view text, std::size_t longest = 160);

// What nlohmann's parser complains of, without its prefix: "line 1, column 2: syntax error ...". It may quote
// bytes that are not UTF-8; they are replaced.
std::string jsonComplaint(std::string_view what);

}  // namespace vitrine
