// Patches: how the page's state becomes the next one, as little JSON as it takes.
//
// A patch is a JSON merge patch (RFC 7396): a member that is null goes, an object is a patch of the member,
// all else is the member's new value. One form is added: a text that only grew is {"+": "what came behind
// it"}. States hold no null and no member of that name. Thread: any; pure functions. Read next: page_story.h,
// resources/page/run.js, which applies them.
#pragma once

#include <nlohmann/json.hpp>

namespace vitrine::page {

using Json = nlohmann::json;  // members in the order of their names, so that equal states have equal texts

// Both are objects.
Json patchBetween(const Json& before, const Json& after);
// A line of JSON that may stand within a script of HTML. Bytes that are not UTF-8 become U+FFFD.
std::string lineOf(const Json& json);

}  // namespace vitrine::page
