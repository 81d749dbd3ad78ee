#include "events/json_value.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "vitrine/json_reader.h"

namespace vitrine {

UnknownWord::UnknownWord(const char* field, std::string word)
    : EngineError(ErrorCode::kFileCorrupt,
                  std::string("\"") + field + "\" has an unknown value, \"" + word + '"'),
      m_word(std::move(word)) {}

std::string hexOf(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

std::uint64_t fromHex(const char* field, const JsonIn& in) {
  std::string text;
  fromJson(field, in, text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + text.size())
    corruptField(field, "is not a hash of 16 hexadecimal digits");
  return value;
}

void fromJson(const char* field, const JsonIn& in, bool& value) {
  if (!in.is_boolean()) corruptField(field, "is not true or false");
  value = in.get<bool>();
}

void fromJson(const char* field, const JsonIn& in, std::string& value) {
  if (!in.is_string()) corruptField(field, "is not a string");
  value = in.get_ref<const std::string&>();
}

void fromJson(const char* field, const JsonIn& in, double& value) {
  if (in.is_number()) {
    value = in.get<double>();
    return;
  }
  const std::string text = in.is_string() ? in.get<std::string>() : "";
  if (text == "nan")
    value = std::numeric_limits<double>::quiet_NaN();
  else if (text == "inf" || text == "-inf")
    value = (text == "inf" ? 1 : -1) * std::numeric_limits<double>::infinity();
  else
    corruptField(field, "is not a number");
}

void fromJson(const char* field, const JsonIn& in, float& value) {
  double wide = 0;
  fromJson(field, in, wide);
  if (std::isfinite(wide) && std::abs(wide) > double{std::numeric_limits<float>::max()})
    corruptField(field, "is out of range");
  value = static_cast<float>(wide);
}

void fromJson(const char* field, const JsonIn& in, std::int64_t& value) {
  if (!in.is_number_integer()) corruptField(field, "is not a whole number");
  if (in.is_number_unsigned() &&
      in.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
    corruptField(field, "is out of range");
  value = in.get<std::int64_t>();
}

void fromJson(const char* field, const JsonIn& in, std::uint64_t& value) {
  if (!in.is_number_unsigned()) corruptField(field, "is not a whole number of 0 or more");
  value = in.get<std::uint64_t>();
}

void fromJson(const char* field, const JsonIn& in, std::int32_t& value) {
  std::int64_t wide = 0;
  fromJson(field, in, wide);
  if (wide < std::numeric_limits<std::int32_t>::min() || wide > std::numeric_limits<std::int32_t>::max())
    corruptField(field, "is out of range");
  value = static_cast<std::int32_t>(wide);
}

std::size_t indexOfName(const char* field, const JsonIn& in, const char* const* names, std::size_t count) {
  std::string text;
  fromJson(field, in, text);
  const auto found = std::find_if(names, names + count, [&](const char* name) { return text == name; });
  if (found == names + count) throw UnknownWord(field, forMessage(text, 60));
  return static_cast<std::size_t>(found - names);
}

JsonIn parseLine(std::string_view line, std::size_t mostBytes) {
  constexpr JsonBounds kBounds{.depth = 16};
  const auto fail = [](const std::string& fault) { throw EngineError(ErrorCode::kFileCorrupt, fault); };
  if (line.size() > mostBytes) fail("the line is longer than 16 MiB");
  return readJson<JsonIn>(line, kBounds, fail);
}

std::string writeLine(const JsonOut& value) {
  return value.dump(-1, ' ', false, JsonOut::error_handler_t::replace);
}

const JsonIn& arrayOf(const char* field, const JsonIn& in) {
  if (!in.is_array()) corruptField(field, "is not an array");
  return in;
}

const JsonIn& memberOf(const char* field, const JsonIn& in) {
  if (!in.is_object()) corruptField(field, "is sought in what is not an object");
  const JsonIn* const found = findMember(in, field);
  if (found == nullptr) corruptField(field, "is missing");
  return *found;
}

void addMember(JsonOut& object, const char* name, JsonOut value) { object[name] = std::move(value); }

const JsonIn* findMember(const JsonIn& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace vitrine
