#include "gui/turns/picture_format.h"

#include <algorithm>
#include <array>

namespace vitrine {
namespace {

using namespace std::string_view_literals;

struct Beginning {
  const char* format;
  std::string_view bytes;
};

constexpr std::array kBeginnings = {
    Beginning{"PNG", "\x89PNG\r\n\x1A\n"sv},
    Beginning{"JPEG", "\xFF\xD8\xFF"sv},
    Beginning{"GIF", "GIF87a"sv},
    Beginning{"GIF", "GIF89a"sv},
    Beginning{"TIFF", "II*\0"sv},
    Beginning{"TIFF", "MM\0*"sv},
    Beginning{"TIFF", "II+\0"sv},
    Beginning{"TIFF", "MM\0+"sv},
};

// Brands of the container that HEIC and AVIF share with films.
constexpr std::array kHeicBrands = {"heic"sv, "heix"sv, "heim"sv, "heis"sv,
                                    "hevc"sv, "hevx"sv, "mif1"sv, "msf1"sv};

// "BM" alone begins many a text: behind it come four reserved zeros and, from byte 14, the size of a header.
bool isBmp(std::string_view head) {
  constexpr std::string_view kHeaderSizes = "\x0C\x28\x34\x38\x40\x6C\x7C"sv;
  return head.size() >= 18 && head.starts_with("BM") && head.substr(6, 4) == "\0\0\0\0"sv &&
         kHeaderSizes.find(head[14]) != std::string_view::npos && head.substr(15, 3) == "\0\0\0"sv;
}

}  // namespace

QString pictureFormat(std::string_view head) {
  for (const Beginning& one : kBeginnings)
    if (head.starts_with(one.bytes)) return QString::fromLatin1(one.format);
  if (isBmp(head)) return QStringLiteral("BMP");
  if (head.size() < 12) return {};
  if (head.starts_with("RIFF") && head.substr(8, 4) == "WEBP") return QStringLiteral("WebP");
  if (head.substr(4, 4) != "ftyp") return {};
  const std::string_view brand = head.substr(8, 4);
  if (brand == "avif" || brand == "avis") return QStringLiteral("AVIF");
  return std::ranges::find(kHeicBrands, brand) != kHeicBrands.end() ? QStringLiteral("HEIC") : QString();
}

}  // namespace vitrine
