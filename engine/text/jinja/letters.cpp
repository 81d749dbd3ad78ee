#include "text/jinja/letters.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <span>

#include "text/jinja/special_casing.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vitrine::jinja::letters {
namespace {

struct Range {
  char32_t first, last;
};

bool contains(std::span<const Range> ranges, char32_t letter) {
  const auto found = std::lower_bound(ranges.begin(), ranges.end(), letter,
                                      [](const Range& range, char32_t at) { return range.last < at; });
  return found != ranges.end() && found->first <= letter;
}

// Numeric_Type=Digit: digits that are no decimal digits.
constexpr std::array<Range, 20> kDigits = {{
    {0xB2, 0xB3},     {0xB9, 0xB9},       {0x1369, 0x1371},   {0x19DA, 0x19DA},   {0x2070, 0x2070},
    {0x2074, 0x2079}, {0x2080, 0x2089},   {0x2460, 0x2468},   {0x2474, 0x247C},   {0x2488, 0x2490},
    {0x24EA, 0x24EA}, {0x24F5, 0x24FD},   {0x24FF, 0x24FF},   {0x2776, 0x277E},   {0x2780, 0x2788},
    {0x278A, 0x2792}, {0x10A40, 0x10A43}, {0x10E60, 0x10E68}, {0x11052, 0x1105A}, {0x1F100, 0x1F10A},
}};

// Letters with a numeric value: the numerals of Chinese.
constexpr std::array<Range, 72> kNumerals = {{
    {0x3405, 0x3405},   {0x3483, 0x3483},   {0x382A, 0x382A},   {0x3B4D, 0x3B4D},   {0x4E00, 0x4E00},
    {0x4E03, 0x4E03},   {0x4E07, 0x4E07},   {0x4E09, 0x4E09},   {0x4E5D, 0x4E5D},   {0x4E8C, 0x4E8C},
    {0x4E94, 0x4E94},   {0x4E96, 0x4E96},   {0x4EBF, 0x4EC0},   {0x4EDF, 0x4EDF},   {0x4EE8, 0x4EE8},
    {0x4F0D, 0x4F0D},   {0x4F70, 0x4F70},   {0x5104, 0x5104},   {0x5146, 0x5146},   {0x5169, 0x5169},
    {0x516B, 0x516B},   {0x516D, 0x516D},   {0x5341, 0x5341},   {0x5343, 0x5345},   {0x534C, 0x534C},
    {0x53C1, 0x53C4},   {0x56DB, 0x56DB},   {0x58F1, 0x58F1},   {0x58F9, 0x58F9},   {0x5E7A, 0x5E7A},
    {0x5EFE, 0x5EFF},   {0x5F0C, 0x5F0E},   {0x5F10, 0x5F10},   {0x62FE, 0x62FE},   {0x634C, 0x634C},
    {0x67D2, 0x67D2},   {0x6F06, 0x6F06},   {0x7396, 0x7396},   {0x767E, 0x767E},   {0x8086, 0x8086},
    {0x842C, 0x842C},   {0x8CAE, 0x8CAE},   {0x8CB3, 0x8CB3},   {0x8D30, 0x8D30},   {0x9621, 0x9621},
    {0x9646, 0x9646},   {0x964C, 0x964C},   {0x9678, 0x9678},   {0x96F6, 0x96F6},   {0xF96B, 0xF96B},
    {0xF973, 0xF973},   {0xF978, 0xF978},   {0xF9B2, 0xF9B2},   {0xF9D1, 0xF9D1},   {0xF9D3, 0xF9D3},
    {0xF9FD, 0xF9FD},   {0x20001, 0x20001}, {0x20064, 0x20064}, {0x200E2, 0x200E2}, {0x20121, 0x20121},
    {0x2092A, 0x2092A}, {0x20983, 0x20983}, {0x2098C, 0x2098C}, {0x2099C, 0x2099C}, {0x20AEA, 0x20AEA},
    {0x20AFD, 0x20AFD}, {0x20B19, 0x20B19}, {0x22390, 0x22390}, {0x22998, 0x22998}, {0x23B1B, 0x23B1B},
    {0x2626D, 0x2626D}, {0x2F890, 0x2F890},
}};

// Other_Lowercase and Other_Uppercase.
constexpr std::array<Range, 24> kOtherLower = {{
    {0xAA, 0xAA},       {0xBA, 0xBA},       {0x2B0, 0x2B8},     {0x2C0, 0x2C1},     {0x2E0, 0x2E4},
    {0x345, 0x345},     {0x37A, 0x37A},     {0x1D2C, 0x1D6A},   {0x1D78, 0x1D78},   {0x1D9B, 0x1DBF},
    {0x2071, 0x2071},   {0x207F, 0x207F},   {0x2090, 0x209C},   {0x2170, 0x217F},   {0x24D0, 0x24E9},
    {0x2C7C, 0x2C7D},   {0xA69C, 0xA69D},   {0xA770, 0xA770},   {0xA7F8, 0xA7F9},   {0xAB5C, 0xAB5F},
    {0x10780, 0x10780}, {0x10783, 0x10785}, {0x10787, 0x107B0}, {0x107B2, 0x107BA},
}};
constexpr std::array<Range, 5> kOtherUpper = {{
    {0x2160, 0x216F},
    {0x24B6, 0x24CF},
    {0x1F130, 0x1F149},
    {0x1F150, 0x1F169},
    {0x1F170, 0x1F189},
}};

// Word_Break is MidLetter, MidNumLet or Single_Quote: marks inside words.
constexpr std::array<Range, 17> kInsideWords = {{
    {0x27, 0x27},
    {0x2E, 0x2E},
    {0x3A, 0x3A},
    {0xB7, 0xB7},
    {0x387, 0x387},
    {0x55F, 0x55F},
    {0x5F4, 0x5F4},
    {0x2018, 0x2019},
    {0x2024, 0x2024},
    {0x2027, 0x2027},
    {0xFE13, 0xFE13},
    {0xFE52, 0xFE52},
    {0xFE55, 0xFE55},
    {0xFF07, 0xFF07},
    {0xFF0E, 0xFF0E},
    {0xFF1A, 0xFF1A},
    {0x10FFFF, 0x10FFFF},
}};

constexpr char32_t kSigma = 0x3A3, kFinalSigma = 0x3C2, kSmallSigma = 0x3C3, kDottedI = 0x130;

utf8proc_category_t categoryOf(char32_t letter) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(letter));
}

