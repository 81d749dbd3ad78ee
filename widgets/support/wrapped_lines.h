// How many lines a text takes between two margins, from the widths of its words.
//
// A list asks each row for its height, and most rows are out of sight. Words recur and their widths are kept
// (shaped_text.h), so that no text has to be shaped for its height alone. Thread: the window's.
#pragma once

#include <QFont>
#include <QString>
#include <optional>

namespace vitrine {

// As QTextLayout breaks it with QTextOption::WordWrap; `width` in pixels. Nothing: only a layout can tell,
// since a line may break within a word, or a word ends within a rounding error of the margin.
std::optional<int> wrappedLines(const QFont& font, const QString& text, double width);

}  // namespace vitrine
