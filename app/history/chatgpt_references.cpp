#include "chatgpt_references.h"

#include <QRegularExpression>
#include <algorithm>
#include <vector>

#include "vitrine/json_reader.h"

namespace vitrine {

namespace {

// U+E200 kind U+E202 value ... U+E201; others of the block set words off.
constexpr char16_t kBegin = 0xE200, kEnd = 0xE201, kNext = 0xE202, kLastPrivate = 0xE20F;

QString linkOf(const QString& title, const QString& url) {
  if (url.isEmpty()) return title.simplified();
  return '[' + (title.simplified().isEmpty() ? url : title.simplified()) + "](" + url + ')';
}

// What ChatGPT itself would show in a text without marks, or links of what the reference names.
QString shownFor(const Json& reference) {
  const QString alt = textOf(reference, "alt").trimmed();
  if (!alt.isEmpty()) return alt;
  QString links;
  const auto add = [&](const Json& one) {
    const QString link = linkOf(textOf(one, "title"), textOf(one, "url"));
    if (!link.isEmpty()) links += (links.isEmpty() ? "" : ", ") + link;
  };
  for (const Json& item : listOf(reference, "items")) add(item);
  if (links.isEmpty()) add(reference);
  if (!links.isEmpty()) return '(' + links + ')';
  return textOf(reference, "name");
}

// A mark that no reference explains: the words in it that are for people.
QString wordsIn(const QString& mark) {
  struct NotJson {};
  const QStringList parts = mark.split(QChar(kNext));
  const QString kind = parts.value(0);
  if (kind == u"url" && parts.size() > 2) return linkOf(parts[1], parts[2]);
  if (kind != u"entity") return {};
  try {
    const Json value =
        readJson<Json>(parts.value(1).toStdString(), {}, [](const std::string&) { throw NotJson(); });
    return value.is_array() && value.size() > 1 ? textIn(value[1]) : QString();
  } catch (const NotJson&) {
    return {};
  }
}

QString withoutMarks(const QString& text) {
  QString clean;
  clean.reserve(text.size());
  for (qsizetype i = 0; i < text.size(); ++i) {
    const char16_t c = text[i].unicode();
    if (c == kBegin) {
      const qsizetype end = text.indexOf(QChar(kEnd), i);
      const qsizetype line = text.indexOf('\n', i);
      if (end >= 0 && (line < 0 || end < line)) {
        clean += wordsIn(text.mid(i + 1, end - i - 1));
        i = end;
        continue;
      }
    }
    if (c < kBegin || c > kLastPrivate) clean += text[i];
  }
  return clean;
}

struct Cited {
  std::int64_t begin, end;
  QString link;
};

// "【1†source】", from the last one to the first: a replacement moves what stands behind it.
QString withCitations(const QString& text, const Json& citations, ImportNotes& notes) {
  std::vector<Cited> cited;
  for (const Json& citation : citations) {
    const Json& metadata = memberOf(citation, "metadata");
    cited.push_back({wholeOf(citation, "start_ix"), wholeOf(citation, "end_ix"),
                     linkOf(textOf(metadata, "title"), textOf(metadata, "url"))});
  }
  std::ranges::stable_sort(cited, std::ranges::greater(), &Cited::begin);
  QList<uint> points = text.toUcs4();
  std::int64_t before = points.size() + 1;
  for (const Cited& one : cited) {
    if (one.begin >= one.end || one.end > points.size() || one.end > before || points[one.begin] != 0x3010 ||
        one.link.isEmpty())
      continue;
    const QList<uint> link = ('(' + one.link + ')').toUcs4();
    points = points.mid(0, one.begin) + link + points.mid(one.end);
    before = one.begin;
    notes.add(ImportNote::kReference);
  }
  return QString::fromUcs4(reinterpret_cast<const char32_t*>(points.constData()), points.size());
}

}  // namespace

QString withLinks(QString text, const Json& metadata, ImportNotes& notes) {
  if (const Json& citations = memberOf(metadata, "citations"); citations.is_array() && !citations.empty())
    text = withCitations(text, citations, notes);
  for (const Json& reference : listOf(metadata, "content_references")) {
    const QString mark = textOf(reference, "matched_text");
    const qsizetype place = mark.trimmed().isEmpty() ? -1 : text.indexOf(mark);
    if (place < 0) continue;
    const QString shown = textOf(reference, "type") == u"hidden" ? QString() : shownFor(reference);
    if (!shown.isEmpty()) notes.add(ImportNote::kReference);
    text.replace(place, mark.size(), shown);
  }
  static const QRegularExpression unnamed(QStringLiteral("【\\d+(:\\d+)?†[^】\\n]*】"));
  return withoutMarks(text.remove(unnamed));
}

}  // namespace vitrine
