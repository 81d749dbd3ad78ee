// Operations on texts that methods and filters share. Places are in bytes; every part keeps its marks.
//
// Thread: pure functions, but for the steps they take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/jinja/budget.h"
#include "text/jinja/marked_text.h"
#include "text/jinja/value.h"

namespace vitrine::jinja::text_ops {

struct Span {
  std::size_t begin = 0, end = 0;
};

std::size_t lettersIn(std::string_view text);
// Where the letter of that number begins; the end of the text for the number of its letters.
std::size_t byteOfLetter(const String& text, std::size_t letter);

// What is left without white space, or without these letters, at its sides.
Span stripped(std::string_view text, bool left, bool right);
Span stripped(std::string_view text, std::string_view letters, bool left, bool right);

// At most `most` cuts, the first ones or the last ones.
std::vector<Span> splitAtSpace(std::string_view text, std::size_t most, bool fromRight);
std::vector<Span> splitAt(std::string_view text, std::string_view separator, std::size_t most);
std::vector<Span> splitFromRight(std::string_view text, std::string_view separator, std::size_t most);
std::vector<Span> lines(std::string_view text, bool withEnds);

MarkedText upper(const MarkedText& text, Budget& budget);
MarkedText lower(const MarkedText& text, Budget& budget);
MarkedText capitalized(const MarkedText& text, Budget& budget);
MarkedText titled(const MarkedText& text, Budget& budget);  // each word, as str.title has words
MarkedText caseSwapped(const MarkedText& text, Budget& budget);
// The first `most` places, or all for a negative number.
MarkedText replaced(const MarkedText& text, const MarkedText& wanted, const MarkedText& replacement,
                    std::int64_t most, Budget& budget);

bool isLower(std::string_view text);  // at least one letter has a case, and all that have are lower
bool isUpper(std::string_view text);

}  // namespace vitrine::jinja::text_ops
