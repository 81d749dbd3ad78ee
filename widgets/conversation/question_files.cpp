#include "widgets/conversation/question_files.h"

#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {
namespace {

const QLatin1String kMark("file: ");  // before the name, where Markdown has a block's language
constexpr int kShortestFence = 3;

qsizetype longestRow(const QString& text) {
  qsizetype longest = 0, row = 0;
  for (const QChar letter : text) {
    row = letter == u'`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  return longest;
}

// A name may hold anything but a slash; in its line it must end no block and no line.
QString inLine(QString name) {
  name.replace(u'`', u'\'');
  name = name.simplified();
  return name.isEmpty() ? QStringLiteral("?") : name;
}

QString block(const QuestionFile& file) {
  const QString fence = codeFence(file.text);
  return fence + kMark + inLine(file.name) + u'\n' + file.text + u'\n' + fence + u'\n';
}

// Takes a block from the front of `rest`; false: there is none.
bool takeBlock(QStringView& rest, std::vector<QuestionFile>& files) {
  qsizetype ticks = 0;
  while (ticks < rest.size() && rest[ticks] == u'`') ++ticks;
  const qsizetype head = rest.indexOf(u'\n');
  if (ticks < kShortestFence || head < 0 || !rest.mid(ticks).startsWith(kMark)) return false;
  const QString end = u'\n' + rest.left(ticks).toString() + u'\n';
  const qsizetype tail = rest.indexOf(end, head);
  if (tail < 0) return false;
  const QStringView name = rest.mid(ticks + kMark.size(), head - ticks - kMark.size());
  // An empty file has its only line's end before the fence.
  files.push_back({name.toString(), rest.mid(head + 1, std::max<qsizetype>(tail - head - 1, 0)).toString()});
  rest = rest.mid(tail + end.size());
  return true;
}

}  // namespace

qint64 fileBytes(const QuestionFile& file) { return file.text.isEmpty() ? 0 : file.text.toUtf8().size() + 1; }

QString codeFence(const QString& text) {
  return QString(std::max<qsizetype>(longestRow(text) + 1, kShortestFence), u'`');
}

QString questionText(const QuestionParts& parts) {
  QString text;
  for (const QuestionFile& file : parts.files) text += block(file);
  return text.isEmpty() ? parts.question : text + u'\n' + parts.question;
}

QuestionParts questionParts(const QString& text) {
  QuestionParts parts;
  QStringView rest = text;
  while (takeBlock(rest, parts.files)) {
  }
  if (!parts.files.empty() && !rest.isEmpty() && rest.front() != u'\n') return {{}, text};
  parts.question = (parts.files.empty() ? rest : rest.mid(1)).toString();
  return parts;
}

QString questionName(const QString& text) { return quotedBeginning(questionParts(text).question); }

}  // namespace vitrine
