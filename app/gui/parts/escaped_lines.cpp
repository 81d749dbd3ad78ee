#include "gui/parts/escaped_lines.h"

#include <algorithm>
#include <iterator>

namespace vitrine {
namespace {

struct Escape {
  char16_t letter, meant;
};
constexpr Escape kEscapes[] = {{u'n', u'\n'}, {u't', u'\t'}, {u'r', u'\r'}, {u's', u' '}, {u'\\', u'\\'}};

QString escaped(QChar letter, bool atEnd) {
  for (const Escape& escape : kEscapes)
    if (letter == QChar(escape.meant) && (atEnd || letter != u' '))
      return QStringLiteral("\\") + QChar(escape.letter);
  if (letter < QChar(u' ') || letter == QChar(0x7f))
    return QStringLiteral("\\x%1").arg(letter.unicode(), 2, 16, QLatin1Char('0'));
  return letter;
}

QString toLine(const QString& text) {
  QString line;
  for (qsizetype i = 0; i < text.size(); ++i) line += escaped(text[i], i == 0 || i + 1 == text.size());
  return line;
}

// Of two hexadecimal digits; -1: they are not.
int hexCode(QStringView digits) {
  bool isHex = digits.size() == 2 && !digits[0].isSpace() && !digits[1].isSpace() && digits[0] != u'+' &&
               digits[0] != u'-';
  const int code = isHex ? digits.toInt(&isHex, 16) : -1;
  return isHex ? code : -1;
}

QString fromLine(const QString& line) {
  QString text;
  for (qsizetype i = 0; i < line.size(); ++i) {
    const QChar next = line[i] == u'\\' && i + 1 < line.size() ? line[i + 1] : QChar();
    const int code = next == u'x' ? hexCode(QStringView(line).mid(i + 2, 2)) : -1;
    const auto known = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                    [next](const Escape& escape) { return QChar(escape.letter) == next; });
    if (code >= 0) {
      text += QChar(code);
      i += 3;
    } else if (known != std::end(kEscapes)) {
      text += QChar(known->meant);
      ++i;
    } else {
      text += line[i];
    }
  }
  return text;
}

}  // namespace

QString toEscapedLines(const QStringList& strings) {
  QStringList lines;
  for (const QString& text : strings) lines << toLine(text);
  return lines.join(u'\n');
}

QStringList fromEscapedLines(const QString& lines) {
  QStringList strings;
  for (const QString& line : lines.split(u'\n'))
    if (const QString text = fromLine(line); !text.isEmpty()) strings << text;
  strings.removeDuplicates();
  return strings;
}

}  // namespace vitrine
