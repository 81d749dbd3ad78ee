// JsonField: a value in a JSON file with its path, so that every error names the field.
//
// Thread: reads only; the document must outlive it. Every accessor throws EngineError(kFileCorrupt) with the
// file and the field ("tokenizer.json: model.merges[3] should be a string").
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace vitrine {

class JsonField {
 public:
  JsonField(const nlohmann::json& value, std::string file, std::string path)
      : m_value(&value), m_file(std::move(file)), m_path(std::move(path)) {}

  const nlohmann::json& value() const { return *m_value; }
  const std::string& file() const { return m_file; }

  bool isObject() const { return m_value->is_object(); }
  bool isArray() const { return m_value->is_array(); }
  bool isString() const { return m_value->is_string(); }

  // A member that must be there; get() gives nothing for one that is absent or null.
  JsonField at(const char* key) const;
  std::optional<JsonField> get(const char* key) const;

  JsonField operator[](std::size_t index) const;
  std::size_t size() const { return m_value->size(); }

  // Of a temporary a copy, so that what a caller binds to it stays.
  const std::string& string() const&;
  std::string string() && { return static_cast<const JsonField&>(*this).string(); }
  bool boolean() const;
  std::int64_t integer(std::int64_t least, std::int64_t most) const;

  std::string stringOr(const char* key, std::string_view otherwise) const;
  bool booleanOr(const char* key, bool otherwise) const;

  const JsonField& mustBeObject() const;
  const JsonField& mustBeArray() const;
  // Steps inside steps, sixteen at most; real files have one level.
  void mustBeShallow(int depth) const;

  [[noreturn]] void fail(const std::string& problem) const;  // kFileCorrupt
  [[noreturn]] void refuse(const std::string& kind) const;   // kUnsupported

 private:
  const nlohmann::json* m_value;
  std::string m_file, m_path;
};

// The document in the bytes. Throws EngineError(kFileCorrupt) for bytes that are not JSON in UTF-8, are
// nested deeper than 64 levels, or repeat a key of the outermost object.
nlohmann::json parseJson(std::string_view bytes, const std::string& file);

}  // namespace vitrine
