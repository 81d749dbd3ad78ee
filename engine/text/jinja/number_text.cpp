#include "text/jinja/number_text.h"

#include <charconv>
#include <limits>
#include <string>

#include "text/jinja/fault.h"
#include "text/jinja/text_ops.h"

namespace vitrine::jinja {
namespace {

std::string_view trimmed(std::string_view text) {
  const text_ops::Span span = text_ops::stripped(text, true, true);
  return text.substr(span.begin, span.end - span.begin);
}

// Without its underscores, each of which must stand between two digits.
std::optional<std::string> withoutUnderscores(std::string_view text) {
  const auto isDigit = [](char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      result += text[i];
    } else if (i == 0 || i + 1 == text.size() || !isDigit(text[i - 1]) || !isDigit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return result;
}

// The base that a prefix names, which the text loses; 0 for none.
int takeBase(std::string_view& text) {
  if (text.size() < 3 || text[0] != '0') return 0;
  const char letter = static_cast<char>(text[1] | 0x20);
  const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  return base;
}

}  // namespace

std::optional<std::int64_t> wholeIn(std::string_view text, int base) {
  text = trimmed(text);
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  const int named = takeBase(text);
  if (named != 0 && (base == 0 || base == named)) {
    text.remove_prefix(2);
    if (!text.empty() && text[0] == '_') text.remove_prefix(1);
    base = named;
  } else if (base == 0) {
    base = 10;
    if (text.size() > 1 && text[0] == '0' && text.find_first_not_of("0_") != std::string_view::npos)
      return std::nullopt;
  }
  const auto digits = withoutUnderscores(text);
  if (!digits || digits->empty() || digits->front() == '-') return std::nullopt;
  std::uint64_t size = 0;
  const auto read = std::from_chars(digits->data(), digits->data() + digits->size(), size, base);
  if (read.ptr != digits->data() + digits->size() || read.ec == std::errc::invalid_argument)
    return std::nullopt;
  const std::uint64_t most =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
  if (read.ec != std::errc() || size > most) fail("A whole number does not fit into 64 bits.");
  return static_cast<std::int64_t>(negative ? std::uint64_t{0} - size : size);
}

std::optional<double> realIn(std::string_view text) {
  text = trimmed(text);
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  const auto digits = withoutUnderscores(text);
  if (!digits || digits->empty()) return std::nullopt;
  const char first = digits->front();
  const bool begins = (first >= '0' && first <= '9') || first == '.';
  double size = 0;
  if (begins) {
    const auto read = std::from_chars(digits->data(), digits->data() + digits->size(), size);
    if (read.ptr != digits->data() + digits->size() || read.ec == std::errc::invalid_argument)
      return std::nullopt;
    // What is out of range is too large, or too small to be told from zero.
    if (read.ec == std::errc::result_out_of_range) {
      const std::size_t exponent = digits->find_first_of("eE");
      const bool small = exponent != std::string::npos && (*digits)[exponent + 1] == '-';
      size = small ? 0 : std::numeric_limits<double>::infinity();
    }
  } else {
    std::string word;
    for (const char byte : *digits) word += static_cast<char>(byte | 0x20);
    if (word == "inf" || word == "infinity")
      size = std::numeric_limits<double>::infinity();
    else if (word == "nan")
      size = std::numeric_limits<double>::quiet_NaN();
    else
      return std::nullopt;
  }
  return negative ? -size : size;
}

}  // namespace vitrine::jinja
