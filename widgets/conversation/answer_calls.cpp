#include "widgets/conversation/answer_calls.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cctype>

#include "vitrine/tool_call.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/conversation/question_files.h"

namespace vitrine {
namespace {

constexpr int kCallIndent = 2;

// The text of an answer, with its calls and up to what is not decided yet.
struct ReadAnswer {
  std::string text;
  AnswerCalls found = {};
  std::size_t end = 0;

  explicit ReadAnswer(const ChatEntry& entry) : text(entry.text.toStdString()) {
    found = toolCalls(text, *entry.tools, !isOpen(entry.status));
    end = std::min(found.undecided.begin, text.size());
  }
  QString part(std::size_t begin, std::size_t to) const {
    return QString::fromUtf8(text.data() + begin, static_cast<qsizetype>(to - begin));
  }
  WrittenPart written(const TextRange& range) const {
    return {part(range.begin, range.end), static_cast<qint64>(range.begin)};
  }
  std::size_t callOrEnd(std::size_t call) const {
    return call < found.calls.size() ? found.calls[call].range.begin : end;
  }
};

QString withoutBlanksAtEnd(QString text) {
  while (!text.isEmpty() && text.back().isSpace()) text.chop(1);
  return text;
}

// Of a call that is not whole, in the forms of vitrine/tool_call.h.
QString nameIn(const QString& text) {
  static const QRegularExpression name(
      QStringLiteral("\"name\"\\s*:\\s*\"([^\"]+)\"|<function=([^>]+)>|\\[TOOL_CALLS\\]\\s*([\\w.-]+)\\[|"
                     "\\bto=(?:functions\\.)?([\\w.-]+)[\\s<]|<\\|tool_call:name\\|>([\\w.-]+)<|"
                     "<tool_call>\\s*([\\w.-]+)\\s*<arg_key>"));
  const QRegularExpressionMatch found = name.match(text);
  return found.captured(found.lastCapturedIndex());
}

bool isOfWord(QChar letter) { return letter.isLetterOrNumber() || letter == u'_'; }

qsizetype endOfWord(const QString& text, qsizetype begin) {
  while (begin < text.size() && isOfWord(text[begin])) ++begin;
  return begin;
}

// A whole word, from there on; -1: there is none.
qsizetype placeOfWord(const QString& text, const QString& word, qsizetype from) {
  while ((from = text.indexOf(word, from)) >= 0) {
    const bool begins = from == 0 || !isOfWord(text[from - 1]);
    if (begins && endOfWord(text, from) == from + word.size()) return from;
    from += word.size();
  }
  return -1;
}

// The place in `written` that belongs to a place in `shown`, word by word in their order.
qsizetype placeWritten(const QString& shown, qsizetype position, const QString& written) {
  qsizetype place = 0, behind = 0;
  for (qsizetype begin = 0; begin < shown.size() && begin <= position; ++begin) {
    const qsizetype end = endOfWord(shown, begin);
    if (end == begin) continue;
    const QString word = shown.mid(begin, end - begin);
    const qsizetype found = placeOfWord(written, word, behind);
    if (found >= 0) {
      place = found + std::min(position - begin, word.size() - 1);
      behind = found + word.size();
    }
    begin = end;
  }
  return place;
}

qint64 byteOf(const WrittenPart& part, qsizetype place) {
  return part.begins + part.text.left(place).toUtf8().size();
}

ShownCall shownCall(const ReadAnswer& read, const PlacedCall& placed) {
  const WrittenPart written = read.written(placed.range);
  if (placed.state == CallState::kWhole)
    return {.name = QString::fromStdString(placed.call.name),
            .arguments = QString::fromStdString(placed.call.arguments),
            .written = written,
            .writtenName = read.written(placed.name),
            .writtenArguments = read.written(placed.arguments)};
  return {.name = nameIn(written.text),
          .arguments = {},
          .state = placed.state == CallState::kCut ? ShownCall::State::kCut : ShownCall::State::kUnreadable,
          .written = written};
}

}  // namespace

ShownAnswer shownAnswer(const ChatEntry& entry) {
  if (entry.tools == nullptr) return {entry.text};
  const ReadAnswer read(entry);
  const std::vector<PlacedCall>& calls = read.found.calls;
  ShownAnswer shown{read.part(0, read.callOrEnd(0))};
  if (!calls.empty() || read.found.open) shown.text = withoutBlanksAtEnd(shown.text);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::size_t next = read.callOrEnd(i + 1);
    std::size_t after = calls[i].range.end;
    while (after < next && std::isspace(static_cast<unsigned char>(read.text[after])) != 0) ++after;
    ShownCall& call = shown.calls.emplace_back(shownCall(read, calls[i]));
    call.after = {withoutBlanksAtEnd(read.part(after, next)), static_cast<qint64>(after)};
  }
  if (read.found.open) {
    const WrittenPart written = read.written({read.end, read.text.size()});
    shown.calls.push_back({.name = nameIn(written.text),
                           .arguments = {},
                           .state = ShownCall::State::kBegun,
                           .written = written});
  }
  return shown;
}

