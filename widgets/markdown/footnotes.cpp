#include "widgets/markdown/footnotes.h"

#include <string_view>

namespace vitrine {
namespace {

constexpr std::size_t kMaxNoteDigits = 3;

// Bytes of the mark that begins at `at`, "[^12]" or "[^12]:" where a line begins; 0: none does.
std::size_t markAt(std::string_view text, std::size_t at, bool atLine) {
  if (!text.substr(at).starts_with("[^")) return 0;
  const std::size_t digits = at + 2;
  std::size_t end = digits;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  if (end == digits || end - digits > kMaxNoteDigits || end == text.size() || text[end] != ']') return 0;
  ++end;
  return end - at + (atLine && end < text.size() && text[end] == ':' ? 1 : 0);
}

bool mayHoldNote(const Run& run) {
  return run.verbatim && run.link < 0 && (run.style & (kCode | kMarker | kReplaced | kAside | kMaths)) == 0;
}

// Copies a block's runs, with marks in the places of what they are written as.
class NoteMarker {
 public:
  explicit NoteMarker(Block& block) : m_block(block) {}

  void mark() {
    for (const Run& run : m_block.runs) {
      if (mayHoldNote(run))
        takeText(run);
      else
        copy(run, run.begin, run.end);
    }
    m_block.text = std::move(m_text);
    m_block.runs = std::move(m_runs);
  }

 private:
  void takeText(const Run& run) {
    const std::string_view all = std::string_view(m_block.text).substr(0, run.end);
    std::size_t done = run.begin;
    for (std::size_t at = all.find("[^", done); at < all.size(); at = all.find("[^", at)) {
      const bool atLine = m_block.kind == BlockKind::kParagraph && (at == 0 || m_block.text[at - 1] == '\n');
      const std::size_t bytes = markAt(all, at, atLine);
      if (bytes == 0) {
        at += 2;
        continue;
      }
      copy(run, done, at);
      addMark(run, at, bytes);
      done = at += bytes;
    }
    copy(run, done, run.end);
  }

  // A verbatim run without replacements has as many bytes in the source as in the text.
  void copy(const Run& run, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    Run& part = m_runs.emplace_back(run);
    part.begin = static_cast<std::uint32_t>(m_text.size());
    m_text.append(m_block.text, begin, end - begin);
    part.end = static_cast<std::uint32_t>(m_text.size());
    if (begin == run.begin && end == run.end) return;
    part.source = run.source + (begin - run.begin);
    part.sourceBytes = static_cast<std::uint32_t>(end - begin);
  }

  void addMark(const Run& run, std::size_t at, std::size_t bytes) {
    const bool isNote = m_block.text[at + bytes - 1] == ':';
    Run& mark = m_runs.emplace_back(run);
    mark.begin = static_cast<std::uint32_t>(m_text.size());
    m_text.append(m_block.text, at + 2, bytes - (isNote ? 4 : 3));
    mark.end = static_cast<std::uint32_t>(m_text.size());
    mark.source = run.source + (at - run.begin);
    mark.sourceBytes = static_cast<std::uint32_t>(bytes);
    mark.verbatim = false;
    mark.note = isNote ? NoteMark::kNote : NoteMark::kReference;
  }

  Block& m_block;
  std::string m_text;
  std::vector<Run> m_runs;
};

}  // namespace

void markFootnotes(Block& block) {
  const bool isText = block.kind != BlockKind::kCodeLine && block.kind != BlockKind::kPlain;
  if (isText && block.text.find("[^") != std::string::npos) NoteMarker(block).mark();
}

}  // namespace vitrine
