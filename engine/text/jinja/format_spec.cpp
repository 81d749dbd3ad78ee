#include "text/jinja/format_spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "text/jinja/fault.h"
#include "text/jinja/printer.h"
#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

constexpr std::string_view kAligns = "<>^=";

// A number at the front of the text, which loses it.
std::optional<std::size_t> takeNumber(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) fail("A number in a format is too large.");
  if (end == text.data()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool takeByte(std::string_view& text, char byte) {
  if (text.empty() || text.front() != byte) return false;
  text.remove_prefix(1);
  return true;
}

std::size_t lettersIn(std::string_view text) {
  std::size_t letters = 0;
  for (; !text.empty(); ++letters) text.remove_prefix(utf8::decode(text).length);
  return letters;
}

std::string inUpperCase(std::string text) {
  for (char& byte : text)
    if (byte >= 'a' && byte <= 'z') byte = static_cast<char>(byte - 'a' + 'A');
  return text;
}

std::string digitsOf(double size, std::chars_format format, int precision) {
  std::string text(static_cast<std::size_t>(precision) + 400, '\0');
  const auto end = std::to_chars(text.data(), text.data() + text.size(), size, format, precision);
  text.resize(static_cast<std::size_t>(end.ptr - text.data()));
  return text;
}

// A separator after every `size` digits, counted from the right.
std::string grouped(std::string_view digits, char separator, std::size_t size) {
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % size == 0) result += separator;
    result += digits[i];
  }
  return result;
}

// Without the zeros at the end of a fraction, and without its point when none is left.
std::string withoutZeros(std::string text) {
  const std::size_t exponent = std::min(text.find('e'), text.size());
  if (text.find('.') >= exponent) return text;
  std::size_t end = exponent;
  while (text[end - 1] == '0') --end;
  if (text[end - 1] == '.') --end;
  return text.erase(end, exponent - end);
}

// %g: as many significant digits, with an exponent where the number is very small or large.
std::string generalDigits(double size, int precision, bool alternate) {
  const int significant = std::max(precision, 1);
  const std::string scientific = digitsOf(size, std::chars_format::scientific, significant - 1);
  const std::size_t mark = scientific.find('e');
  const int exponent = size == 0 ? 0 : std::stoi(scientific.substr(mark + 1));
  const bool withExponent = exponent < -4 || exponent >= significant;
  const std::string text =
      withExponent ? scientific : digitsOf(size, std::chars_format::fixed, significant - 1 - exponent);
  return alternate ? text : withoutZeros(text);
}

std::string realDigits(double size, const FormatSpec& spec) {
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  switch (spec.type) {
    case 'f':
    case 'F':
      return digitsOf(size, std::chars_format::fixed, precision);
    case '%':
      return digitsOf(size * 100, std::chars_format::fixed, precision);
    case 'e':
    case 'E':
      return digitsOf(size, std::chars_format::scientific, precision);
    case 'g':
    case 'G':
    case 'n':
      return generalDigits(size, precision, spec.alternate);
    case 0: {
      // As repr() writes it, or with so many digits, but always with one behind the point.
      if (spec.precision < 0) return printedReal(size);
      std::string text = generalDigits(size, spec.precision, spec.alternate);
      if (text.find('e') != std::string::npos || text.find('.') != std::string::npos) return text;
      if (text.size() >= static_cast<std::size_t>(std::max(spec.precision, 1)))
        return withoutZeros(digitsOf(size, std::chars_format::scientific, std::max(spec.precision, 1) - 1));
      return text + ".0";
    }
    default:
      fail(std::string("A format has no letter ") + spec.type + " for a float.");
  }
}

// Sign, digits and what fills them up to the width. `prefix` stands behind the sign.
std::string assembled(bool negative, const std::string& prefix, std::string_view digits,
                      std::string_view tail, std::size_t groupSize, const FormatSpec& spec) {
  std::string sign = prefix;
  if (negative)
    sign.insert(0, "-");
  else if (spec.sign != '-')
    sign.insert(0, 1, spec.sign);
  const char align = spec.align == 0 ? '>' : spec.align;
  std::string body(digits);
  if (spec.grouping != 0) {
    // Zeros that fill up are grouped, too.
    if (align == '=' && spec.fill == "0") {
      while (sign.size() + grouped(body, spec.grouping, groupSize).size() + tail.size() < spec.width)
        body.insert(0, "0");
      const std::string filled = grouped(body, spec.grouping, groupSize);
      return sign + filled + std::string(tail);
    }
    body = grouped(body, spec.grouping, groupSize);
  }
  body += tail;
  const std::size_t length = sign.size() + body.size();
  const std::size_t missing = spec.width > length ? spec.width - length : 0;
  const std::size_t before = align == '>' ? missing : align == '^' ? missing / 2 : 0;
  std::string result;
  const auto fillUp = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) result += spec.fill;
  };
  fillUp(before);
  result += sign;
  if (align == '=') fillUp(missing);
  result += body;
  if (align == '<' || align == '^') fillUp(missing - before);
  return result;
}

}  // namespace

