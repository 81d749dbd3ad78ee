// pictureFormat: whether a file is a picture, by its first bytes and not by its name. An SVG drawing is a
// text. Thread: any; no state. Read next: file_text.h.
#pragma once

#include <QString>
#include <string_view>

namespace vitrine {

// "PNG"; empty: it begins as no picture does. 32 bytes are enough.
QString pictureFormat(std::string_view head);

}  // namespace vitrine
