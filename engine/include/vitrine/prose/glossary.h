// The glossary: what each term of the field means, in one sentence, with the paper it comes from and a
// scenario that shows it.
//
// Sentences about events use these terms, and a window explains a term where it stands: termsIn() finds them.
// Thread: values. Read next: why.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "vitrine/prose/language.h"

namespace vitrine::prose {

struct Term {
  std::string name;                // "copy-on-write"
  std::vector<std::string> words;  // by which sentences name it, in lower case
  std::string meaning;             // one sentence
  std::string paper, link;         // "PagedAttention, arXiv 2309.06180" and its address; empty: none
  std::string scenario;            // of resources/scenarios; empty: none shows it
};

// In alphabetical order of the names.
std::vector<Term> glossary(const Language& language = english());

// A term in a sentence: bytes, and its place in the glossary.
struct TermPlace {
  std::size_t begin = 0, length = 0, term = 0;

  bool operator==(const TermPlace&) const = default;
};

// In order, none inside another: where two begin at one place, the longer one. Whole words, in small or
// capital letters.
std::vector<TermPlace> termsIn(std::string_view sentence, const std::vector<Term>& terms);

}  // namespace vitrine::prose
