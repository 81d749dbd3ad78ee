// Whether two schemas have no value in common, as far as types, listed values and a property that tells
// objects apart can show it. oneOf is then the same as anyOf.
//
// Thread: pure functions, but for the source's budget.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grammar/schema_source.h"

namespace vitrine {

struct SchemaKinds {
  using Json = SchemaSource::Json;
  std::set<std::string> types;                    // "integer" only beside no "number"
  std::optional<std::vector<Json>> values;        // all that there are, when they are listed
  std::map<std::string, std::vector<Json>> tags;  // properties that must be there, with their listed values
};

// Of a flat schema.
SchemaKinds kindsOf(const SchemaSource::Json& flat, SchemaSource& source, const SchemaPlace& place);
bool areDisjoint(const SchemaKinds& one, const SchemaKinds& other);

// Whether a JSON value is of this type of JSON schema; 1.0 is an integer.
bool isOfType(const SchemaSource::Json& value, const std::string& type);

}  // namespace vitrine