FormatSpec FormatSpec::parse(std::string_view text, Budget& budget) {
  FormatSpec spec;
  const std::string whole(text);
  bool filled = false;
  const utf8::Step first = utf8::decode(text);
  if (first.length > 0 && text.size() > first.length &&
      kAligns.find(text[first.length]) != std::string_view::npos) {
    spec.fill = std::string(text.substr(0, first.length));
    spec.align = text[first.length];
    text.remove_prefix(first.length + 1);
    filled = true;
  } else if (!text.empty() && kAligns.find(text.front()) != std::string_view::npos) {
    spec.align = text.front();
    text.remove_prefix(1);
  }
  for (const char sign : {'+', '-', ' '})
    if (takeByte(text, sign)) {
      spec.sign = sign;
      break;
    }
  spec.alternate = takeByte(text, '#');
  if (!filled && !text.empty() && text.front() == '0') {
    text.remove_prefix(1);
    spec.fill = "0";
    if (spec.align == 0) spec.align = '=';
  }
  spec.width = takeNumber(text).value_or(0);
  budget.takeRepeated(spec.width, spec.fill.size());
  if (takeByte(text, ','))
    spec.grouping = ',';
  else if (takeByte(text, '_'))
    spec.grouping = '_';
  if (takeByte(text, '.')) {
    const auto precision = takeNumber(text);
    if (!precision) fail("The format '" + whole + "' has a point without a number behind it.");
    if (*precision > static_cast<std::size_t>(kMostPrecision)) fail("A format asks for too many digits.");
    spec.precision = static_cast<int>(*precision);
    budget.takeText(*precision);
  }
  if (text.size() > 1) fail("'" + whole + "' is no format.");
  if (!text.empty()) spec.type = text.front();
  return spec;
}

std::string formattedWhole(std::int64_t value, const FormatSpec& spec, Budget& budget) {
  const auto size =
      value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  if (spec.type == 'c') {
    std::string letter;
    if (value < 0 || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) fail("A number is no letter.");
    utf8::append(letter, static_cast<char32_t>(value));
    FormatSpec plain = spec;
    plain.type = 0;
    return formattedText(MarkedText(letter), plain, budget).text();
  }
  int base = 10;
  std::string prefix;
  switch (spec.type) {
    case 0:
    case 'd':
    case 'n':
      break;
    case 'b':
      base = 2;
      prefix = "0b";
      break;
    case 'o':
      base = 8;
      prefix = "0o";
      break;
    case 'x':
    case 'X':
      base = 16;
      prefix = spec.type == 'x' ? "0x" : "0X";
      break;
    default:
      return formattedReal(static_cast<double>(value), spec, budget);
  }
  if (spec.precision >= 0) fail("A format asks for a fraction of a whole number.");
  std::string digits(64, '\0');
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), size, base);
  digits.resize(static_cast<std::size_t>(end.ptr - digits.data()));
  if (spec.type == 'X') digits = inUpperCase(digits);
  return assembled(value < 0, spec.alternate ? prefix : "", digits, "", base == 10 ? 3 : 4, spec);
}

std::string formattedReal(double value, const FormatSpec& spec, Budget&) {
  const bool upper = spec.type == 'E' || spec.type == 'F' || spec.type == 'G';
  if (!std::isfinite(value)) {
    std::string word = std::isnan(value) ? "nan" : "inf";
    if (spec.type == '%') word += "%";
    return assembled(
        std::signbit(value) && !std::isnan(value), "", upper ? inUpperCase(word) : word, "", 3,
        spec.grouping == 0 ? spec : [&] {
          FormatSpec plain = spec;
          plain.grouping = 0;
          return plain;
        }());
  }
  std::string text = realDigits(std::fabs(value), spec);
  if (upper) text = inUpperCase(text);
  if (spec.type == '%') text += "%";
  const std::size_t whole = std::min(text.find_first_not_of("0123456789"), text.size());
  return assembled(std::signbit(value), "", std::string_view(text).substr(0, whole),
                   std::string_view(text).substr(whole), 3, spec);
}

MarkedText formattedText(const MarkedText& text, const FormatSpec& spec, Budget& budget) {
  if (spec.type != 0 && spec.type != 's')
    fail(std::string("A format has no letter ") + spec.type + " for a text.");
  if (spec.align == '=' && spec.fill != "0") fail("The format '=' is for numbers alone.");
  if (spec.sign != '-' || spec.alternate || spec.grouping != 0) fail("A format asks for a number.");
  budget.takeText(text);
  std::string_view rest = text.text();
  if (spec.precision >= 0)
    for (int i = 0; i < spec.precision && !rest.empty(); ++i) rest.remove_prefix(utf8::decode(rest).length);
  const std::size_t end = spec.precision >= 0 ? text.size() - rest.size() : text.size();
  const std::size_t length = lettersIn(std::string_view(text.text()).substr(0, end));
  const std::size_t missing = spec.width > length ? spec.width - length : 0;
  const std::size_t before = spec.align == '>' ? missing : spec.align == '^' ? missing / 2 : 0;
  MarkedText result;
  for (std::size_t i = 0; i < before; ++i) result.append(spec.fill);
  result.append(text, 0, end);
  for (std::size_t i = before; i < missing; ++i) result.append(spec.fill);
  return result;
}

MarkedText formatted(const Value& value, std::string_view text, Budget& budget) {
  if (text.empty()) return printed(value, budget);
  switch (value.kind()) {
    case Kind::kString:
      return formattedText(value.marked(), FormatSpec::parse(text, budget), budget);
    case Kind::kBoolean:
    case Kind::kInteger:
      return MarkedText(formattedWhole(value.asWhole(), FormatSpec::parse(text, budget), budget));
    case Kind::kReal:
      return MarkedText(formattedReal(value.asReal(), FormatSpec::parse(text, budget), budget));
    default:
      fail("A value of type " + std::string(typeName(value)) + " has no format '" + std::string(text) + "'.");
  }
}

}  // namespace vitrine::jinja
