// Arguments as text, the way back from arguments.h and request_line.h: the keys of a file and the words of a
// command line that give the same arguments again. Only what differs from the defaults is written.
//
// Thread: values. Read next: scenarios/scenario_text.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/request_line.h"

namespace vitrine {

// As requestFromJson() reads it. Token ids, which win over a prompt, are written in its place.
Json requestToJson(const RequestLine& line);

// As takeEngineKey() reads them; without the model, which a file names by its own folder.
Json engineKeysToJson(const EngineArguments& arguments);

// {"--num-blocks", "6", "--no-prefix-cache"}: one word each, not quoted, the model's directory included.
std::vector<std::string> engineWords(const EngineArguments& arguments);

// The word as a POSIX shell reads it back: in single quotes unless it is plain.
std::string shellQuoted(std::string_view word);

// One line of JSON. Bytes that are not UTF-8 are replaced.
std::string oneLine(const Json& json);

}  // namespace vitrine
