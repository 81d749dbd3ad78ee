#include "events/json_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace vitrine {
namespace {

template <typename T>
void appendDigits(std::string& out, T value) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// Characters that stand in JSON as they are, and are one byte each.
bool isPlain(char letter) { return letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\'; }

}  // namespace

void appendJson(std::string& out, bool value) { out += value ? "true" : "false"; }

void appendJson(std::string& out, std::string_view value) {
  if (!std::ranges::all_of(value, isPlain)) return appendTree(out, JsonOut(std::string(value)));
  out += '"';
  out += value;
  out += '"';
}

// A whole number keeps a point, by which other readers know its type.
void appendJson(std::string& out, double value) {
  if (!std::isfinite(value)) return appendTree(out, toJson(value));
  const std::size_t begin = out.size();
  appendDigits(out, value);
  if (out.find_first_of(".e", begin) == std::string::npos) out += ".0";
}

void appendWhole(std::string& out, std::int64_t value) { appendDigits(out, value); }
void appendWhole(std::string& out, std::uint64_t value) { appendDigits(out, value); }

void appendName(std::string& out, const char* name) {
  out += '"';
  out += name;
  out += '"';
}

void appendTree(std::string& out, const JsonOut& value) { out += writeLine(value); }

}  // namespace vitrine
