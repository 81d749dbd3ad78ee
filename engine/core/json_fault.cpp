#include "vitrine/json_fault.h"

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

namespace vitrine {
namespace {

// Fit for one line of a terminal: short, printable, ASCII, since it may quote bytes that are no UTF-8.
std::string shown(std::string_view quoted) {
  constexpr std::size_t kLongest = 200;
  std::string text(quoted.substr(0, kLongest));
  for (char& c : text)
    if (c < 0x20 || c > 0x7e) c = '?';
  return quoted.size() > kLongest ? text + "..." : text;
}

// The library says "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ...".
std::string_view withoutPrefix(std::string_view said) {
  const std::size_t end = said.find("] ");
  return said.starts_with('[') && end != std::string_view::npos ? said.substr(end + 2) : said;
}

class Guard final : public nlohmann::json::json_sax_t {
 public:
  explicit Guard(const JsonBounds& bounds) : m_bounds(bounds) {}
  std::string takeFault() { return std::move(m_fault); }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = m_open.back();
    if (++level.members > m_bounds.members)
      return fault("an object has more than " + std::to_string(m_bounds.members) + " members");
    const bool watched = m_bounds.repeats == JsonBounds::Repeats::kRefused || m_open.size() == 1;
    if (watched && !level.names.insert(name).second)
      return fault("\"" + shown(name) + "\" stands there twice");
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    return fault("no valid JSON: " + shown(withoutPrefix(error.what())));
  }

 private:
  struct Level {
    std::size_t members = 0;
    std::unordered_set<std::string> names;
  };

  bool open() {
    if (m_open.size() >= static_cast<std::size_t>(m_bounds.depth))
      return fault("JSON nested deeper than " + std::to_string(m_bounds.depth));
    m_open.emplace_back();
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

  const JsonBounds m_bounds;
  std::vector<Level> m_open;
  std::string m_fault;
};

}  // namespace

std::string jsonFault(std::string_view text, const JsonBounds& bounds) {
  Guard guard(bounds);
  nlohmann::json::sax_parse(text.begin(), text.end(), &guard);
  return guard.takeFault();
}

}  // namespace vitrine
