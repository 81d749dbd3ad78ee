#include "text/json_field.h"

#include "vitrine/error.h"
#include "vitrine/json_reader.h"

namespace vitrine {

JsonField JsonField::at(const char* key) const {
  if (const auto field = get(key)) return *field;
  fail(std::string("has no \"") + key + "\"");
}

std::optional<JsonField> JsonField::get(const char* key) const {
  mustBeObject();
  const auto found = m_value->find(key);
  if (found == m_value->end() || found->is_null()) return std::nullopt;
  return JsonField(*found, m_file, m_path.empty() ? key : m_path + "." + key);
}

JsonField JsonField::operator[](std::size_t index) const {
  return JsonField((*m_value)[index], m_file, m_path + "[" + std::to_string(index) + "]");
}

const std::string& JsonField::string() const& {
  if (!m_value->is_string()) fail("should be a string");
  return m_value->get_ref<const std::string&>();
}

bool JsonField::boolean() const {
  if (!m_value->is_boolean()) fail("should be true or false");
  return m_value->get<bool>();
}

std::int64_t JsonField::integer(std::int64_t least, std::int64_t most) const {
  const bool fits = m_value->is_number_unsigned()
                        ? m_value->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX)
                        : m_value->is_number_integer();
  if (!fits) fail("should be a whole number");
  const auto number = m_value->get<std::int64_t>();
  if (number < least || number > most)
    fail("is " + std::to_string(number) + ", outside " + std::to_string(least) + " to " +
         std::to_string(most));
  return number;
}

std::string JsonField::stringOr(const char* key, std::string_view otherwise) const {
  const auto field = get(key);
  return field ? field->string() : std::string(otherwise);
}

bool JsonField::booleanOr(const char* key, bool otherwise) const {
  const auto field = get(key);
  return field ? field->boolean() : otherwise;
}

const JsonField& JsonField::mustBeObject() const {
  if (!m_value->is_object()) fail("should be an object");
  return *this;
}

const JsonField& JsonField::mustBeArray() const {
  if (!m_value->is_array()) fail("should be a list");
  return *this;
}

void JsonField::mustBeShallow(int depth) const {
  constexpr int kDeepest = 16;
  if (depth > kDeepest) fail("is nested too deeply");
}

void JsonField::fail(const std::string& problem) const {
  throw EngineError(ErrorCode::kFileCorrupt,
                    m_file + ": " + (m_path.empty() ? "the file" : m_path) + " " + problem,
                    "The file is damaged or not what its name says; fetch it again.");
}

void JsonField::refuse(const std::string& kind) const {
  throw EngineError(ErrorCode::kUnsupported,
                    m_file + ": " + m_path + " is " + kind + ", which Vitrine does not know",
                    "Vitrine reads byte-level and byte-fallback BPE and SentencePiece models.");
}

nlohmann::json parseJson(std::string_view bytes, const std::string& file) {
  constexpr JsonBounds kBounds{.depth = 64};  // the readers of its parts have closer bounds
  return readJson<nlohmann::json>(bytes, kBounds, [&file](const std::string& fault) {
    throw EngineError(ErrorCode::kFileCorrupt, file + ": " + fault,
                      "The file is damaged, cut short or not UTF-8; fetch it again.");
  });
}

}  // namespace vitrine
