// Reading a user's files and options: JSON, and the error for wrong usage.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "vitrine/error.h"
#include "vitrine/files.h"

namespace vitrine {

using Json = nlohmann::ordered_json;

// The user has asked for something that does not exist: an unknown key, a value out of range.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message, std::string hint = {})
      : std::runtime_error(message), m_hint(std::move(hint)) {}
  const std::string& hint() const { return m_hint; }  // how to correct it; may be empty
  // The same error with the place where it was found in front.
  UsageError at(const std::string& place) const { return UsageError(place + what(), m_hint); }

 private:
  std::string m_hint;
};

// The message with options spelled as in a file: "--top-p" becomes "top_p".
std::string asKeys(std::string_view message);

// What fails in here is wrong usage: for checking values that came from the command line or a file.
template <typename Check>
auto asUsage(const Check& check) {
  try {
    return check();
  } catch (const EngineError& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    throw UsageError(error.what(), error.hint());
  }
}

// A file, or a pipe where `kind` allows one, of at most 64 MiB. Throws EngineError. Reading a pipe waits for
// its writer, so the window's thread asks for a file.
std::string readFile(const std::filesystem::path& file, InputKind kind = InputKind::kFileOrPipe);
// JSON written by people. Throws UsageError for a text that is not JSON, for a key that an object has twice,
// for nesting deeper than 32 levels, and for an object of more than 256 members.
Json parseJson(std::string_view text, bool keepsDigits = false);  // as JsonBounds has it
Json parseJsonFile(const std::filesystem::path& file,
                   InputKind kind);                          // throws what readFile() and parseJson() throw
int wholeNumber(const std::string& key, const Json& value);  // of 0 or more; throws UsageError
std::string stringValue(const std::string& key, const Json& value);  // a string; throws UsageError

}  // namespace vitrine
