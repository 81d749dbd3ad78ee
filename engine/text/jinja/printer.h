// Printer: values as Python prints them.
#pragma once

#include <string>
#include <string_view>

#include "text/jinja/budget.h"
#include "text/jinja/marked_text.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

class Printer {
 public:
  explicit Printer(Budget& budget) : m_budget(budget) {}

  // str(): a text as it is, nothing for what is undefined; all else as repr() writes it.
  void print(const Value& value);
  void printRepr(const Value& value);
  // Between the values: brackets, commas, names.
  void write(std::string_view text);

  MarkedText take() { return std::move(m_text); }

 private:
  void printQuoted(const MarkedText& text);
  void printSequence(const Sequence& sequence);
  void printMapping(const Mapping& mapping);

  Budget& m_budget;
  MarkedText m_text;
  Mark m_mark;  // of the container that is being printed
};

MarkedText printed(const Value& value, Budget& budget);      // str()
MarkedText printedRepr(const Value& value, Budget& budget);  // repr()

// A float as Python writes it: as few digits as tell it from its neighbours.
std::string printedReal(double value);

}  // namespace vitrine::jinja
