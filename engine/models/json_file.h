// Small JSON files read with their bounds: how long a file may be, how deep it may nest. Errors name the
// file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace vitrine {

inline constexpr int kMaxJsonDepth = 32;

// Throws EngineError: kFileNotFound, kFileUnreadable, kFileCorrupt when longer than maxBytes.
std::string readSmallFile(const std::filesystem::path& path, std::size_t maxBytes);

// The object `text` holds. Throws EngineError(kFileCorrupt) for what is no JSON, no object, nested deeper
// than kMaxJsonDepth, or has the same top-level key twice (readers would disagree which one counts).
nlohmann::json parseJsonObject(std::string_view text, std::string_view fileName);

// A name from a file, fit for a message: shortened, control characters replaced.
std::string forMessage(std::string_view name);

}  // namespace vitrine
