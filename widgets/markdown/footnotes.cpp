#include "widgets/markdown/footnotes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "widgets/markdown/ascii.h"

namespace vitrine {
namespace {

std::string_view textOf(const Block& block, const Run& run) {
  return std::string_view(block.text).substr(run.begin, run.end - run.begin);
}

bool isBesideLists(const Block& block) { return block.listDepth == 0 && block.quoteDepth == 0; }

// The run after the mark of a list's item, if it is a note's.
const Run* noteRun(const Block& block) {
  for (const Run& run : block.runs) {
    if (run.style & kMarker) continue;
    return run.note == NoteMark::kNote ? &run : nullptr;
  }
  return nullptr;
}

// Bytes of the mark that begins at `at`, "[^why]" or "[^why]:" where a line begins; 0: none does.
std::size_t markAt(std::string_view text, std::size_t at, bool atLine) {
  const std::size_t label = at + 2;
  const std::size_t end = text.find_first_of("[] \t\r\n", label);
  if (end == std::string_view::npos || text[end] != ']' || end == label || end - label > kMaxNoteLabelBytes)
    return 0;
  return end + 1 - at + (atLine && text.substr(end + 1).starts_with(':') ? 1 : 0);
}

// Splits a block's runs, so that what may be a mark is a run of its own, and then the block before its notes.
class NoteMarker {
 public:
  NoteMarker(std::string_view source, Block& block) : m_source(source), m_block(block) {}

  void mark() {
    for (std::size_t i = 0; i < m_block.runs.size(); ++i) takeRun(i);
    m_block.runs = std::move(m_runs);
  }

  // The blocks that the block becomes: none if it stays one.
  std::vector<Block> parts() const {
    std::vector<Block> parts;
    if (m_begins.empty()) return parts;
    std::size_t first = 0;
    for (const std::size_t begin : m_begins) {
      parts.push_back(part(first, begin - 1));  // without the line's end
      first = begin;
    }
    parts.push_back(part(first, m_block.runs.size()));
    parts.front().spaced = m_block.spaced;
    parts.front().sourceBegin = m_block.sourceBegin;
    return parts;
  }

 private:
  static bool mayHoldMark(const Run& run) {
    return run.verbatim && run.link < 0 && (run.style & (kCode | kMarker | kReplaced | kAside | kMaths)) == 0;
  }

  // A box to tick is more than the place of a note.
  bool beginsLine(std::size_t index) const {
    if (m_block.kind != BlockKind::kParagraph) return false;
    if (index == 0) return true;
    const Run& before = m_block.runs[index - 1];
    const std::string_view text = textOf(m_block, before);
    if (before.style & kMarker) return !text.starts_with("☐") && !text.starts_with("☑");
    return !before.verbatim && before.sourceBytes == 0 && text == "\n";
  }

  // "\[^1]"
  bool isEscaped(std::size_t at) const {
    std::size_t begin = at;
    while (begin > 0 && m_source[begin - 1] == '\\') --begin;
    return (at - begin) % 2 == 1;
  }

  // A verbatim run without replacements has as many bytes in the source as in the text.
  void takeRun(std::size_t index) {
    const Run run = m_block.runs[index];
    if (!mayHoldMark(run)) return m_runs.push_back(run);
    const std::string_view all = std::string_view(m_block.text).substr(0, run.end);
    std::size_t done = run.begin;
    for (std::size_t at = all.find("[^", done); at < all.size(); at = all.find("[^", at)) {
      const bool atLine = at == run.begin && beginsLine(index);
      const std::size_t bytes = markAt(all, at, atLine);
      if (bytes == 0 || isEscaped(run.source + at - run.begin)) {
        at += 2;
        continue;
      }
      add(run, done, at, NoteMark::kNone);
      const bool isNote = all[at + bytes - 1] == ':';
      if (isNote && index > 0 && !(m_block.runs[index - 1].style & kMarker))
        m_begins.push_back(m_runs.size());
      add(run, at, at + bytes, isNote ? NoteMark::kNote : NoteMark::kReference);
      done = at += bytes;
    }
    add(run, done, run.end, NoteMark::kNone);
  }

  void add(const Run& run, std::size_t begin, std::size_t end, NoteMark note) {
    if (begin == end) return;
    Run& part = m_runs.emplace_back(run);
    part.begin = static_cast<std::uint32_t>(begin);
    part.end = static_cast<std::uint32_t>(end);
    part.source = run.source + (begin - run.begin);
    part.sourceBytes = static_cast<std::uint32_t>(end - begin);
    part.note = note;
  }

