// jsonFault(): what is wrong with a JSON text from outside, found before a tree of many times its size is
// made of it.
//
// One pass over the text, which keeps of it the names of the objects that are open. A parser's callback can
// find the same, but nlohmann's then looks through all members of an object for each member that ends.
// Thread: any.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace vitrine {

struct JsonBounds {
  enum class Repeats {
    kRefusedAtTop,
    kRefused
  };  // of a key in one object, where readers disagree which counts

  int depth = 32;                                                 // of nested objects and lists
  std::size_t members = std::numeric_limits<std::size_t>::max();  // of one object
  Repeats repeats = Repeats::kRefusedAtTop;
};

// In words that follow a file's name and a colon; empty when the text is sound.
std::string jsonFault(std::string_view text, const JsonBounds& bounds);

}  // namespace vitrine
