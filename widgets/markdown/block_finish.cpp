#include "widgets/markdown/block_finish.h"

#include <algorithm>

#include "widgets/markdown/autolinks.h"

namespace vitrine {
namespace {

bool mayHoldAddress(const Run& run) {
  return run.link < 0 && (run.style & (kCode | kMarker | kReplaced | kAside | kMaths)) == 0;
}

// The part of a run between two bytes of the text. A verbatim run without replacements has as many bytes in
// the source as in the text.
Run partOf(const Run& run, std::uint32_t begin, std::uint32_t end, int link) {
  Run part = run;
  part.begin = std::max(run.begin, begin);
  part.end = std::min(run.end, end);
  part.link = link;
  if (!run.verbatim || (run.style & kReplaced)) return part;
  part.source = run.source + (part.begin - run.begin);
  part.sourceBytes = part.end - part.begin;
  return part;
}

class Relinker {
 public:
  explicit Relinker(Block& block) : m_block(block) {}

  void relink() {
    std::size_t at = 0;
    while (at < m_block.runs.size()) {
      std::size_t end = at;
      while (end < m_block.runs.size() && mayHoldAddress(m_block.runs[end])) ++end;
      if (end > at) relink(at, end);
      if (end < m_block.runs.size()) m_runs.push_back(m_block.runs[end++]);
      at = end;
    }
    m_block.runs = std::move(m_runs);
  }

 private:
  // Runs that stand side by side are searched as one text: an address goes on through an entity.
  void relink(std::size_t first, std::size_t last) {
    const std::uint32_t begin = m_block.runs[first].begin, end = m_block.runs[last - 1].end;
    std::size_t run = first;
    const auto copyUpTo = [&](std::uint32_t from, std::uint32_t to, int link) {
      for (; run < last && m_block.runs[run].begin < to; ++run) {
        if (m_block.runs[run].end > from) m_runs.push_back(partOf(m_block.runs[run], from, to, link));
        if (m_block.runs[run].end > to) break;
      }
    };
    std::uint32_t done = begin;
    for (FoundAddress& found : findAddresses(std::string_view(m_block.text).substr(begin, end - begin))) {
      const auto from = static_cast<std::uint32_t>(begin + found.begin);
      const auto to = static_cast<std::uint32_t>(begin + found.end);
      copyUpTo(done, from, -1);
      m_block.links.push_back(std::move(found.href));
      copyUpTo(from, to, static_cast<int>(m_block.links.size()) - 1);
      done = to;
    }
    copyUpTo(done, end, -1);
  }

  Block& m_block;
  std::vector<Run> m_runs;
};

std::size_t lineBegin(std::string_view source, std::size_t at, std::size_t least) {
  while (at > least && source[at - 1] != '\n') --at;
  return at;
}

std::size_t nextLine(std::string_view source, std::size_t at) {
  const std::size_t end = source.find('\n', at);
  return end == std::string_view::npos ? source.size() : end + 1;
}

const Run* firstShown(const Block& block) {
  const auto found = std::ranges::find_if(block.runs, [](const Run& run) { return !(run.style & kMarker); });
  return found == block.runs.end() ? nullptr : &*found;
}

}  // namespace

void linkAddresses(Block& block) {
  if (block.kind == BlockKind::kCodeLine || block.kind == BlockKind::kPlain || block.runs.empty()) return;
  Relinker(block).relink();
}

void divideSource(std::string_view source, std::size_t begin, std::vector<Block>& blocks, std::size_t first) {
  std::size_t place = begin;  // no block before ends later than here
  for (std::size_t i = first; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    const Run* const shown = firstShown(block);
    const bool beginsCode = block.kind == BlockKind::kCodeLine && block.line == 0;  // with the fence above it
    if (i > first && shown && !beginsCode)
      place = lineBegin(source, shown->source, place);
    else if (i > first && (block.kind != BlockKind::kTableCell || block.column == 0))
      place = nextLine(source, place);
    block.sourceBegin = place;
    if (shown) place = block.runs.back().source + block.runs.back().sourceBytes;
    if (shown) block.sourceBegin = std::min(block.sourceBegin, shown->source);
  }
  // A block without a text stands where it was guessed, and not after the text that follows it.
  std::size_t most = source.size();
  for (std::size_t i = blocks.size(); i-- > first;) {
    Block& block = blocks[i];
    most = block.sourceBegin = std::min(most, block.sourceBegin);
    for (Run& run : block.runs)
      if (run.style & kMarker) run.source = block.sourceBegin;
  }
}

}  // namespace vitrine
