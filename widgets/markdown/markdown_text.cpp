#include "widgets/markdown/markdown_text.h"

#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <algorithm>

#include "widgets/markdown/markdown_copy.h"
#include "widgets/markdown/run_places.h"

namespace vitrine {
namespace {

QString toText(const std::string& utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

constexpr std::size_t kMostInPlace = 1000;  // blocks

}  // namespace

void MarkdownText::setLook(const MarkdownLook& look) {
  if (look == m_writer.look()) return;
  m_writer.setLook(look);
  m_next = 0;
}

void MarkdownText::clear() {
  m_stream.clear();
  m_settled.reset();
  m_ended = m_isSettled = false;
  m_tints.clear();
  m_given = 0;
  m_next = 0;
  m_writer.write({}, 0, 0);
}

void MarkdownText::append(std::string_view utf8) {
  if (utf8.empty()) return;
  unsettle();
  m_stream.append(utf8);
}

void MarkdownText::setEnded(bool ended) {
  if (!ended) unsettle();
  m_ended = ended;
}

void MarkdownText::settle() {
  m_isSettled = true;
  m_settled = settleFootnotes(m_stream.blocks());
  if (m_settled) writeDifferent();
}

void MarkdownText::unsettle() {
  m_isSettled = false;
  if (!m_settled) return;
  writeDifferent();
  m_settled.reset();
}

// From the first block on that the stream has otherwise. Of a long text what follows is removed first: to
// change it where it stands, each update would lay all of it out again.
void MarkdownText::writeDifferent() {
  const auto same = std::ranges::mismatch(m_settled->blocks, m_stream.blocks());
  m_next = std::min(m_next, static_cast<std::size_t>(same.in1 - m_settled->blocks.begin()));
  if (m_writer.size() > m_next + kMostInPlace) m_next = m_writer.truncate(m_next);
}

bool MarkdownText::update() {
  if (m_stream.pending()) m_next = std::min(m_next, m_stream.advance(kBytesAFrame));
  if (m_ended && !m_isSettled && !m_stream.pending()) settle();
  const std::size_t first = m_next;
  m_next = m_writer.write(blocks(), first, kWorkAFrame);
  for (std::size_t i = first; i < m_next; ++i) tintBlock(i);
  return pending();
}

void MarkdownText::finish() {
  while (update()) {
  }
}

std::size_t MarkdownText::blockAtSource(std::size_t source) const {
  const std::vector<Block>& blocks = m_stream.blocks();
  const auto known = blocks.begin() + static_cast<std::ptrdiff_t>(m_settled ? blocks.size() : m_next);
  const auto after = std::ranges::upper_bound(blocks.begin(), known, source, {}, firstSource);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - blocks.begin() - 1, 0));
}

std::size_t MarkdownText::placeOf(std::size_t ofStream) const {
  return m_settled ? m_settled->places[ofStream] : ofStream;
}

std::size_t MarkdownText::originOf(std::size_t shown) const {
  return m_settled ? m_settled->origins[shown] : shown;
}

int MarkdownText::positionAt(std::size_t source) const {
  if (m_next == 0) return 0;
  const std::size_t index = std::min(placeOf(blockAtSource(source)), m_next - 1);
  return m_writer.begin(index) + unitOfSource(blocks()[index], m_stream.source(), source);
}

int MarkdownText::endPositionAt(std::size_t begin, std::size_t end) const {
  if (!m_settled || m_next == 0) return positionAt(end);
  const std::size_t first = blockAtSource(begin), last = blockAtSource(end);
  const std::size_t place = std::min(placeOf(first), m_next - 1);
  return placeOf(last) - placeOf(first) == last - first ? positionAt(end) : m_writer.end(place);
}

std::size_t MarkdownText::sourceAt(int position) const {
  if (m_next == 0) return 0;
  const std::size_t index = std::min(m_writer.at(position), m_next - 1);
  const int unit = std::max(position - m_writer.begin(index), 0);
  return sourceOfUnit(blocks()[index], m_stream.source(), unit);
}

QString MarkdownText::addressAt(int position) const {
  if (m_next == 0) return {};
  const std::size_t index = std::min(m_writer.at(position), m_next - 1);
  const Block& block = blocks()[index];
  const int unit = position - m_writer.begin(index);
  if (unit < 0 || position >= m_writer.end(index)) return {};
  const std::size_t byte = byteAtUnit(block, unit);
  for (const Run& run : block.runs)
    if (run.begin <= byte && byte < run.end && run.link >= 0)
      return toText(block.links[static_cast<std::size_t>(run.link)]);
  return {};
}

QString MarkdownText::plainText(int begin, int end) const {
  std::string text;
  bool isFirst = true;
  for (std::size_t i = m_writer.at(begin); i < m_next && m_writer.begin(i) < end; ++i) {
    if (m_writer.end(i) < begin) continue;
    if (originOf(i) == SettledBlocks::kNone) continue;  // the line above the notes
    const Block& block = blocks()[i];
    if (!isFirst) text += plainGap(block);
    isFirst = false;
    text += plainPart(block, byteAtUnit(block, std::max(begin - m_writer.begin(i), 0)),
                      byteAtUnit(block, end - m_writer.begin(i)));
  }
  return toText(text);
}

