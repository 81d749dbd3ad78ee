// Palettes for tests of colours: a ground and an ink, and what is selected.
#pragma once

#include <QPalette>

namespace vitrine::test {

inline QPalette paletteOf(const QColor& base, const QColor& text, const QColor& highlight = {}) {
  QPalette palette;
  for (const QPalette::ColorRole ground : {QPalette::Base, QPalette::Window}) palette.setColor(ground, base);
  for (const QPalette::ColorRole ink : {QPalette::Text, QPalette::WindowText}) palette.setColor(ink, text);
  if (highlight.isValid()) palette.setColor(QPalette::Highlight, highlight);
  return palette;
}

}  // namespace vitrine::test
