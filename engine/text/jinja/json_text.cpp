#include "text/jinja/json_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "text/jinja/fault.h"
#include "text/jinja/operators.h"
#include "text/jinja/printer.h"
#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

class JsonWriter {
 public:
  JsonWriter(const JsonStyle& style, Budget& budget) : m_style(style), m_budget(budget) {}

  void write(const Value& value) {
    m_budget.step();
    switch (value.kind()) {
      case Kind::kUndefined:
        fail("JSON cannot hold an undefined value: " + value.reason());
      case Kind::kNone:
        return put("null");
      case Kind::kBoolean:
        return put(value.asBoolean() ? "true" : "false");
      case Kind::kInteger:
        return put(std::to_string(value.asWhole()));
      case Kind::kReal:
        return put(value.wideDigits() != nullptr ? *value.wideDigits() : real(value.asReal()));
      case Kind::kString:
        return writeString(value.marked());
      case Kind::kSequence:
        return writeSequence(value.asSequence());
      case Kind::kMapping:
        return writeMapping(value.asMapping());
      case Kind::kObject:
        fail("JSON cannot hold a value of type " + std::string(typeName(value)) + ".");
    }
  }

  MarkedText take() { return std::move(m_text); }

 private:
  static std::string real(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    return printedReal(value);
  }

  void put(std::string_view text) { put(text, m_mark); }
  void put(std::string_view text, const Mark& mark) {
    m_budget.allowText(m_text.size() + text.size());
    m_budget.takeText(text.size());
    m_text.append(text, mark);
  }

  void putLine() {
    if (!m_style.indent) return;
    put("\n");
    for (int i = 0; i < m_depth; ++i) put(*m_style.indent);
  }

  void writeString(const MarkedText& text) {
    m_budget.takeRewritten(text);
    m_budget.allowText(m_text.size() + text.size());
    const Mark outer = m_mark.fromInput ? m_mark : text.commonMark();
    m_text.append("\"", outer);
    const std::string_view bytes = text.text();
    MarkReader marks(text);
    for (std::size_t at = 0; at < bytes.size();) {
      const utf8::Step step = utf8::decode(bytes.substr(at));
      std::string escape;
      appendEscape(escape, step.codePoint);
      m_text.append(escape.empty() ? bytes.substr(at, step.length) : std::string_view(escape), marks.at(at));
      at += step.length;
    }
    m_text.append("\"", outer);
    m_budget.allowText(m_text.size());
  }

  // Nothing for a letter that stands for itself.
  void appendEscape(std::string& text, char32_t letter) const {
    static constexpr std::string_view kLetters = "\"\\\n\r\t\b\f", kNames = "\"\\nrtbf";
    const std::size_t known =
        letter < 0x80 ? kLetters.find(static_cast<char>(letter)) : std::string_view::npos;
    if (known != std::string_view::npos) {
      text += '\\';
      text += kNames[known];
    } else if (letter < 0x20 || (m_style.onlyAscii && letter > 0x7E && letter < 0x10000)) {
      appendUnit(text, letter);
    } else if (m_style.onlyAscii && letter >= 0x10000) {
      appendUnit(text, 0xD800 + ((letter - 0x10000) >> 10));
      appendUnit(text, 0xDC00 + ((letter - 0x10000) & 0x3FF));
    }
  }

  static void appendUnit(std::string& text, char32_t unit) {
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(unit) & 0xFFFFu);
    text += escape.data();
  }

  // `writeItems` writes what is between the brackets, with `next` before each item.
  template <typename WriteItems>
  void writeContainer(std::string_view brackets, const Mark& mark, bool isEmpty, WriteItems writeItems) {
    const Mark outer = m_mark;
    m_mark = mark;
    put(brackets.substr(0, 1));
    if (!isEmpty) {
      ++m_depth;
      bool first = true;
      writeItems([&] {
        if (!first) put(m_style.itemSeparator);
        first = false;
        putLine();
      });
      --m_depth;
      putLine();
    }
    put(brackets.substr(1, 1));
    m_mark = outer;
  }

  void writeSequence(const Sequence& sequence) {
    writeContainer("[]", sequence.mark, sequence.items.empty(), [&](const auto& next) {
      for (const Value& item : sequence.items) {
        next();
        write(item);
      }
    });
  }

  void writeMapping(const Mapping& mapping) {
    std::vector<const Mapping::Entry*> entries;
    for (const Mapping::Entry& entry : mapping.entries()) entries.push_back(&entry);
    if (m_style.sortKeys)
      std::stable_sort(entries.begin(), entries.end(), [&](const auto* left, const auto* right) {
        m_budget.step();
        return compared(left->key, right->key, "<", m_budget) < 0;
      });
    writeContainer("{}", mapping.mark(), entries.empty(), [&](const auto& next) {
      for (const Mapping::Entry* entry : entries) {
        next();
        writeKey(entry->key);
        put(m_style.keySeparator);
        write(entry->value);
      }
    });
  }

  void writeKey(const Value& key) {
    if (key.isString()) return writeString(key.marked());
    if (!key.isNumber() && !key.isNone())
      fail("JSON cannot have a key of type " + std::string(typeName(key)) + ".");
    put("\"");
    write(key);
    put("\"");
  }

  const JsonStyle& m_style;
  Budget& m_budget;
  MarkedText m_text;
  Mark m_mark;  // of the container that is being written
  int m_depth = 0;
};

}  // namespace

MarkedText jsonText(const Value& value, const JsonStyle& style, Budget& budget) {
  JsonWriter writer(style, budget);
  writer.write(value);
  return writer.take();
}

}  // namespace vitrine::jinja
