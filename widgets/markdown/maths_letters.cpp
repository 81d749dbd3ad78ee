#include "widgets/markdown/maths_letters.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace vitrine {
namespace {

// Some letters were in Unicode before their alphabet, which has a gap in their place. 0: not one of these.
char32_t olderLetter(char32_t c, std::initializer_list<std::pair<char32_t, char32_t>> older) {
  const auto found = std::ranges::find(older, c, &std::pair<char32_t, char32_t>::first);
  return found == older.end() ? 0 : found->second;
}

}  // namespace

// Where an alphabet begins, and the letters that were there before it.
char32_t mathsLetter(char32_t c, MathsLetters letters) {
  const bool small = c >= U'a' && c <= U'z', capital = c >= U'A' && c <= U'Z', digit = c >= U'0' && c <= U'9';
  const char32_t index = small ? c - U'a' + 26 : c - U'A';
  const bool greek = c >= U'α' && c <= U'ω';
  switch (letters) {
    case MathsLetters::kItalic:
      if (c == U'h') return U'ℎ';
      if (greek) return 0x1D6FC + (c - U'α');
      if (c == U'ϵ') return 0x1D716;
      if (c == U'ϑ') return 0x1D717;
      if (c == U'ϕ') return 0x1D719;
      return small || capital ? 0x1D434 + index : c;
    case MathsLetters::kBold:
      if (digit) return 0x1D7CE + (c - U'0');
      return small || capital ? 0x1D400 + index : c;
    case MathsLetters::kBoldItalic:
      if (greek) return 0x1D736 + (c - U'α');
      return small || capital ? 0x1D468 + index : c;
    case MathsLetters::kDoubleStruck:
      if (const char32_t older = olderLetter(c, {{U'C', U'ℂ'},
                                                 {U'H', U'ℍ'},
                                                 {U'N', U'ℕ'},
                                                 {U'P', U'ℙ'},
                                                 {U'Q', U'ℚ'},
                                                 {U'R', U'ℝ'},
                                                 {U'Z', U'ℤ'}}))
        return older;
      if (digit) return 0x1D7D8 + (c - U'0');
      return small || capital ? 0x1D538 + index : c;
    case MathsLetters::kScript:
      if (const char32_t older = olderLetter(c, {{U'B', U'ℬ'},
                                                 {U'E', U'ℰ'},
                                                 {U'F', U'ℱ'},
                                                 {U'H', U'ℋ'},
                                                 {U'I', U'ℐ'},
                                                 {U'L', U'ℒ'},
                                                 {U'M', U'ℳ'},
                                                 {U'R', U'ℛ'},
                                                 {U'e', U'ℯ'},
                                                 {U'g', U'ℊ'},
                                                 {U'o', U'ℴ'}}))
        return older;
      return small || capital ? 0x1D49C + index : c;
    case MathsLetters::kFraktur:
      if (const char32_t older =
              olderLetter(c, {{U'C', U'ℭ'}, {U'H', U'ℌ'}, {U'I', U'ℑ'}, {U'R', U'ℜ'}, {U'Z', U'ℨ'}}))
        return older;
      return small || capital ? 0x1D504 + index : c;
    case MathsLetters::kUpright:
    case MathsLetters::kSans:
    case MathsLetters::kFixed:
    case MathsLetters::kText:
      break;
  }
  return c;
}

}  // namespace vitrine
