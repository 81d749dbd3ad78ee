#include "text/unicode.h"

#include <utf8proc.h>

#include <cstdlib>
#include <new>

#include "core/check.h"
#include "text/utf8.h"

namespace vitrine::unicode {

std::string normalized(std::string_view text, Form form) {
  int options = UTF8PROC_STABLE;
  options |= form == Form::kNfc || form == Form::kNfkc ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  if (form == Form::kNfkc || form == Form::kNfkd) options |= UTF8PROC_COMPAT;
  utf8proc_uint8_t* bytes = nullptr;
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                   static_cast<utf8proc_ssize_t>(text.size()), &bytes,
                                   static_cast<utf8proc_option_t>(options));
  if (length == UTF8PROC_ERROR_NOMEM || length == UTF8PROC_ERROR_OVERFLOW) throw std::bad_alloc();
  VITRINE_CHECK(length >= 0);  // the only other error is invalid UTF-8, which callers keep out
  std::string result(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
  std::free(bytes);
  return result;
}

std::string lowercased(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const utf8::Step step = utf8::decode(text);
    text.remove_prefix(step.length);
    if (step.codePoint == 0x130) {  // the one letter whose lower case is two: dotted capital I
      result += "i\xCC\x87";
    } else {
      utf8::append(result,
                   static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(step.codePoint))));
    }
  }
  return result;
}

bool isWhitespace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool isNumeric(char32_t codePoint) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(codePoint));
  return category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NL ||
         category == UTF8PROC_CATEGORY_NO;
}

bool isPunctuation(char32_t codePoint) {
  if (codePoint < 0x80) {
    return (codePoint >= '!' && codePoint <= '/') || (codePoint >= ':' && codePoint <= '@') ||
           (codePoint >= '[' && codePoint <= '`') || (codePoint >= '{' && codePoint <= '~');
  }
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(codePoint));
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

}  // namespace vitrine::unicode
