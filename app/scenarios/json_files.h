// What a user's files and options are read with: JSON, and the error for what was asked wrongly.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

#include "vitrine/error.h"

namespace vitrine {

using Json = nlohmann::ordered_json;

// Something was asked in a way that cannot be understood: an unknown key, a value out of range.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

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

std::string readFile(const std::filesystem::path& file);             // throws EngineError
Json parseJsonFile(const std::filesystem::path& file);               // throws UsageError too
int wholeNumber(const std::string& key, const Json& value);          // of 0 or more; throws UsageError
std::string stringValue(const std::string& key, const Json& value);  // a string; throws UsageError

}  // namespace vitrine
