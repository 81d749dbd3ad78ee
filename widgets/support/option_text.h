// The schema's texts in the language of the window.
//
// lupdate reads literals only. So before a translation, `vitrine-cli --option-texts > option_texts.cpp`
// writes all texts of the schema as QT_TRANSLATE_NOOP("Options", ...) lines for lupdate. Thread: the
// window's.
#pragma once

#include <QCoreApplication>
#include <QRegularExpression>

namespace vitrine {

inline QString optionText(const char* text) { return QCoreApplication::translate("Options", text); }

// "tokens in a block" as a sentence that stands alone: "Tokens in a block."
inline QString optionSentence(const char* text) {
  const QString words = optionText(text);
  return QCoreApplication::translate("Prose", "%1.").arg(words.left(1).toUpper() + words.mid(1));
}

// Without the mark of a shortcut key: "M&in-p" as "Min-p", in Chinese "温度(&T)" as "温度".
inline QString withoutMark(QString text) {
  static const QRegularExpression key(QStringLiteral("\\(&.\\)"));
  return text.remove(key).remove(u'&');
}

inline QString plainLabel(const char* label) { return withoutMark(optionText(label)); }

}  // namespace vitrine
