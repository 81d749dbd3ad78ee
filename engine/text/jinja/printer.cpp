#include "text/jinja/printer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "text/jinja/letters.h"
#include "text/jinja/object.h"
#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

std::string escapedLetter(char32_t letter) {
  std::array<char, 16> text{};
  const char* form = letter < 0x100 ? "\\x%02x" : letter < 0x10000 ? "\\u%04x" : "\\U%08x";
  std::snprintf(text.data(), text.size(), form, static_cast<unsigned>(letter));
  return text.data();
}

}  // namespace

std::string printedReal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 40> text{};
  const double size = std::fabs(value);
  // Python writes an exponent from 1e16 on and below 1e-4.
  const bool exponent = size != 0 && (size >= 1e16 || size < 1e-4);
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 exponent ? std::chars_format::scientific : std::chars_format::fixed);
  std::string result(text.data(), end.ptr);
  if (!exponent && result.find('.') == std::string::npos) result += ".0";
  return result;
}

void Printer::write(std::string_view text) {
  m_budget.allowText(m_text.size() + text.size());
  m_budget.takeText(text.size());
  m_text.append(text, m_mark);
}

void Printer::print(const Value& value) {
  if (value.isString()) {
    m_budget.allowText(m_text.size() + value.text().size());
    m_budget.takeText(value.marked());
    m_text.append(value.marked());
  } else if (!value.isUndefined()) {
    printRepr(value);
  }
}

void Printer::printRepr(const Value& value) {
  m_budget.take(1);
  switch (value.kind()) {
    case Kind::kUndefined:
      return write("Undefined");
    case Kind::kNone:
      return write("None");
    case Kind::kBoolean:
      return write(value.asBoolean() ? "True" : "False");
    case Kind::kInteger:
      return write(std::to_string(value.asWhole()));
    case Kind::kReal:
      return write(value.wideDigits() != nullptr ? *value.wideDigits() : printedReal(value.asReal()));
    case Kind::kString:
      if (value.asString().safe) write("Markup(");
      printQuoted(value.marked());
      if (value.asString().safe) write(")");
      return;
    case Kind::kSequence:
      return printSequence(value.asSequence());
    case Kind::kMapping:
      return printMapping(value.asMapping());
    case Kind::kObject:
      const Budget::Level level(m_budget);  // a namespace may hold itself
      return value.asObject()->print(*this);
  }
}

void Printer::printQuoted(const MarkedText& text) {
  const std::string& bytes = text.text();
  m_budget.allowText(m_text.size());
  m_budget.takeRewritten(text);
  const bool doubled = bytes.find('\'') != std::string::npos && bytes.find('"') == std::string::npos;
  const char quote = doubled ? '"' : '\'';
  const Mark common = text.commonMark();
  m_text.append({&quote, 1}, m_mark.fromInput ? m_mark : common);
  MarkReader marks(text);
  for (std::size_t at = 0; at < bytes.size();) {
    const utf8::Step step = utf8::decode(std::string_view(bytes).substr(at));
    const Mark& mark = marks.at(at);
    if (step.codePoint == static_cast<char32_t>(quote) || step.codePoint == '\\')
      m_text.append(std::string("\\") + static_cast<char>(step.codePoint), mark);
    else if (step.codePoint == '\n')
      m_text.append("\\n", mark);
    else if (step.codePoint == '\r')
      m_text.append("\\r", mark);
    else if (step.codePoint == '\t')
      m_text.append("\\t", mark);
    else if (!letters::isPrintable(step.codePoint))
      m_text.append(escapedLetter(step.codePoint), mark);
    else
      m_text.append(std::string_view(bytes).substr(at, step.length), mark);
    at += step.length;
  }
  m_text.append({&quote, 1}, m_mark.fromInput ? m_mark : common);
}

void Printer::printSequence(const Sequence& sequence) {
  const Mark outer = m_mark;
  m_mark = sequence.mark;
  const bool list = sequence.type == Sequence::Type::kList;
  write(list ? "[" : "(");
  bool first = true;
  for (const Value& item : sequence.items) {
    if (!first) write(", ");
    first = false;
    printRepr(item);
  }
  if (!list && sequence.items.size() == 1) write(",");
  write(list ? "]" : ")");
  m_mark = outer;
}

void Printer::printMapping(const Mapping& mapping) {
  const Mark outer = m_mark;
  m_mark = mapping.mark();
  write("{");
  bool first = true;
  for (const auto& [key, value] : mapping.entries()) {
    if (!first) write(", ");
    first = false;
    printRepr(key);
    write(": ");
    printRepr(value);
  }
  write("}");
  m_mark = outer;
}

MarkedText printed(const Value& value, Budget& budget) {
  Printer printer(budget);
  printer.print(value);
  return printer.take();
}

MarkedText printedRepr(const Value& value, Budget& budget) {
  Printer printer(budget);
  printer.printRepr(value);
  return printer.take();
}

}  // namespace vitrine::jinja
