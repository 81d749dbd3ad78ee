// Entities (&amp; &#65;) and the names of languages, as a message writes them.
#pragma once

#include <string>
#include <string_view>

namespace vitrine {

// What an entity with its '&' and ';' shows, safe to see; an unknown name shows itself.
std::string entityText(std::string_view entity);

// The language of a code block from the words after its fence ("C++ {.numbered}": "c++"); empty: none.
std::string codeLanguage(std::string_view info);

}  // namespace vitrine
