// DecodedText: the text that the bytes of a file hold. Its encoding is found from the bytes alone: a mark at
// the front, zero bytes on one side of each pair (UTF-16), valid UTF-8, else a letter for each byte.
//
// Thread: any; no state. Never fails on any bytes: without a text there is none. Read next: file_text.h.
#pragma once

#include <QString>
#include <optional>
#include <string_view>

namespace vitrine {

enum class TextEncoding { kUtf8, kUtf16, kLatin1, kWindows1252 };

struct DecodedText {
  QString text = {};
  TextEncoding encoding = TextEncoding::kUtf8;

  // Nothing: the bytes are no text. A text has no zero in it, and hardly any control character.
  static std::optional<DecodedText> from(std::string_view bytes);
};

QString encodingName(TextEncoding encoding);

}  // namespace vitrine