bool isCaseIgnorable(char32_t letter) {
  const auto category = categoryOf(letter);
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME ||
         category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_LM ||
         category == UTF8PROC_CATEGORY_SK || contains(kInsideWords, letter);
}

// A sigma at the end of a word (Final_Sigma of Unicode 3.13): a cased letter before it, none behind it.
bool endsWord(std::string_view text, std::size_t byte, std::size_t length) {
  std::string_view before = text.substr(0, byte);
  utf8::Step step = utf8::decodeLast(before);
  while (step.length > 0 && isCaseIgnorable(step.codePoint)) {
    before.remove_suffix(step.length);
    step = utf8::decodeLast(before);
  }
  if (step.length == 0 || !isCased(step.codePoint)) return false;
  std::string_view after = text.substr(byte + length);
  for (step = utf8::decode(after); step.length > 0 && isCaseIgnorable(step.codePoint);
       step = utf8::decode(after))
    after.remove_prefix(step.length);
  return step.length == 0 || !isCased(step.codePoint);
}

bool appendSpecial(std::string& text, std::span<const SpecialCase> cases, char32_t letter) {
  const auto found = std::lower_bound(cases.begin(), cases.end(), letter,
                                      [](const SpecialCase& item, char32_t at) { return item.letter < at; });
  if (found == cases.end() || found->letter != letter) return false;
  for (const char32_t part : found->letters)
    if (part != 0) utf8::append(text, part);
  return true;
}

}  // namespace

bool isSpace(char32_t letter) { return unicode::isWhitespace(letter) || (letter >= 0x1C && letter <= 0x1F); }

bool isLineEnd(char32_t letter) {
  return (letter >= 0x0A && letter <= 0x0D) || (letter >= 0x1C && letter <= 0x1E) || letter == 0x85 ||
         letter == 0x2028 || letter == 0x2029;
}

bool isAlphabetic(char32_t letter) {
  const auto category = categoryOf(letter);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool isDecimal(char32_t letter) { return categoryOf(letter) == UTF8PROC_CATEGORY_ND; }

bool isDigit(char32_t letter) { return isDecimal(letter) || contains(kDigits, letter); }

bool isNumeric(char32_t letter) { return unicode::isNumeric(letter) || contains(kNumerals, letter); }

bool isLower(char32_t letter) {
  return categoryOf(letter) == UTF8PROC_CATEGORY_LL || contains(kOtherLower, letter);
}

bool isUpper(char32_t letter) {
  return categoryOf(letter) == UTF8PROC_CATEGORY_LU || contains(kOtherUpper, letter);
}

bool isTitle(char32_t letter) { return categoryOf(letter) == UTF8PROC_CATEGORY_LT; }

bool isCased(char32_t letter) { return isLower(letter) || isUpper(letter) || isTitle(letter); }

bool isPrintable(char32_t letter) {
  if (letter == ' ') return true;
  const auto category = categoryOf(letter);
  return category < UTF8PROC_CATEGORY_ZS && category != UTF8PROC_CATEGORY_CN;
}

bool isWord(char32_t letter) {
  return isAlphabetic(letter) || isDecimal(letter) || isDigit(letter) || isNumeric(letter) || letter == '_';
}

bool startsName(char32_t letter) {
  return isAlphabetic(letter) || letter == '_' || categoryOf(letter) == UTF8PROC_CATEGORY_NL;
}

bool continuesName(char32_t letter) {
  const auto category = categoryOf(letter);
  return startsName(letter) || category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
         category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_PC;
}

void appendUpper(std::string& text, char32_t letter) {
  if (!appendSpecial(text, kSpecialUpper, letter))
    utf8::append(text, static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(letter))));
}

void appendTitle(std::string& text, char32_t letter) {
  if (!appendSpecial(text, kSpecialTitle, letter))
    utf8::append(text, static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(letter))));
}

void appendLower(std::string& result, std::string_view text, std::size_t byte) {
  const utf8::Step step = utf8::decode(text.substr(byte));
  if (step.codePoint == kSigma) {
    utf8::append(result, endsWord(text, byte, step.length) ? kFinalSigma : kSmallSigma);
  } else if (step.codePoint == kDottedI) {
    result += "i\xCC\x87";
  } else {
    utf8::append(result,
                 static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(step.codePoint))));
  }
}

}  // namespace vitrine::jinja::letters