  // Addresses and formulas are those of its runs alone.
  Block part(std::size_t first, std::size_t last) const {
    Block part;
    part.quoteDepth = m_block.quoteDepth;
    part.listDepth = m_block.listDepth;
    std::int32_t link = -1;
    for (std::size_t i = first; i < last; ++i) {
      Run& run = part.runs.emplace_back(m_block.runs[i]);
      run.begin = static_cast<std::uint32_t>(part.text.size());
      part.text += textOf(m_block, m_block.runs[i]);
      run.end = static_cast<std::uint32_t>(part.text.size());
      if (run.link >= 0) {
        if (std::exchange(link, run.link) != run.link || part.links.empty())
          part.links.push_back(m_block.links[static_cast<std::size_t>(run.link)]);
        run.link = static_cast<std::int32_t>(part.links.size()) - 1;
      }
      if (run.formula >= 0) {
        part.formulas.push_back(m_block.formulas[static_cast<std::size_t>(run.formula)]);
        run.formula = static_cast<std::int32_t>(part.formulas.size()) - 1;
      }
    }
    part.sourceBegin = m_block.sourceBegin;
    if (first < last) part.sourceBegin = part.runs.front().source;
    while (part.sourceBegin > m_block.sourceBegin && m_source[part.sourceBegin - 1] != '\n')
      --part.sourceBegin;
    return part;
  }

  const std::string_view m_source;
  Block& m_block;
  std::vector<Run> m_runs;
  std::vector<std::size_t> m_begins;  // of blocks' own: indices of the runs of notes
};

// Labels are compared in small letters, those of Latin, Greek and Cyrillic.
std::string keyOf(std::string_view label) {
  std::string key(label);
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto at = [&key](std::size_t place) {
      return place < key.size() ? static_cast<unsigned char>(key[place]) : 0u;
    };
    if (isUpper(key[i])) key[i] = static_cast<char>(key[i] - 'A' + 'a');
    if (at(i) < 0xC3 || at(i) > 0xD0) continue;
    const unsigned code = ((at(i) & 0x1Fu) << 6) | (at(i + 1) & 0x3Fu);
    const unsigned small = (code >= 0xC0 && code <= 0xDE && code != 0xD7)      ? code + 0x20
                           : (code >= 0x391 && code <= 0x3A9 && code != 0x3A2) ? code + 0x20
                           : code >= 0x410 && code <= 0x42F                    ? code + 0x20
                           : code >= 0x400 && code <= 0x40F                    ? code + 0x50
                                                                               : code;
    if (small == code || i + 1 == key.size()) continue;
    key[i] = static_cast<char>(0xC0 | (small >> 6));
    key[i + 1] = static_cast<char>(0x80 | (small & 0x3Fu));
  }
  return key;
}

class Settling {
 public:
  explicit Settling(const std::vector<Block>& blocks) : m_blocks(blocks), m_noteAt(blocks.size()) {}

  std::optional<SettledBlocks> settle() {
    findNotes();
    if (m_notes.empty()) return {};
    number();
    if (m_order.empty()) return {};
    m_settled.places.resize(m_blocks.size());
    bool gap = false;  // that what follows a note takes over
    for (std::size_t i = 0; i < m_blocks.size();) {
      const Note* const note = m_noteAt[i];
      if (note != nullptr && note->number > 0) {
        gap = gap || m_blocks[i].spaced;
        i = note->end;
      } else {
        Block& shown = add(i++);
        shown.spaced = std::exchange(gap, false) || shown.spaced;
      }
    }
    Block& line = m_settled.blocks.emplace_back();
    line.kind = BlockKind::kRule;
    line.spaced = true;
    line.sourceBegin = m_blocks[m_order.front()->begin].sourceBegin;
    m_settled.origins.push_back(SettledBlocks::kNone);
    bool apart = true;
    for (const Note* const note : m_order) {
      for (std::size_t i = note->begin; i < note->end; ++i) add(i);
      Block& begin = m_settled.blocks[m_settled.places[note->begin]];
      unhang(begin);
      begin.spaced = std::exchange(apart, note->end - note->begin > 1);  // a note of several paragraphs
    }
    return std::move(m_settled);
  }

 private:
  struct Note {
    std::size_t begin = 0, end = 0;  // its blocks
    std::uint32_t number = 0, references = 0;
  };

  // Without the "[^" and what ends the mark.
  static std::string labelOf(const Block& block, const Run& run) {
    const std::string_view text = textOf(block, run);
    return keyOf(text.substr(2, text.size() - (run.note == NoteMark::kNote ? 4 : 3)));
  }

  Note* noteOf(const Block& block, const Run& run) {
    const auto found = m_notes.find(labelOf(block, run));
    return found == m_notes.end() ? nullptr : &found->second;
  }

