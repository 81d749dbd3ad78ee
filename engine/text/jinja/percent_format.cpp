#include "text/jinja/percent_format.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "text/jinja/fault.h"
#include "text/jinja/format_spec.h"
#include "text/jinja/iteration.h"
#include "text/jinja/operators.h"
#include "text/jinja/printer.h"
#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

class PercentFormat {
 public:
  PercentFormat(const Value& format, const Value& values, Budget& budget)
      : m_format(format), m_values(values), m_budget(budget) {}

  Value run() {
    const std::string_view text = m_format.text();
    m_budget.takeText(m_format.marked());
    while (true) {
      const std::size_t sign = std::min(text.find('%', m_at), text.size());
      m_result.append(m_format.marked(), m_at, sign);
      m_at = sign;
      if (sign == text.size()) break;
      ++m_at;
      convert();
      m_budget.allowText(m_result.size());
    }
    const std::size_t given = isTuple() ? m_values.items().size() : isLeftOver() ? 1 : m_next;
    if (m_next < given) fail("A format has more values than places for them.");
    return Value::string(std::move(m_result), m_format.asString().safe);
  }

 private:
  bool isTuple() const {
    return m_values.isSequence() && m_values.asSequence().type != Sequence::Type::kList;
  }

  // Whether the one value, which no place took, is too much. Python allows what could hold names.
  bool isLeftOver() const {
    if (m_named || m_values.isMapping() || m_values.isSequence() || m_values.isUndefined()) return false;
    return !m_values.objectAs<Range>();
  }

  char peek() const {
    if (m_at == m_format.text().size()) fail("A format ends behind its '%'.");
    return m_format.text()[m_at];
  }
  char take() {
    const char byte = peek();
    ++m_at;
    return byte;
  }

  const Value& nextValue() {
    if (m_key) return *m_key;
    if (isTuple()) {
      if (m_next == m_values.items().size()) fail("A format has more places than values.");
      return m_values.items()[m_next++];
    }
    if (m_next++ > 0) fail("A format has more places than values.");
    return m_values;
  }

