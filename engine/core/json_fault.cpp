#include "vitrine/json_fault.h"

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "vitrine/message_text.h"

namespace vitrine {
namespace {

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
      return fault("\"" + forMessage(name, 60) + "\" stands there twice");
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    return fault("this is not JSON: " + jsonComplaint(error.what()));
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
