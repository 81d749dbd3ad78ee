#include "vitrine/gguf_name.h"

#include <algorithm>
#include <array>

namespace vitrine {
namespace {

constexpr std::string_view kEnding = ".gguf";

bool isDigit(char c) { return c >= '0' && c <= '9'; }
char upperCase(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
std::string upperCase(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](char c) { return upperCase(c); });
  return upper;
}

// '0' of the pattern stands for any digit.
bool hasForm(std::string_view text, std::string_view pattern) {
  return std::ranges::equal(text, pattern,
                            [](char c, char form) { return form == '0' ? isDigit(c) : c == form; });
}

// "", "_K", "_K_XL": words, each behind a "_".
bool areWords(std::string_view text) {
  bool isOpen = false;  // a word begins and has no letter yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_' ? isOpen : i == 0) return false;
    if (text[i] != '_' && !isDigit(text[i]) && (text[i] < 'A' || text[i] > 'Z')) return false;
    isOpen = text[i] == '_';
  }
  return !isOpen;
}

// Of an upper-case text.
bool isQuantization(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWhole = {"BF16", "F16", "F32", "MXFP4", "MXFP4_MOE"};
  if (text.starts_with("UD-")) text.remove_prefix(3);
  if (std::ranges::find(kWhole, text) != kWhole.end() || hasForm(text, "TQ0_0")) return true;
  if (text.starts_with('I')) text.remove_prefix(1);
  return hasForm(text.substr(0, 2), "Q0") && areWords(text.substr(2));
}

std::string quantizationOf(std::string_view base) {
  constexpr std::string_view kSeparators = "-._";
  const std::string upper = upperCase(base);
  for (std::size_t at = 0; at < upper.size(); ++at) {
    const bool isBegin = at == 0 || kSeparators.find(upper[at - 1]) != std::string_view::npos;
    if (isBegin && isQuantization(std::string_view(upper).substr(at))) return upper.substr(at);
  }
  return {};
}

int numberOf(std::string_view digits) {
  int number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return number;
}

}  // namespace

bool isGgufName(std::string_view path) {
  return path.size() >= kEnding.size() &&
         upperCase(path.substr(path.size() - kEnding.size())) == upperCase(kEnding);
}

GgufName readGgufName(std::string_view path) {
  constexpr std::string_view kPart = "-00000-of-00000";
  constexpr std::size_t kDigits = 5;
  path.remove_suffix(kEnding.size());
  std::string_view base = path.substr(path.find_last_of('/') + 1);
  GgufName name;
  if (base.size() >= kPart.size() && hasForm(base.substr(base.size() - kPart.size()), kPart)) {
    const std::string_view part = base.substr(base.size() - kPart.size());
    name.part = numberOf(part.substr(1, kDigits));
    name.parts = numberOf(part.substr(part.size() - kDigits));
    base.remove_suffix(kPart.size());
  }
  name.base = base;
  name.quantization = quantizationOf(base);
  name.isVision = upperCase(base).find("MMPROJ") != std::string::npos;
  return name;
}

}  // namespace vitrine
