#include "widgets/markdown/maths_font.h"

#include <QFontDatabase>
#include <QFontMetrics>
#include <QRawFont>
#include <algorithm>

namespace vitrine {
namespace {

// The first one that the system has; empty: none.
const QString& mathsFamily() {
  static const QString family = [] {
    const QStringList known = QFontDatabase::families();
    for (const char* const name :
         {"Latin Modern Math", "STIX Two Math", "XITS Math", "Libertinus Math", "TeX Gyre Termes Math",
          "TeX Gyre Pagella Math", "Cambria Math", "DejaVu Math TeX Gyre", "Noto Sans Math"})
      if (known.contains(QLatin1String(name))) return QString::fromLatin1(name);
    return QString();
  }();
  return family;
}

// Unicode's mathematical letters: where an alphabet begins, and the letters that were there before it.
char32_t letterOf(char32_t c, MathsLetters letters) {
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
      for (const auto& [from, to] : {std::pair(U'C', U'ℂ'),
                                     {U'H', U'ℍ'},
                                     {U'N', U'ℕ'},
                                     {U'P', U'ℙ'},
                                     {U'Q', U'ℚ'},
                                     {U'R', U'ℝ'},
                                     {U'Z', U'ℤ'}})
        if (c == from) return to;
      if (digit) return 0x1D7D8 + (c - U'0');
      return small || capital ? 0x1D538 + index : c;
    case MathsLetters::kScript:
      for (const auto& [from, to] : {std::pair(U'B', U'ℬ'),
                                     {U'E', U'ℰ'},
                                     {U'F', U'ℱ'},
                                     {U'H', U'ℋ'},
                                     {U'I', U'ℐ'},
                                     {U'L', U'ℒ'},
                                     {U'M', U'ℳ'},
                                     {U'R', U'ℛ'},
                                     {U'e', U'ℯ'},
                                     {U'g', U'ℊ'},
                                     {U'o', U'ℴ'}})
        if (c == from) return to;
      return small || capital ? 0x1D49C + index : c;
    case MathsLetters::kFraktur:
      for (const auto& [from, to] :
           {std::pair(U'C', U'ℭ'), {U'H', U'ℌ'}, {U'I', U'ℑ'}, {U'R', U'ℜ'}, {U'Z', U'ℨ'}})
        if (c == from) return to;
      return small || capital ? 0x1D504 + index : c;
    case MathsLetters::kUpright:
    case MathsLetters::kSans:
    case MathsLetters::kFixed:
    case MathsLetters::kText:
      break;
  }
  return c;
}

// These the font draws by itself, whatever it has of Unicode's letters.
bool isOfTheFont(MathsLetters letters) {
  return letters == MathsLetters::kUpright || letters == MathsLetters::kText ||
         letters == MathsLetters::kSans || letters == MathsLetters::kFixed;
}

bool has(const QString& family, char32_t code) {
  static const QRawFont font = [&family] {
    QFont maths(family);
    maths.setStyleStrategy(QFont::NoFontMerging);
    return QRawFont::fromFont(maths);
  }();
  return font.isValid() && font.supportsCharacter(code);
}

}  // namespace

MathsFont::MathsFont(double pixels) : m_pixels(pixels) { mathsFamily(); }

QFont MathsFont::font(MathsLetters letters, double scale) const {
  QFont font;
  if (letters == MathsLetters::kFixed)
    font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  else if (letters != MathsLetters::kSans && !mathsFamily().isEmpty())
    font = QFont(mathsFamily());
  else if (letters != MathsLetters::kSans)
    font.setFamilies({QStringLiteral("DejaVu Serif"), QStringLiteral("Noto Serif"), QStringLiteral("serif")});
  const bool plain = mathsFamily().isEmpty();
  const bool slanted = letters == MathsLetters::kItalic || letters == MathsLetters::kBoldItalic;
  font.setItalic(plain && slanted);
  font.setBold(plain && (letters == MathsLetters::kBold || letters == MathsLetters::kBoldItalic));
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(m_pixels * scale))));
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

QString MathsFont::shown(const std::string& text, MathsLetters letters) const {
  const QString plain = QString::fromStdString(text);
  const bool slantedByFont = letters == MathsLetters::kItalic || letters == MathsLetters::kBold ||
                             letters == MathsLetters::kBoldItalic;
  if (isOfTheFont(letters) || (mathsFamily().isEmpty() && slantedByFont)) return plain;
  const QFontMetrics drawn(font(letters, 1));  // other fonts help where there is none for maths
  QString shown;
  for (const char32_t c : plain.toUcs4()) {
    const char32_t letter = letterOf(c, letters);
    const bool known = mathsFamily().isEmpty() ? drawn.inFontUcs4(letter) : has(mathsFamily(), letter);
    const char32_t code = known ? letter : c;
    shown += QString::fromUcs4(&code, 1);
  }
  return shown;
}

}  // namespace vitrine
