#include "vitrine/prose/glossary.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

#include "prose/memory_terms.h"
#include "prose/model_terms.h"
#include "prose/sampling_terms.h"
#include "prose/serving_terms.h"

namespace vitrine::prose {
namespace {

std::vector<std::string> wordsOf(const std::string& joined) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= joined.size();) {
    const std::size_t end = std::min(joined.find('|', begin), joined.size());
    words.push_back(joined.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

bool isTrailing(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// Whether the UTF-8 character that begins there is an ideograph, or a mark that stands among them. These are
// written without blanks: a term of them begins and ends anywhere.
bool isIdeographAt(std::string_view text, std::size_t lead) {
  const auto first = static_cast<unsigned char>(text[lead]);
  if (first == 0xEF) return lead + 1 < text.size() && static_cast<unsigned char>(text[lead + 1]) >= 0xBC;
  return first >= 0xE3 && first <= 0xE9;
}

std::size_t leadOf(std::string_view text, std::size_t place) {
  while (place > 0 && isTrailing(text[place])) --place;
  return place;
}

// Bytes of other letters outside ASCII count as letters.
bool isLetterAt(std::string_view text, std::size_t place) {
  const auto byte = static_cast<unsigned char>(text[place]);
  if (byte >= 128) return !isIdeographAt(text, leadOf(text, place));
  return std::isalnum(byte) != 0 || text[place] == '_';
}

// A word ends where no letter follows, nor a hyphen with a letter: "block-wise" speaks of no block.
bool endsAt(std::string_view sentence, std::size_t place) {
  if (place >= sentence.size() || (place > 0 && isIdeographAt(sentence, leadOf(sentence, place - 1))))
    return true;
  if (sentence[place] == '-') return place + 1 >= sentence.size() || !isLetterAt(sentence, place + 1);
  return !isLetterAt(sentence, place);
}

bool beginsAt(std::string_view sentence, std::size_t place) {
  if (isTrailing(sentence[place])) return false;
  if (isIdeographAt(sentence, place)) return true;
  return isLetterAt(sentence, place) &&
         (place == 0 || (!isLetterAt(sentence, place - 1) && sentence[place - 1] != '-'));
}

bool standsAt(std::string_view sentence, std::size_t begin, std::string_view word) {
  if (word.empty() || sentence.size() - begin < word.size() || !endsAt(sentence, begin + word.size()))
    return false;
  return std::equal(word.begin(), word.end(), sentence.begin() + static_cast<std::ptrdiff_t>(begin),
                    [](char a, char b) { return a == lower(b); });
}

std::optional<TermPlace> longestAt(std::string_view sentence, std::size_t begin,
                                   const std::vector<Term>& terms) {
  std::optional<TermPlace> longest;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (const std::string& word : terms[i].words)
      if (standsAt(sentence, begin, word) && (!longest || word.size() > longest->length))
        longest = {begin, word.size(), i};
  return longest;
}

}  // namespace

Term term(const std::string& name, const std::string& words, const std::string& meaning,
          const TermSource& source) {
  return {name, wordsOf(words), meaning, source.paper, source.link, source.scenario};
}

std::vector<Term> glossary(const Language& language) {
  std::vector<Term> all = ModelTerms(kNoNames, language).terms();
  std::ranges::move(MemoryTerms(kNoNames, language).terms(), std::back_inserter(all));
  std::ranges::move(SamplingTerms(kNoNames, language).terms(), std::back_inserter(all));
  std::ranges::move(ServingTerms(kNoNames, language).terms(), std::back_inserter(all));
  std::ranges::sort(all, [](const Term& a, const Term& b) {
    return std::ranges::lexicographical_compare(a.name, b.name, {}, lower, lower);
  });
  return all;
}

std::vector<TermPlace> termsIn(std::string_view sentence, const std::vector<Term>& terms) {
  std::vector<TermPlace> places;
  for (std::size_t at = 0; at < sentence.size();) {
    const auto found = beginsAt(sentence, at) ? longestAt(sentence, at, terms) : std::nullopt;
    if (found) places.push_back(*found);
    at += found ? found->length : 1;
  }
  return places;
}

}  // namespace vitrine::prose
