#include "text/jinja/marked_text.h"

#include <algorithm>
#include <utility>

namespace vitrine::jinja {

MarkedText::MarkedText(std::string text, const Mark& mark) : m_text(std::move(text)) {
  if (!mark.isPlain() && !m_text.empty()) m_runs.push_back({m_text.size(), mark});
}

std::size_t MarkedText::runAt(std::size_t byte) const {
  const auto found = std::upper_bound(m_runs.begin(), m_runs.end(), byte,
                                      [](std::size_t at, const Run& run) { return at < run.end; });
  return static_cast<std::size_t>(found - m_runs.begin());
}

Mark MarkedText::markAt(std::size_t byte) const {
  const std::size_t run = runAt(byte);
  return run < m_runs.size() ? m_runs[run].mark : Mark{};
}

Mark MarkedText::commonMark() const {
  Mark common;
  for (const Run& run : m_runs) {
    if (!run.mark.fromInput) continue;
    if (!common.fromInput)
      common = Mark::ofInput(run.mark.origin);
    else if (common.origin != run.mark.origin)
      common.origin = kNoOrigin;
  }
  return common;
}

// Says that the bytes from the last run's end to `end`, which are in the text, have this mark.
void MarkedText::mark(std::size_t end, const Mark& mark) {
  if (!m_runs.empty() && m_runs.back().mark == mark)
    m_runs.back().end = end;
  else
    m_runs.push_back({end, mark});
}

void MarkedText::append(std::string_view text, const Mark& newMark) {
  if (text.empty()) return;
  if (m_runs.empty() && !newMark.isPlain() && !m_text.empty()) mark(m_text.size(), {});
  m_text.append(text);
  if (!m_runs.empty() || !newMark.isPlain()) mark(m_text.size(), newMark);
}

void MarkedText::append(const MarkedText& other, std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  const std::string_view text = std::string_view(other.m_text).substr(begin, end - begin);
  if (other.m_runs.empty()) return append(text);
  if (m_runs.empty() && !m_text.empty()) mark(m_text.size(), {});
  const std::size_t shift = m_text.size() - begin;  // wraps around where it is negative
  m_text.append(text);
  for (std::size_t run = other.runAt(begin); run < other.m_runs.size(); ++run) {
    const std::size_t runEnd = std::min(other.m_runs[run].end, end);
    mark(runEnd + shift, other.m_runs[run].mark);
    if (runEnd == end) break;
  }
}

void MarkedText::appendWritten(const MarkedText& other, Place place, Origin owner) {
  const Mark plain{.owner = owner, .place = place};
  if (other.m_runs.empty()) return append(other.m_text, plain);
  std::size_t begin = 0;
  for (const Run& run : other.m_runs) {
    Mark written = run.mark;
    if (written.place.line == 0) written.place = place;
    if (written.owner == kNoOrigin) written.owner = owner;
    append(std::string_view(other.m_text).substr(begin, run.end - begin), written);
    begin = run.end;
  }
}

MarkedText MarkedText::part(std::size_t begin, std::size_t end) const {
  MarkedText result;
  result.append(*this, begin, end);
  return result;
}

}  // namespace vitrine::jinja
