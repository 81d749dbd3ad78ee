// Any bytes as a message: in parts the same blocks as at once, finished blocks that stay, nothing shown that
// hides, links that are addresses, and places in the source that lie in it.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "widgets/markdown/autolinks.h"
#include "widgets/markdown/footnotes.h"
#include "widgets/markdown/markdown_copy.h"
#include "widgets/markdown/markdown_stream.h"
#include "widgets/markdown/maths_parser.h"
#include "widgets/markdown/maths_spans.h"
#include "widgets/markdown/run_places.h"
#include "widgets/markdown/shown_text.h"

namespace {

using namespace vitrine;

void require(bool holds) {
  if (!holds) std::abort();
}

// U+FFFC stands for a formula that can be set, and for nothing else.
bool isSafe(const Block& block) {
  std::string text = block.text;
  for (auto run = block.runs.rbegin(); run != block.runs.rend(); ++run) {
    if (run->formula < 0) continue;
    require(static_cast<std::size_t>(run->formula) < block.formulas.size());
    require(text.substr(run->begin, run->end - run->begin) == "\uFFFC");
    require(parseMaths(block.formulas[static_cast<std::size_t>(run->formula)]).has_value());
    text.erase(run->begin, run->end - run->begin);
  }
  return text == shownText(text);
}

void check(const Block& block, std::string_view source) {
  require(block.sourceBegin <= source.size() && isSafe(block));
  for (const std::string& link : block.links) require(isAllowedAddress(link));
  std::uint32_t end = 0;
  std::size_t place = 0;
  for (const Run& run : block.runs) {
    require(run.begin == end && run.end > run.begin && run.end <= block.text.size());
    require(run.source >= place && run.source + run.sourceBytes <= source.size());
    require(run.link < static_cast<std::int32_t>(block.links.size()));
    end = run.end;
    place = run.source;
    if (!run.verbatim) continue;
    const int unit = unitOfSource(block, source, run.source);
    require(unit == unitsBefore(block, run.begin) && sourceOfUnit(block, source, unit) == run.source);
  }
  require(end == block.text.size());
  plainPart(block, 0, block.text.size());
  markdownPart(block, 0, block.text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t part = 1 + data[0];  // the first byte says how the rest comes
  const std::string_view source(reinterpret_cast<const char*>(data + 1), size - 1);
  // Formulas follow each other within the text, whether it may go on or not; any bytes may be one.
  for (const bool growing : {false, true}) {
    std::size_t end = 0;
    for (const MathsSpan& span : findMaths(source, growing)) {
      require(span.begin >= end && span.end > span.begin && span.end <= source.size());
      end = span.end;
    }
  }
  parseMaths(source);
  MarkdownStream stream;
  for (std::size_t at = 0; at < source.size(); at += part * (1 + source.size() / 4096)) {
    const std::vector<Block> closed(stream.blocks().begin(),
                                    stream.blocks().begin() + static_cast<std::ptrdiff_t>(stream.closed()));
    stream.append(source.substr(at, part * (1 + source.size() / 4096)));
    require(stream.advance(source.size()) >= closed.size());
    require(std::equal(closed.begin(), closed.end(), stream.blocks().begin()));
  }
  require(stream.blocks() == parseMarkdown(source));
  std::size_t place = 0;
  for (const Block& block : stream.blocks()) {
    check(block, source);
    require(block.sourceBegin >= place && firstSource(block) >= place);
    place = block.sourceBegin;
  }
  // Footnotes move blocks, and lose none.
  if (const auto settled = settleFootnotes(stream.blocks())) {
    require(settled->blocks.size() == stream.blocks().size() + 1);
    require(settled->places.size() == stream.blocks().size());
    for (std::size_t i = 0; i < settled->places.size(); ++i)
      require(settled->origins[settled->places[i]] == i);
    for (const Block& block : settled->blocks) check(block, source);
  }
  return 0;
}
