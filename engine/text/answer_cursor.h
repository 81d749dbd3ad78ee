// AnswerCursor: a place in an answer that moves on over what it finds there. The answer may not have ended.
//
// What is not found leaves the place at the first byte that was wrong, so that a reader goes on from there
// and reads no byte many times. Thread: one.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "vitrine/blanks.h"
#include "vitrine/json_reader.h"

namespace vitrine {

// kCut: the text ends before it is decided.
enum class Found { kYes, kNo, kCut };

class AnswerCursor {
 public:
  using Json = nlohmann::ordered_json;

  AnswerCursor(std::string_view text, std::size_t at) : m_text(text), m_at(at) {}

  std::size_t at() const { return m_at; }
  bool isAtEnd() const { return m_at == m_text.size(); }
  bool startsWith(char c) const { return m_at < m_text.size() && m_text[m_at] == c; }
  void skip(std::size_t bytes) { m_at += bytes; }
  void skipToEnd() { m_at = m_text.size(); }
  void skipBlanks() { m_at = std::min(m_text.find_first_not_of(kBlanks, m_at), m_text.size()); }

  Found take(std::string_view mark) {
    if (rest().starts_with(mark)) {
      m_at += mark.size();
      return Found::kYes;
    }
    return mark.starts_with(rest()) ? Found::kCut : Found::kNo;
  }

  // At least one such character, up to another one.
  template <typename IsOf>
  Found takeWord(const IsOf& isOf, std::string_view& word) {
    const auto end = std::find_if_not(rest().begin(), rest().end(), isOf);
    if (end == rest().end()) return Found::kCut;
    word = rest().substr(0, static_cast<std::size_t>(end - rest().begin()));
    m_at += word.size();
    return word.empty() ? Found::kNo : Found::kYes;
  }

  // Text up to the mark, which is skipped.
  Found takeUntil(std::string_view mark, std::string_view& before) {
    const std::size_t end = m_text.find(mark, m_at);
    if (end == std::string_view::npos) return Found::kCut;
    before = m_text.substr(m_at, end - m_at);
    m_at = end + mark.size();
    return Found::kYes;
  }

  // A JSON value that begins with this character: "{", "[" or a quotation mark.
  Found takeJson(char first, int depth, Json& value) {
    if (isAtEnd()) return Found::kCut;
    if (!startsWith(first)) return Found::kNo;
    std::size_t bytes = 0;
    const JsonFront front = readJsonFront(rest(), {.depth = depth, .keepsDigits = true}, value, bytes);
    if (front == JsonFront::kCut) return Found::kCut;
    m_at += front == JsonFront::kWhole ? bytes : bytes - 1;
    return front == JsonFront::kWhole ? Found::kYes : Found::kNo;
  }

 private:
  std::string_view rest() const { return m_text.substr(m_at); }

  std::string_view m_text;
  std::size_t m_at;
};

}  // namespace vitrine
