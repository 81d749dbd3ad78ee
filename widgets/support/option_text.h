// The schema's texts in the language of the window.
//
// lupdate reads literals only. So before a translation, `vitrine-cli --option-texts > option_texts.cpp`
// writes all texts of the schema as QT_TRANSLATE_NOOP("Options", ...) lines for lupdate. Thread: the
// window's.
#pragma once

#include <QCoreApplication>

namespace vitrine {

inline QString optionText(const char* text) { return QCoreApplication::translate("Options", text); }

// "tokens in a block" as a sentence that stands alone: "Tokens in a block."
inline QString optionSentence(const char* text) {
  const QString words = optionText(text);
  return words.left(1).toUpper() + words.mid(1) + u'.';
}

// A label without the mark of its shortcut key: "M&in-p" as "Min-p".
inline QString plainLabel(const char* label) { return optionText(label).remove(u'&'); }

}  // namespace vitrine
