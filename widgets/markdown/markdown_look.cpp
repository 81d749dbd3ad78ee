#include "widgets/markdown/markdown_look.h"

#include <QFontDatabase>
#include <algorithm>

namespace vitrine {
namespace {

constexpr double kReadable = 4.5;

// The colour, mixed with the text's until it reads on both.
QColor readableOn(const QColor& colour, const QColor& text, const QColor& base, const QColor& other) {
  for (double share = 0; share < 1; share += 0.05) {
    const QColor candidate = mix(colour, text, share).toRgb();
    if (std::min(contrastRatio(candidate, base), contrastRatio(candidate, other)) >= kReadable)
      return candidate;
  }
  return text;
}

// The ground mixed with a colour as far as the text stays readable on it.
QColor groundFor(const QColor& text, const QColor& base, const QColor& colour, double most) {
  for (double share = most; share > 0; share -= 0.02) {
    const QColor candidate = mix(base, colour, share).toRgb();
    if (contrastRatio(text, candidate) >= kReadable) return candidate;
  }
  return base;
}

std::array<QColor, kCodeParts> codeColours(const Theme& theme, const QColor& text, const QColor& dim) {
  if (theme.isHighContrast()) return {text, text, text, text, text, text, text, text, text, text, text};
  if (theme.isDark())
    return {text, QColor(0xc9a3ff), QColor(0x7cc4ff), QColor(0x8fd6a8),
            dim,  QColor(0xffb27a), QColor(0xe0c46c), QColor(0x9fb8ff),
            text, QColor(0x8fd6a8), QColor(0xff9aa5)};
  return {text, QColor(0x7a2fb0), QColor(0x005a9c), QColor(0x006b4e),
          dim,  QColor(0xa34400), QColor(0x7a5200), QColor(0x1a4f9c),
          text, QColor(0x006b4e), QColor(0xb0203a)};
}

}  // namespace

MarkdownLook MarkdownLook::of(const Theme& theme) {
  MarkdownLook look;
  look.base = theme.base().toRgb();
  look.text = theme.text().toRgb();
  if (contrastRatio(look.text, look.base) < kReadable) look.text = Theme::inkOn(look.base);
  look.codeBackground = theme.isHighContrast()
                            ? look.base
                            : groundFor(look.text, look.base, look.text, theme.isDark() ? 0.1 : 0.06);
  const auto readable = [&look](const QColor& colour) {
    return readableOn(colour, look.text, look.base, look.codeBackground);
  };
  look.dim = readable(theme.dimText());
  look.link = readable(theme.accentText());
  look.mark = readable(theme.warning());
  look.code = codeColours(theme, look.text, look.dim);
  std::ranges::transform(look.code, look.code.begin(), readable);
  look.line = theme.line();
  look.surprise = theme.surprise();
  look.codeFamilies = QFontDatabase::systemFont(QFontDatabase::FixedFont).families();
  return look;
}

QColor MarkdownLook::tint(double value) const {
  return groundFor(text, base, surprise, 0.6 * std::clamp(value, 0.0, 1.0));
}

std::vector<std::pair<QColor, QColor>> MarkdownLook::pairs() const {
  std::vector<std::pair<QColor, QColor>> all;
  for (const QColor& ground : {base, codeBackground})
    for (const QColor& ink : {text, dim, link, mark}) all.emplace_back(ink, ground);
  for (const QColor& ink : code) all.emplace_back(ink, codeBackground);
  for (int i = 0; i <= 20; ++i) all.emplace_back(text, tint(i / 20.0));
  return all;
}

}  // namespace vitrine