// The arguments are compact JSON, whose keys stay in the order in which the model wrote them.
QString callInLines(const ShownCall& call) {
  if (call.state != ShownCall::State::kWhole) return withoutBlanksAtEnd(call.written.text);
  const QString& json = call.arguments;
  QString lines = call.name + u' ';
  int depth = 0;
  bool isQuoted = false;
  const auto breakLine = [&] { lines += u'\n' + QString(depth * kCallIndent, u' '); };
  for (qsizetype i = 0; i < json.size(); ++i) {
    const QChar letter = json[i], next = i + 1 < json.size() ? json[i + 1] : QChar();
    const bool opens = !isQuoted && (letter == u'{' || letter == u'[');
    const bool closes = !isQuoted && (letter == u'}' || letter == u']');
    if (opens) ++depth;
    if (closes) --depth;
    const bool isEmpty = closes && i > 0 && (json[i - 1] == u'{' || json[i - 1] == u'[');
    if (closes && !isEmpty) breakLine();
    lines += letter;
    if (isQuoted && letter == u'\\') lines += json.mid(++i, 1);
    if ((opens && next != u'}' && next != u']') || (!isQuoted && letter == u',')) breakLine();
    if (!isQuoted && letter == u':') lines += u' ';
    if (letter == u'"') isQuoted = !isQuoted;
  }
  return lines;
}

qint64 callByteAt(const ShownCall& call, qsizetype position) {
  if (call.state != ShownCall::State::kWhole) return byteOf(call.written, position);
  const QString shown = callInLines(call);
  const qsizetype nameEnd = call.name.size();
  if (position <= nameEnd || call.writtenArguments.text.isEmpty())
    return byteOf(call.writtenName, placeWritten(call.name, position, call.writtenName.text));
  // The words of a mark are none of the arguments.
  static const QRegularExpression marks(QStringLiteral("</?(?:parameter[=>]|arg_key>|arg_value>)"));
  QString written = call.writtenArguments.text;
  for (QRegularExpressionMatchIterator found = marks.globalMatch(written); found.hasNext();) {
    const QRegularExpressionMatch mark = found.next();
    written.replace(mark.capturedStart(), mark.capturedLength(), QString(mark.capturedLength(), u' '));
  }
  return byteOf(call.writtenArguments, placeWritten(shown.mid(nameEnd), position - nameEnd, written));
}

QString markdownWithCalls(const ChatEntry& entry) {
  if (entry.tools == nullptr) return entry.text;
  const ReadAnswer read(entry);
  QStringList parts;
  const auto add = [&](const QString& part) {
    if (!part.isEmpty()) parts << part;
  };
  std::size_t begin = 0;
  for (const PlacedCall& placed : read.found.calls) {
    add(read.part(begin, placed.range.begin).trimmed());
    const QString call = read.part(placed.range.begin, placed.range.end).trimmed(), fence = codeFence(call);
    add(fence + u'\n' + call + u'\n' + fence);
    begin = placed.range.end;
  }
  const QString rest = read.part(begin, read.text.size());
  add(begin == 0 ? rest : rest.trimmed());
  return parts.join(QStringLiteral("\n\n"));
}

}  // namespace vitrine
