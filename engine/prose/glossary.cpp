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

// Bytes of letters outside ASCII count as letters.
bool isLetter(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 128 || std::isalnum(byte) != 0 || letter == '_';
}

// A word ends where no letter follows, nor a hyphen with a letter: "block-wise" speaks of no block.
bool endsAt(std::string_view sentence, std::size_t place) {
  if (place >= sentence.size()) return true;
  if (sentence[place] == '-') return place + 1 >= sentence.size() || !isLetter(sentence[place + 1]);
  return !isLetter(sentence[place]);
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
    const bool begins =
        isLetter(sentence[at]) && (at == 0 || (!isLetter(sentence[at - 1]) && sentence[at - 1] != '-'));
    const auto found = begins ? longestAt(sentence, at, terms) : std::nullopt;
    if (found) places.push_back(*found);
    at += found ? found->length : 1;
  }
  return places;
}

}  // namespace vitrine::prose
