// schemaGrammar(): a grammar from a JSON schema, of which each answer is valid. jsonGrammar(): any JSON
// object.
//
// Draft 2020-12, with draft-07's `definitions` and lists as `items`. The answers are a part of all that is
// valid: properties stand in the schema's order, numbers have 15 significant digits at most and no exponent
// where a range is given, white space is bounded (json_rules.h), and a schema without `type` means the types
// that its keywords are about. Formats are those of string_formats.h; others are annotations, which are
// ignored, as keywords are that the standard does not know. A keyword that would change what is valid and is
// not followed is refused by its name: no answer is invalid in silence.
//
// Rules have the names of properties ("person.name", "item of tags") and of JSON's kinds ("string"). A
// refused schema throws EngineError(kInvalidArgument), which names the keyword and the JSON pointer of its
// place. Work and memory are bounded, whatever the schema. Thread: pure functions. Read next: json_rules.h,
// schema_source.h.
#pragma once

#include <string_view>

#include "grammar/grammar.h"

namespace vitrine {

Grammar schemaGrammar(std::string_view schema);
Grammar jsonGrammar();

}  // namespace vitrine