QString MarkdownText::markdown(int begin, int end) const {
  std::string text;
  const std::string& source = m_stream.source();
  std::vector<std::size_t> origins;
  for (std::size_t i = m_writer.at(begin); i < m_next && m_writer.begin(i) < end; ++i)
    if (m_writer.end(i) >= begin && originOf(i) != SettledBlocks::kNone) origins.push_back(originOf(i));
  std::ranges::sort(origins);
  const Block* last = nullptr;
  for (const std::size_t origin : origins) {
    const std::size_t i = placeOf(origin);
    const Block& block = blocks()[i];
    const bool isWhole = begin <= m_writer.begin(i) && end >= m_writer.end(i);
    if (last && !text.ends_with('\n')) text += isWhole ? (block.spaced ? "\n\n" : "\n") : plainGap(block);
    last = &block;
    if (isWhole)
      text += source.substr(block.sourceBegin, m_stream.sourceEnd(origin) - block.sourceBegin);
    else
      text += markdownPart(block, byteAtUnit(block, std::max(begin - m_writer.begin(i), 0)),
                           byteAtUnit(block, end - m_writer.begin(i)));
  }
  text.erase(text.find_last_not_of('\n') + 1);
  return toText(text);
}

std::vector<CodePlace> MarkdownText::codeBlocks() const {
  std::vector<CodePlace> places;
  for (std::size_t i = 0; i < m_next; ++i) {
    const Block& block = blocks()[i];
    if (block.kind != BlockKind::kCodeLine) continue;
    if (block.line == 0 && !block.continues)
      places.push_back({m_writer.begin(i), 0, toText(block.language), i, i});
    places.back().end = m_writer.end(i);
    places.back().last = i;
  }
  return places;
}

QString MarkdownText::codeText(const CodePlace& place) const {
  std::string text;
  for (std::size_t i = place.first; i <= place.last; ++i) {
    const Block& block = blocks()[i];
    if (i > place.first && !block.continues) text += '\n';
    text += block.text;
  }
  return toText(text);
}

std::optional<NotePlace> MarkdownText::footnote(const QString& number, NoteMark mark) const {
  for (std::size_t i = 0; i < m_next; ++i) {
    const Block& block = blocks()[i];
    for (const Run& run : block.runs) {
      if (run.footnote < 0 || run.note != mark) continue;
      if (block.footnotes[static_cast<std::size_t>(run.footnote)].number != number.toUInt()) continue;
      NotePlace place{m_writer.begin(i) + unitsBefore(block, run.begin), {}};
      if (mark == NoteMark::kReference) return place;
      std::string text = plainPart(block, run.end, block.text.size());
      for (std::size_t more = i + 1; more < blocks().size() && blocks()[more].ofNote; ++more)
        text += plainGap(blocks()[more]) + plainPart(blocks()[more], 0, blocks()[more].text.size());
      place.text = toText(text).trimmed();
      return place;
    }
  }
  return {};
}

void MarkdownText::setTints(std::vector<Tint> tints) {
  const auto [old, fresh] = std::ranges::mismatch(m_tints, tints);
  std::size_t from = m_stream.source().size(), to = 0;
  if (old != m_tints.end()) from = std::min(from, old->begin), to = m_tints.back().end;
  if (fresh != tints.end()) from = std::min(from, fresh->begin), to = std::max(to, tints.back().end);
  m_tints = std::move(tints);
  if (from < to) tintSource(from, to);
}

void MarkdownText::setGiven(std::size_t bytes) {
  const std::size_t end = std::max(bytes, std::exchange(m_given, bytes));
  if (end > 0) tintSource(0, end);
}

void MarkdownText::tintSource(std::size_t begin, std::size_t end) {
  if (m_next == 0) return;
  const std::size_t last = blockAtSource(end - 1);
  for (std::size_t i = begin == 0 ? 0 : blockAtSource(begin); i <= last; ++i)
    if (placeOf(i) < m_next) tintBlock(placeOf(i));
}

// Formats of the layout, not of the document: what is shown stays what the blocks say.
void MarkdownText::tintBlock(std::size_t index) {
  const std::string& source = m_stream.source();
  const Block& block = blocks()[index];
  const std::size_t origin = originOf(index), begin = firstSource(block);
  // The line above the notes has nothing of the source.
  const std::size_t end = origin == SettledBlocks::kNone ? begin : m_stream.sourceEnd(origin);
  QList<QTextLayout::FormatRange> ranges;
  for (auto tint = std::ranges::upper_bound(m_tints, begin, {}, &Tint::end);
       tint != m_tints.end() && (tint->begin < end || tint->begin == begin); ++tint) {
    const int from = unitOfSource(block, source, std::max(tint->begin, begin));
    const int to = unitOfSource(block, source, tint->end);
    if (from >= to) continue;
    QTextLayout::FormatRange range{from, to - from, {}};
    range.format.setBackground(look().tint(static_cast<double>(tint->value)));
    range.format.setForeground(look().text);
    // More than a colour: the strongest half is underlined.
    if (tint->value >= 0.5f) range.format.setUnderlineStyle(QTextCharFormat::DotLine);
    ranges.push_back(range);
  }
  if (const int given = unitOfSource(block, source, m_given); begin < m_given && given > 0) {
    ranges.push_front({0, given, {}});
    ranges.front().format.setUnderlineStyle(QTextCharFormat::DashUnderline);
    ranges.front().format.setUnderlineColor(look().dim);
  }
  QTextLayout* const layout = m_writer.document()->findBlock(m_writer.begin(index)).layout();
  if (layout->formats() == ranges) return;
  layout->setFormats(ranges);
  m_writer.document()->markContentsDirty(m_writer.begin(index), m_writer.end(index) - m_writer.begin(index));
}

}  // namespace vitrine
