// What a user's files and options are read with: JSON, and the error for what was asked wrongly.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "vitrine/error.h"
#include "vitrine/files.h"

namespace vitrine {

using Json = nlohmann::ordered_json;

// Something was asked in a way that cannot be understood: an unknown key, a value out of range.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A message about "--top-p" as a file spells it: about "top_p".
std::string asKeys(std::string_view message);

// What fails in here is wrong usage: for checking values that came from the command line or a file.
template <typename Check>
auto asUsage(const Check& check) {
  try {
    return check();
  } catch (const EngineError& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    throw UsageError(error.what());
  }
}

// A file, or a pipe where `kind` allows one, of at most 64 MiB. Throws EngineError. Reading a pipe waits for
// its writer, so the window's thread asks for a file.
std::string readFile(const std::filesystem::path& file, InputKind kind = InputKind::kFileOrPipe);
// JSON written by people. Throws UsageError for what is none, for a key that stands twice in an object (only
// one of the two would count), and for what is nested or branched beyond any use.
Json parseJson(std::string_view text);
Json parseJsonFile(const std::filesystem::path& file, InputKind kind);  // throws what both of them throw
int wholeNumber(const std::string& key, const Json& value);             // of 0 or more; throws UsageError
std::string stringValue(const std::string& key, const Json& value);     // a string; throws UsageError

}  // namespace vitrine
