#include "widgets/markdown/entities.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "widgets/markdown/shown_text.h"

namespace vitrine {
namespace {

struct Named {
  std::string_view name;
  char32_t code;
};

// The names that models write; HTML knows two thousand, which are shown as they are written.
constexpr std::array kNamed = {
    Named{"amp", U'&'},     Named{"lt", U'<'},      Named{"gt", U'>'},      Named{"quot", U'"'},
    Named{"apos", U'\''},   Named{"nbsp", 0xA0},    Named{"copy", 0xA9},    Named{"reg", 0xAE},
    Named{"deg", 0xB0},     Named{"plusmn", 0xB1},  Named{"middot", 0xB7},  Named{"times", 0xD7},
    Named{"divide", 0xF7},  Named{"sect", 0xA7},    Named{"para", 0xB6},    Named{"euro", 0x20AC},
    Named{"ndash", 0x2013}, Named{"mdash", 0x2014}, Named{"lsquo", 0x2018}, Named{"rsquo", 0x2019},
    Named{"ldquo", 0x201C}, Named{"rdquo", 0x201D}, Named{"bull", 0x2022},  Named{"hellip", 0x2026},
    Named{"trade", 0x2122}, Named{"larr", 0x2190},  Named{"uarr", 0x2191},  Named{"rarr", 0x2192},
    Named{"darr", 0x2193},  Named{"harr", 0x2194},  Named{"rArr", 0x21D2},  Named{"le", 0x2264},
    Named{"ge", 0x2265},    Named{"ne", 0x2260},    Named{"infin", 0x221E}, Named{"sum", 0x2211},
    Named{"radic", 0x221A}, Named{"alpha", 0x3B1},  Named{"beta", 0x3B2},   Named{"gamma", 0x3B3},
    Named{"delta", 0x3B4},  Named{"lambda", 0x3BB}, Named{"mu", 0x3BC},     Named{"pi", 0x3C0},
    Named{"sigma", 0x3C3},  Named{"laquo", 0xAB},   Named{"raquo", 0xBB},   Named{"check", 0x2713},
};

}  // namespace

std::string entityText(std::string_view entity) {
  if (entity.size() < 3) return shownText(entity);
  const std::string_view name = entity.substr(1, entity.size() - 2);
  std::string shown;
  if (name.front() != '#') {
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    if (found == kNamed.end()) return shownText(entity);
    appendUtf8(shown, found->code);
    return shown;
  }
  const bool isHex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
  const std::string_view digits = name.substr(isHex ? 2 : 1);
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, isHex ? 16 : 10);
  if (error != std::errc() || code == 0) code = 0xFFFD;
  // A line feed of this kind would look like a hard break, a tab like the one after a bullet.
  appendUtf8(shown, code == '\n' || code == '\t' ? U' ' : shownCode(code).code);
  return shown;
}

std::string codeLanguage(std::string_view info) {
  const std::size_t begin = std::min(info.find_first_not_of(" \t{."), info.size());
  std::string name(info.substr(begin, info.substr(begin).find_first_of(" \t\r\n{},;:")));
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return shownText(name);
}

}  // namespace vitrine
