#include "widgets/markdown/run_places.h"

#include <algorithm>

#include "widgets/markdown/shown_text.h"

namespace vitrine {
namespace {

// Characters of a valid text between two bytes, in UTF-16 units.
int unitsIn(std::string_view text) {
  int units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += byte >= 0xF0 ? 2 : (byte & 0xC0) != 0x80 ? 1 : 0;
  }
  return units;
}

}  // namespace

int unitsBefore(const Block& block, std::size_t byte) {
  return unitsIn(std::string_view(block.text).substr(0, byte));
}

std::size_t byteAtUnit(const Block& block, int unit) {
  std::size_t at = 0;
  for (int units = 0; at < block.text.size();) {
    const ShownCharacter character = shownCharacter(block.text, at);
    units += utf16Units(character.code);
    if (units > unit) break;
    at += character.sourceBytes;
  }
  return at;
}

int unitOfSource(const Block& block, std::string_view source, std::size_t at) {
  const auto after = std::ranges::upper_bound(block.runs, at, {}, &Run::source);
  if (after == block.runs.begin()) return 0;
  const Run& run = *(after - 1);
  int unit = unitsBefore(block, run.begin);
  if (at >= run.source + run.sourceBytes && (run.verbatim || at > run.source))
    return unitsBefore(block, run.end);
  if (!run.verbatim) return unit;
  const std::string_view text = source.substr(0, run.source + run.sourceBytes);
  for (std::size_t place = run.source; place < at;) {
    const ShownCharacter character = shownCharacter(text, place);
    place += character.sourceBytes;
    if (place <= at) unit += utf16Units(character.code);
  }
  return unit;
}

std::size_t sourceOfUnit(const Block& block, std::string_view source, int unit) {
  if (block.runs.empty()) return block.sourceBegin;
  const std::size_t byte = byteAtUnit(block, unit);
  const auto after = std::ranges::upper_bound(block.runs, byte, {}, &Run::begin);
  const Run& run = *(after - 1);  // the first run begins at 0
  if (byte >= run.end) return run.source + run.sourceBytes;
  if (!run.verbatim) return run.source;
  const std::string_view text = source.substr(0, run.source + run.sourceBytes);
  int before = unitsBefore(block, run.begin);
  for (std::size_t place = run.source; place < text.size();) {
    const ShownCharacter character = shownCharacter(text, place);
    before += utf16Units(character.code);
    if (before > unit) return place;
    place += character.sourceBytes;
  }
  return text.size();
}

}  // namespace vitrine
