#include "backends/cpu/cache_sizes.h"

#include <charconv>
#include <set>
#include <string>

#include "formats/input_file.h"
#include "vitrine/error.h"
#include "vitrine/files.h"

namespace vitrine::cpu {
namespace {

// A line of a file of the system; empty when there is none.
std::string lineOf(const std::filesystem::path& file) {
  std::string text;
  try {
    if (isThere(file)) readChunks(file, [&](std::string_view chunk) { text += chunk; });
  } catch (const EngineError&) {  // then the size is unknown
  }
  return text.substr(0, text.find('\n'));
}

// "32768K" or "1M" as bytes.
std::int64_t sizeOf(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  const std::string unit(end, text.data() + text.size());
  return unit == "K" ? number << 10 : unit == "M" ? number << 20 : number;
}

}  // namespace

std::int64_t cacheBytes(int level, int cores, const std::filesystem::path& processors) {
  constexpr int kMostCaches = 16;  // of a core
  std::set<std::string> counted;   // the cores that share a cache
  std::int64_t bytes = 0;
  for (int core = 0; core < cores; ++core) {
    const std::filesystem::path caches = processors / ("cpu" + std::to_string(core)) / "cache";
    for (int i = 0; i < kMostCaches; ++i) {
      const std::filesystem::path cache = caches / ("index" + std::to_string(i));
      if (lineOf(cache / "level") != std::to_string(level) || lineOf(cache / "type") == "Instruction")
        continue;
      if (counted.insert(lineOf(cache / "shared_cpu_list")).second) bytes += sizeOf(lineOf(cache / "size"));
    }
  }
  return bytes;
}

}  // namespace vitrine::cpu