  void findNotes() {
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
      const Run* const run = noteRun(m_blocks[i]);
      if (run == nullptr) continue;
      const auto [note, isFirst] = m_notes.try_emplace(labelOf(m_blocks[i], *run), Note{i, i + 1});
      if (!isFirst) continue;
      m_noteAt[i] = &note->second;
      while (note->second.end < m_blocks.size() && m_blocks[note->second.end].ofNote) ++note->second.end;
    }
  }

  // From the text to the notes that it leads to, and on from these: a note is counted once, also in a circle.
  void number() {
    for (std::size_t i = 0; i < m_blocks.size();) {
      if (m_noteAt[i] != nullptr)
        i = m_noteAt[i]->end;
      else
        countReferences(m_blocks[i++]);
    }
    for (std::size_t k = 0; k < m_order.size(); ++k)
      for (std::size_t i = m_order[k]->begin; i < m_order[k]->end; ++i) countReferences(m_blocks[i]);
  }

  void countReferences(const Block& block) {
    for (const Run& run : block.runs) {
      if (run.note != NoteMark::kReference) continue;
      Note* const note = noteOf(block, run);
      if (note == nullptr || note->number > 0) continue;
      m_order.push_back(note);
      note->number = static_cast<std::uint32_t>(m_order.size());
    }
  }

  Block& add(std::size_t origin) {
    m_settled.places[origin] = m_settled.blocks.size();
    m_settled.origins.push_back(origin);
    const Block& block = m_blocks[origin];
    Block& shown = m_settled.blocks.emplace_back(block);
    if (std::ranges::all_of(block.runs, [](const Run& run) { return run.note == NoteMark::kNone; }))
      return shown;
    shown.text.clear();
    for (std::size_t i = 0; i < block.runs.size(); ++i) {
      Run& run = shown.runs[i];
      const std::string_view written = textOf(block, block.runs[i]);
      run.begin = static_cast<std::uint32_t>(shown.text.size());
      if (Note* const note = settledNote(origin, block.runs[i])) {
        const bool isReference = run.note == NoteMark::kReference;
        run.verbatim = false;
        run.footnote = static_cast<std::int32_t>(shown.footnotes.size());
        shown.footnotes.push_back({std::string(written), note->number, isReference ? ++note->references : 0});
        shown.text += std::to_string(note->number);
      } else {
        shown.text += written;
      }
      run.end = static_cast<std::uint32_t>(shown.text.size());
    }
    return shown;
  }

  // The note that a run of a block leads to or begins; null: the run is text.
  Note* settledNote(std::size_t origin, const Run& run) {
    if (run.note == NoteMark::kNone) return nullptr;
    Note* const note = run.note == NoteMark::kNote ? m_noteAt[origin] : noteOf(m_blocks[origin], run);
    return note != nullptr && note->number > 0 ? note : nullptr;
  }

  // Out of its list or quote.
  static void unhang(Block& block) {
    block.listDepth = block.quoteDepth = 0;
    if (block.runs.empty() || !(block.runs.front().style & kMarker)) return;
    const std::uint32_t bytes = block.runs.front().end;
    block.text.erase(0, bytes);
    block.runs.erase(block.runs.begin());
    for (Run& run : block.runs) run.begin -= bytes, run.end -= bytes;
  }

  const std::vector<Block>& m_blocks;
  std::map<std::string, Note, std::less<>> m_notes;
  std::vector<Note*> m_noteAt;  // by the index of its first block
  std::vector<Note*> m_order;   // by its number
  SettledBlocks m_settled;
};

}  // namespace

void markFootnotes(std::string_view source, std::vector<Block>& blocks, std::size_t first, bool underNote) {
  const auto mayHold = [](const Block& block) {
    return block.kind != BlockKind::kCodeLine && block.text.find("[^") != std::string::npos;
  };
  if (!underNote && std::none_of(blocks.begin() + static_cast<std::ptrdiff_t>(first), blocks.end(), mayHold))
    return;
  std::vector<Block> marked;
  for (std::size_t i = first; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    std::vector<Block> parts;
    if (mayHold(block)) {
      NoteMarker marker(source, block);
      marker.mark();
      parts = marker.parts();
    }
    if (parts.empty()) parts.push_back(std::move(block));
    std::ranges::move(parts, std::back_inserter(marked));
  }
  bool inNote = underNote;
  for (Block& block : marked) {
    if (noteRun(block) != nullptr) {
      inNote = underNote || isBesideLists(block);
    } else {
      inNote = inNote && (underNote || isBesideLists(block));
      block.ofNote = inNote;
    }
  }
  blocks.resize(first);
  std::ranges::move(marked, std::back_inserter(blocks));
}

bool endsWithNote(const Block& block) {
  return block.ofNote || (noteRun(block) != nullptr && isBesideLists(block));
}

std::optional<SettledBlocks> settleFootnotes(const std::vector<Block>& blocks) {
  return Settling(blocks).settle();
}

}  // namespace vitrine