  std::size_t number() {
    if (peek() == '*') {
      ++m_at;
      const Value& value = nextValue();
      if (!value.isWhole()) fail("A format needs a whole number for its '*'.");
      if (value.asWhole() < 0) m_spec.align = '<';
      const std::int64_t size = std::max<std::int64_t>(value.asWhole(), -1'000'000'000);
      return static_cast<std::size_t>(size < 0 ? -size : size);
    }
    std::size_t result = 0;
    while (peek() >= '0' && peek() <= '9') {
      result = result * 10 + static_cast<std::size_t>(take() - '0');
      if (result > 1'000'000'000) fail("A number in a format is too large.");
    }
    return result;
  }

  void takeKey() {
    m_key = nullptr;
    if (peek() != '(') return;
    if (!m_values.isMapping()) fail("A format with names needs a mapping.");
    const std::size_t begin = ++m_at;
    for (int depth = 1; depth > 0;) {
      const char byte = take();
      depth += byte == '(' ? 1 : byte == ')' ? -1 : 0;
    }
    const std::string name = m_format.text().substr(begin, m_at - 1 - begin);
    m_budget.takeText(name.size());
    m_key = m_values.asMapping().find(name);
    if (!m_key) fail("A format names '" + name + "', which its mapping does not have.");
    m_named = true;
  }

  void convert() {
    m_spec = {};
    takeKey();
    bool zero = false, left = false;
    for (bool flags = true; flags;) {
      switch (peek()) {
        case '-':
          left = true;
          break;
        case '+':
          m_spec.sign = '+';
          break;
        case ' ':
          if (m_spec.sign != '+') m_spec.sign = ' ';
          break;
        case '#':
          m_spec.alternate = true;
          break;
        case '0':
          zero = true;
          break;
        default:
          flags = false;
          continue;
      }
      ++m_at;
    }
    m_spec.width = number();
    left = left || m_spec.align == '<';
    if (peek() == '.') {
      ++m_at;
      const std::size_t digits = number();
      if (digits > static_cast<std::size_t>(FormatSpec::kMostPrecision))
        fail("A format asks for too many digits.");
      m_spec.precision = static_cast<int>(digits);
    }
    while (peek() == 'h' || peek() == 'l' || peek() == 'L') ++m_at;
    m_budget.takeText(m_spec.width + static_cast<std::size_t>(std::max(m_spec.precision, 0)));
    m_spec.align = left ? '<' : '>';
    if (zero && !left) {
      m_spec.align = '=';
      m_spec.fill = "0";
    }
    write(take());
  }

  void write(char letter) {
    switch (letter) {
      case '%':
        return m_result.append("%");
      case 's':
        return writeText(m_format.asString().safe ? escaped(nextValue(), m_budget).marked()
                                                  : printed(nextValue(), m_budget));
      case 'r':
      case 'a':
        return writeText(printedRepr(nextValue(), m_budget));
      case 'c':
        return writeLetter();
      case 'd':
      case 'i':
      case 'u':
        return writeWhole(0);
      case 'x':
      case 'X':
      case 'o':
        return writeWhole(letter);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        return writeReal(letter);
      default:
        fail(std::string("A format has no letter '") + letter + "'.");
    }
  }

  void writeText(const MarkedText& text) {
    m_spec.sign = '-';
    m_spec.alternate = false;
    if (m_spec.align == '=') {
      m_spec.align = '>';
      m_spec.fill = " ";
    }
    m_result.append(formattedText(text, m_spec, m_budget));
  }

  void writeLetter() {
    const Value& value = nextValue();
    if (value.isWhole()) {
      if (m_spec.align == '=') m_spec.align = '>', m_spec.fill = " ";
      m_spec.type = 'c';
      m_spec.sign = '-';
      m_spec.precision = -1;
      return m_result.append(formattedWhole(value.asWhole(), m_spec, m_budget));
    }
    if (!value.isString() || value.asString().letters != 1)
      fail("The format %c needs one letter or a number.");
    writeText(value.marked());
  }

  void writeWhole(char type) {
    const Value& value = nextValue();
    if (value.isUndefined()) fail(value.reason());
    const bool real = value.kind() == Kind::kReal;
    if (!value.isWhole() && !(real && type == 0)) fail("A format needs a whole number.");
    if (real && !(std::fabs(value.asReal()) < 9.2e18)) fail("A whole number does not fit into 64 bits.");
    const std::int64_t whole = real ? static_cast<std::int64_t>(value.asReal()) : value.asWhole();
    m_spec.type = type;
    // Here a precision is the least number of digits.
    const int digits = m_spec.precision;
    m_spec.precision = -1;
    if (digits >= 0) {
      FormatSpec inner;
      inner.type = type;
      inner.fill = "0";
      inner.align = '=';
      inner.sign = m_spec.sign;
      inner.alternate = m_spec.alternate;
      const bool signedText = whole < 0 || inner.sign != '-';
      inner.width =
          static_cast<std::size_t>(digits) + (signedText ? 1 : 0) + (inner.alternate && type != 0 ? 2 : 0);
      const std::string text = formattedWhole(whole, inner, m_budget);
      FormatSpec outer;
      outer.align = m_spec.align == '<' ? '<' : '>';
      outer.width = m_spec.width;
      if (m_spec.align == '=' && text.size() < m_spec.width) {
        inner.width = m_spec.width;
        return m_result.append(formattedWhole(whole, inner, m_budget));
      }
      return m_result.append(formattedText(MarkedText(text), outer, m_budget));
    }
    m_result.append(formattedWhole(whole, m_spec, m_budget));
  }

  void writeReal(char type) {
    const Value& value = nextValue();
    if (value.isUndefined()) fail(value.reason());
    if (!value.isNumber()) fail("A format needs a number.");
    m_spec.type = type;
    m_result.append(formattedReal(value.asReal(), m_spec, m_budget));
  }

  const Value& m_format;
  const Value& m_values;
  Budget& m_budget;
  MarkedText m_result;
  FormatSpec m_spec;
  std::size_t m_at = 0, m_next = 0;
  const Value* m_key = nullptr;  // what the name of this place stands for
  bool m_named = false;
};

}  // namespace

Value percentFormat(const Value& format, const Value& values, Budget& budget) {
  return PercentFormat(format, values, budget).run();
}

}  // namespace vitrine::jinja
