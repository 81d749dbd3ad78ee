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

}  // namespace

void MarkdownText::setLook(const MarkdownLook& look) {
  if (look == m_writer.look()) return;
  m_writer.setLook(look);
  m_next = 0;
}

void MarkdownText::clear() {
  m_stream.clear();
  m_tints.clear();
  m_given = 0;
  m_next = 0;
  m_writer.write({}, 0, 0);
}

bool MarkdownText::update() {
  if (m_stream.pending()) m_next = std::min(m_next, m_stream.advance(kBytesAFrame));
  const std::size_t first = m_next;
  m_next = m_writer.write(m_stream.blocks(), first, kWorkAFrame);
  tintBlocks(first, m_next);
  return pending();
}

void MarkdownText::finish() {
  while (update()) {
  }
}

std::size_t MarkdownText::blockAtSource(std::size_t source) const {
  const std::vector<Block>& blocks = m_stream.blocks();
  const auto shown = blocks.begin() + static_cast<std::ptrdiff_t>(m_next);
  const auto after = std::ranges::upper_bound(blocks.begin(), shown, source, {}, firstSource);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - blocks.begin() - 1, 0));
}

int MarkdownText::positionAt(std::size_t source) const {
  if (m_next == 0) return 0;
  const std::size_t index = blockAtSource(source);
  return m_writer.begin(index) + unitOfSource(m_stream.blocks()[index], m_stream.source(), source);
}

std::size_t MarkdownText::sourceAt(int position) const {
  if (m_next == 0) return 0;
  const std::size_t index = std::min(m_writer.at(position), m_next - 1);
  const int unit = std::max(position - m_writer.begin(index), 0);
  return sourceOfUnit(m_stream.blocks()[index], m_stream.source(), unit);
}

QString MarkdownText::addressAt(int position) const {
  if (m_next == 0) return {};
  const std::size_t index = std::min(m_writer.at(position), m_next - 1);
  const Block& block = m_stream.blocks()[index];
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
    const Block& block = m_stream.blocks()[i];
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
  const Block* last = nullptr;
  for (std::size_t i = m_writer.at(begin); i < m_next && m_writer.begin(i) < end; ++i) {
    if (m_writer.end(i) < begin) continue;
    const Block& block = m_stream.blocks()[i];
    const bool isWhole = begin <= m_writer.begin(i) && end >= m_writer.end(i);
    if (last && !text.ends_with('\n')) text += isWhole ? (block.spaced ? "\n\n" : "\n") : plainGap(block);
    last = &block;
    if (isWhole)
      text += source.substr(block.sourceBegin, m_stream.sourceEnd(i) - block.sourceBegin);
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
    const Block& block = m_stream.blocks()[i];
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
    const Block& block = m_stream.blocks()[i];
    if (i > place.first && !block.continues) text += '\n';
    text += block.text;
  }
  return toText(text);
}

std::optional<NotePlace> MarkdownText::footnote(const QString& number, NoteMark mark) const {
  for (std::size_t i = 0; i < m_next; ++i) {
    const Block& block = m_stream.blocks()[i];
    for (auto run = block.runs.begin(); run != block.runs.end(); ++run) {
      if (run->note != mark) continue;
      if (number != toText(block.text.substr(run->begin, run->end - run->begin))) continue;
      NotePlace place{m_writer.begin(i) + unitsBefore(block, run->begin), {}};
      if (mark == NoteMark::kReference) return place;
      const auto next = std::find_if(run + 1, block.runs.end(),
                                     [](const Run& other) { return other.note == NoteMark::kNote; });
      const std::size_t end = next == block.runs.end() ? block.text.size() : next->begin;
      place.text = toText(plainPart(block, run->end, end)).trimmed();
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
  if (from < to && m_next > 0) tintBlocks(blockAtSource(from), blockAtSource(to - 1) + 1);
}

void MarkdownText::setGiven(std::size_t bytes) {
  const std::size_t end = std::max(bytes, std::exchange(m_given, bytes));
  if (end > 0 && m_next > 0) tintBlocks(0, blockAtSource(end - 1) + 1);
}

// Formats of the layout, not of the document: what is shown stays what the blocks say.
void MarkdownText::tintBlocks(std::size_t first, std::size_t last) {
  const std::string& source = m_stream.source();
  for (std::size_t i = first; i < last; ++i) {
    const Block& block = m_stream.blocks()[i];
    const std::size_t begin = firstSource(block), end = m_stream.sourceEnd(i);
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
    QTextLayout* const layout = m_writer.document()->findBlock(m_writer.begin(i)).layout();
    if (layout->formats() == ranges) continue;
    layout->setFormats(ranges);
    m_writer.document()->markContentsDirty(m_writer.begin(i), m_writer.end(i) - m_writer.begin(i));
  }
}

}  // namespace vitrine
