// SchemaSource: a JSON schema as it was given: what its references refer to, two schemas made one, and the
// budget of all that.
//
// Flattening replaces $ref and allOf by what they bring, so that a schema's own keywords say all. It copies,
// and copies can double with each level: the work is counted, and beyond the budget the schema is refused.
// Errors are EngineError(kInvalidArgument) with the JSON pointer of the place. Thread: one at a time.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/grammar.h"

namespace vitrine {

// Where a schema stands, for errors and for the names of rules.
struct SchemaPlace {
  std::string pointer = {};  // "/properties/person"
  std::string path = {};     // "person.name"; empty at the top
  int depth = 0;             // of schemas in each other

  SchemaPlace below(std::string_view key) const;                               // the same value
  SchemaPlace property(std::string_view keyword, std::string_view key) const;  // a member of the value
};

class SchemaSource {
 public:
  using Json = nlohmann::ordered_json;

  explicit SchemaSource(std::string_view text);

  const Json& root() const { return m_root; }
  // "#/$defs/Person". The schema lives as long as this does.
  const Json& target(const Json& reference, const SchemaPlace& place) const;

  // A schema with the same values that has neither $ref nor allOf; without a value where no value satisfies
  // it. Its parts keep theirs.
  std::optional<Json> flat(const Json& schema, const SchemaPlace& place);
  // Of two flat ones: the schema of the values that satisfy both.
  std::optional<Json> both(Json one, const Json& other, const SchemaPlace& place);

  // Counts work; beyond the budget the schema is refused.
  void spend(std::int64_t work, const SchemaPlace& place);

 private:
  Json m_root;
  std::int64_t m_spent = 0;
};

[[noreturn]] void refuseSchema(const SchemaPlace& place, const std::string& problem, const std::string& mend);
// Refused at depths that no schema needs. Circles of references end here, too.
void checkSchemaDepth(const SchemaPlace& place);

// The member of an object; null: there is none.
const SchemaSource::Json* memberOf(const SchemaSource::Json& object, const std::string& key);
// The same without one member.
SchemaSource::Json without(SchemaSource::Json object, const char* key);

}  // namespace vitrine
