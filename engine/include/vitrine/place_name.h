// Names in the place of paths, for what may leave this computer: traces, exported chats, results,
// diagnostics. A path tells where its owner's home is and how files are kept there; the last part of it is
// enough to find a model again. Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace vitrine {

// The name of a file or a folder: the last part of its path. A name stays as it is.
std::string placeName(std::string_view path);

// A sentence, such as an error's, with the names of the places that it has the paths of. A path ends with a
// blank or a quote.
std::string withPlaceNames(std::string_view sentence);

}  // namespace vitrine
