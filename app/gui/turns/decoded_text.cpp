#include "gui/turns/decoded_text.h"

#include <QStringDecoder>
#include <algorithm>
#include <array>

namespace vitrine {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF", kLittleMark = "\xFF\xFE", kBigMark = "\xFE\xFF";
constexpr qsizetype kLettersPerControl = 64;  // a text has fewer control characters than one for so many

// Control characters that are in plain texts: tabs, the ends of lines and pages, and what colours a terminal.
bool isAllowedControl(QChar c) { return (c >= u'\b' && c <= u'\r') || c == QChar(0x1B) || c == QChar(0x85); }

bool isText(const QString& text) {
  const auto controls = std::ranges::count_if(
      text, [](QChar c) { return c.category() == QChar::Other_Control && !isAllowedControl(c); });
  return !text.contains(QChar(u'\0')) && controls * kLettersPerControl <= text.size();
}

std::optional<DecodedText> asText(QString text, TextEncoding encoding) {
  if (!isText(text)) return std::nullopt;
  return DecodedText{std::move(text), encoding};
}

std::optional<DecodedText> fromUtf8(std::string_view bytes) {
  QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
  QString text = decoder(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
  if (decoder.hasError()) return std::nullopt;
  return asText(std::move(text), TextEncoding::kUtf8);
}

std::optional<DecodedText> fromUtf16(std::string_view bytes, bool bigEndian) {
  if (bytes.size() % 2 != 0) return std::nullopt;
  QString text;
  text.reserve(static_cast<qsizetype>(bytes.size() / 2));
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    const auto first = static_cast<uchar>(bytes[i]), second = static_cast<uchar>(bytes[i + 1]);
    text += bigEndian ? QChar(second, first) : QChar(first, second);
  }
  if (!text.isValidUtf16()) return std::nullopt;
  return asText(std::move(text), TextEncoding::kUtf16);
}

// Without a mark: a quarter of the letters at least are of the first 256, and no byte of the other side is
// zero.
bool isPlainlyUtf16(std::string_view bytes, bool bigEndian) {
  std::array<std::size_t, 2> zeros = {0, 0};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] == '\0') ++zeros[i % 2];
  return zeros[bigEndian ? 1 : 0] == 0 && zeros[bigEndian ? 0 : 1] * 8 >= bytes.size();
}

// The bytes 0x80 to 0x9F in Windows-1252; 0: it has no letter for the byte.
constexpr std::array<char16_t, 32> kWindowsLetters = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::optional<DecodedText> fromSingleBytes(std::string_view bytes) {
  QString text = QString::fromLatin1(bytes.data(), static_cast<qsizetype>(bytes.size()));
  TextEncoding encoding = TextEncoding::kLatin1;
  for (QChar& c : text) {
    if (c < QChar(0x80) || c > QChar(0x9F)) continue;
    c = QChar(kWindowsLetters[c.unicode() - 0x80U]);
    encoding = TextEncoding::kWindows1252;
  }
  return asText(std::move(text), encoding);
}

}  // namespace

std::optional<DecodedText> DecodedText::from(std::string_view bytes) {
  if (bytes.starts_with(kUtf8Mark)) return fromUtf8(bytes.substr(kUtf8Mark.size()));
  for (const bool big : {false, true})
    if (const std::string_view mark = big ? kBigMark : kLittleMark; bytes.starts_with(mark))
      return fromUtf16(bytes.substr(mark.size()), big);
  if (bytes.find('\0') != std::string_view::npos) {
    for (const bool big : {false, true})
      if (isPlainlyUtf16(bytes, big)) return fromUtf16(bytes, big);
    return std::nullopt;
  }
  if (auto text = fromUtf8(bytes)) return text;
  return fromSingleBytes(bytes);
}

QString encodingName(TextEncoding encoding) {
  constexpr std::array<const char*, 4> kNames = {"UTF-8", "UTF-16", "Latin-1", "Windows-1252"};
  return QString::fromLatin1(kNames.at(static_cast<std::size_t>(encoding)));
}

}  // namespace vitrine
