// readJson(): the one reader of JSON texts, from files, command lines and traces. It keeps within bounds, and
// its work is linear in the text, but for the tree's own look-ups.
//
// The tree is built while the bounds are checked. A callback of nlohmann's parser could check the same, but
// then the parser looks through all members of an object for each member that ends. Thread: any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vitrine/message_text.h"

namespace vitrine {

struct JsonBounds {
  // Two members of one object with the same key: readers disagree which one counts.
  enum class Repeats { kRefusedAtTop, kRefused };

  int depth = 32;                                                 // of nested objects and lists
  std::size_t members = std::numeric_limits<std::size_t>::max();  // of one object
  Repeats repeats = Repeats::kRefusedAtTop;                       // elsewhere the last one counts
  // Numbers that neither 64 bits nor a double hold are kept as they are written: the tree has their text as
  // binary values, which JSON itself has none of. writtenJson() writes them.
  bool keepsDigits = false;
};

// Whether nothing is lost when a number of a JSON text becomes this double.
bool holdsDigits(double value, std::string_view number);
// The tree in one line, its numbers as JsonBounds::keepsDigits kept them. What is not UTF-8 is repaired.
std::string writtenJson(const nlohmann::ordered_json& tree);

// Builds a tree from what nlohmann's parser finds (its SAX interface). A function that returns false ends the
// parsing.
template <typename Json>
class JsonBuilder {
 public:
  using String = typename Json::string_t;

  JsonBuilder(Json& root, const JsonBounds& bounds) : m_root(root), m_bounds(bounds) {}
  std::string takeFault() { return std::move(m_fault); }

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(typename Json::number_integer_t value) { return put(value); }
  bool number_unsigned(typename Json::number_unsigned_t value) { return put(value); }
  bool number_float(typename Json::number_float_t value, const String& text) {
    if (!m_bounds.keepsDigits || holdsDigits(value, text)) return put(value);
    return put(Json::binary({text.begin(), text.end()}));
  }
  bool string(String& value) { return put(std::move(value)); }
  bool binary(typename Json::binary_t&) { return false; }  // not in a text
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(String& name) {
    auto& object = *m_open.back()->template get_ptr<typename Json::object_t*>();
    const auto [member, isNew] = object.emplace(std::move(name), Json());
    const bool watched = m_bounds.repeats == JsonBounds::Repeats::kRefused || m_open.size() == 1;
    if (!isNew && watched) return fault("\"" + forMessage(member->first, 60) + "\" stands there twice");
    if (object.size() > m_bounds.members)
      return fault("an object has more than " + std::to_string(m_bounds.members) + " members");
    m_member = &member->second;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const typename Json::exception& error) {
    return fault("this is not JSON: " + jsonComplaint(error.what()));
  }

 private:
  Json& place(Json value) {
    Json* const parent = m_open.empty() ? nullptr : m_open.back();
    if (parent != nullptr && parent->is_array()) {
      parent->push_back(std::move(value));
      return parent->back();
    }
    Json& target = parent == nullptr ? m_root : *m_member;
    target = std::move(value);
    return target;
  }
  template <typename Value>
  bool put(Value&& value) {
    place(Json(std::forward<Value>(value)));
    return true;
  }
  bool open(Json empty) {
    if (m_open.size() >= static_cast<std::size_t>(m_bounds.depth))
      return fault("JSON nested deeper than " + std::to_string(m_bounds.depth));
    m_open.push_back(&place(std::move(empty)));
    return true;
  }
  bool close() {
    m_open.pop_back();
    return true;
  }
  bool fault(std::string words) {
    m_fault = std::move(words);
    return false;
  }

  Json& m_root;
  const JsonBounds m_bounds;
  std::vector<Json*> m_open;  // the objects and lists around the present place
  Json* m_member = nullptr;   // of the innermost object: the value of the last key
  std::string m_fault;
};

// The place of a byte, as nlohmann's parser names places: "line 1, column 44".
inline std::string placeInText(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t begin = before.rfind('\n') + 1;  // 0 for the first line
  return "line " + std::to_string(line) + ", column " + std::to_string(at - begin + 1);
}

// The text as a tree in `root`. Returns what is wrong with the text: nothing for JSON within the bounds.
template <typename Json>
std::string parseJson(std::string_view text, const JsonBounds& bounds, Json& root) {
  // nlohmann's parser takes a NUL for the end of the text, and would drop what follows it.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return "this is not JSON: " + placeInText(text, nul) + ": a NUL character";
  JsonBuilder<Json> builder(root, bounds);
  return Json::sax_parse(text.begin(), text.end(), &builder) ? std::string() : builder.takeFault();
}
// The parser takes a compiler seconds. It is compiled in json_reader.cpp, once.
extern template std::string parseJson(std::string_view, const JsonBounds&, nlohmann::json&);
extern template std::string parseJson(std::string_view, const JsonBounds&, nlohmann::ordered_json&);

// The text as a tree of nlohmann's kind: Json is nlohmann::json or nlohmann::ordered_json. fail(words) must
// throw. It is called for a text that is not JSON or not within the bounds, and for one with a NUL character;
// the words follow a file's name and a colon.
template <typename Json, typename Fail>
Json readJson(std::string_view text, const JsonBounds& bounds, const Fail& fail) {
  Json root;
  if (const std::string fault = parseJson(text, bounds, root); !fault.empty()) fail(fault);
  return root;
}

// How far a text is a JSON value from its first byte on.
enum class JsonFront {
  kWhole,  // a value has ended
  kCut,    // the text ends before the value does; what is there may be its beginning
  kNone,   // this is no JSON, or not within the bounds
};

namespace detail {
// Counts the bytes that the parser has taken.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* taken) : m_at(at), m_taken(taken) {}
  reference operator*() const { return *m_at; }
  CountingIterator& operator++() {
    ++m_at;
    ++*m_taken;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return m_at == other.m_at; }

 private:
  const char* m_at;
  std::size_t* m_taken;
};
}  // namespace detail

// Reads the object or list that a text begins with; `bytes` becomes its length. What follows it is not read.
// A value that is neither has no mark of its end: use readJson().
template <typename Json>
JsonFront readJsonFront(std::string_view text, const JsonBounds& bounds, Json& value, std::size_t& bytes) {
  bytes = 0;
  JsonBuilder<Json> builder(value, bounds);
  const detail::CountingIterator begin(text.data(), &bytes), end(text.data() + text.size(), &bytes);
  if (Json::sax_parse(begin, end, &builder, Json::input_format_t::json, false)) return JsonFront::kWhole;
  return bytes == text.size() ? JsonFront::kCut : JsonFront::kNone;
}

}  // namespace vitrine
