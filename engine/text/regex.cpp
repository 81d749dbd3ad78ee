#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/regex.h"

#include <pcre2.h>

#include <algorithm>
#include <optional>

#include "text/utf8.h"
#include "text/work_limit.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

// Steps are PCRE2's: backtracking points. A start that takes up to kFreeSteps is a match in any real pattern,
// and not counted; one that takes more is retried with twice as many, again and again, and counted.
constexpr std::uint32_t kFreeSteps = 200;
constexpr std::size_t kStartsPerCall = 128;  // after which the clock is read
constexpr std::uint32_t kHeapLimitKibibytes = 64 * 1024;
constexpr std::size_t kLongestPattern = 16 * 1024;

struct CompileContext {
  pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
  CompileContext() {
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);  // a dot stops at \n alone, as in Oniguruma
    pcre2_set_max_pattern_length(context, kLongestPattern);
  }
  ~CompileContext() { pcre2_compile_context_free(context); }
  CompileContext(const CompileContext&) = delete;
  CompileContext& operator=(const CompileContext&) = delete;
};

struct MatchState {
  pcre2_match_context* context = pcre2_match_context_create(nullptr);
  pcre2_match_data* data;
  explicit MatchState(const pcre2_code* code) : data(pcre2_match_data_create_from_pattern(code, nullptr)) {
    pcre2_set_heap_limit(context, kHeapLimitKibibytes);
  }
  ~MatchState() {
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
  }
  MatchState(const MatchState&) = delete;
  MatchState& operator=(const MatchState&) = delete;
};

std::string errorText(int code) {
  PCRE2_UCHAR buffer[160];
  return pcre2_get_error_message(code, buffer, sizeof buffer) < 0 ? "error " + std::to_string(code)
                                                                  : reinterpret_cast<const char*>(buffer);
}

std::string shown(std::string_view pattern) {
  constexpr std::size_t kLongest = 200;
  return pattern.size() <= kLongest ? std::string(pattern)
                                    : utf8::repaired(pattern.substr(0, kLongest)) + "...";
}

// All searches for one pattern in one text.
class Search {
 public:
  Search(const pcre2_code* code, std::string_view text, WorkLimit& limit)
      : m_code(code), m_state(code), m_text(text), m_limit(limit) {}

  struct Match {
    std::size_t begin, end;
  };
  // The first match at or after `from`. Throws TooSlow.
  std::optional<Match> next(std::size_t from) {
    while (from <= m_text.size()) {
      const std::size_t last = std::min(from + kStartsPerCall, m_text.size());
      int result = run(from, last, kFreeSteps, 0);
      const std::size_t begin = from;
      from = characterAfter(last);
      if (result == PCRE2_ERROR_MATCHLIMIT) result = oneByOne(begin, last);
      const bool askClock =
          m_calls++ % 16 == 15 || result == PCRE2_ERROR_NOMATCH;  // reading the clock costs too
      if (askClock && !m_limit.inTime()) throw TooSlow();
      if (result == PCRE2_ERROR_NOMATCH) continue;
      if (result < 0) throw TooSlow();
      const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(m_state.data);
      if (offsets[1] < offsets[0] || offsets[0] < begin) throw TooSlow();  // \K or a lookbehind out of order
      return Match{offsets[0], offsets[1]};
    }
    return std::nullopt;
  }

  struct TooSlow {};

 private:
  int run(std::size_t from, std::size_t lastStart, std::uint32_t steps, std::uint32_t options) {
    pcre2_set_match_limit(m_state.context, steps);
    pcre2_set_offset_limit(m_state.context, lastStart);
    return pcre2_match(m_code, reinterpret_cast<PCRE2_SPTR>(m_text.data()), m_text.size(), from,
                       PCRE2_NO_UTF_CHECK | options, m_state.data, m_state.context);
  }

  // For a stretch of starts of which one takes many steps: PCRE2 does not report which.
  int oneByOne(std::size_t from, std::size_t lastStart) {
    for (; from <= lastStart; from = characterAfter(from)) {
      int result = run(from, from, kFreeSteps, PCRE2_ANCHORED);
      for (std::uint32_t steps = 2 * kFreeSteps; result == PCRE2_ERROR_MATCHLIMIT; steps *= 2) {
        if (!m_limit.takeSteps(steps) || !m_limit.inTime()) throw TooSlow();
        result = run(from, from, steps, PCRE2_ANCHORED);
      }
      if (result != PCRE2_ERROR_NOMATCH) return result;
    }
    return PCRE2_ERROR_NOMATCH;
  }

  std::size_t characterAfter(std::size_t at) const {
    do ++at;
    while (at < m_text.size() && (static_cast<unsigned char>(m_text[at]) & 0xC0u) == 0x80u);
    return at;
  }

  const pcre2_code* m_code;
  const MatchState m_state;
  const std::string_view m_text;
  WorkLimit& m_limit;
  unsigned m_calls = 0;
};

}  // namespace

struct Regex::Code {
  pcre2_code* code;
  explicit Code(pcre2_code* compiled) : code(compiled) {}
  ~Code() { pcre2_code_free(code); }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
};

Regex::Regex(std::string_view onigurumaPattern) : m_pattern(onigurumaPattern) {
  const std::string pattern = translatedFromOniguruma(onigurumaPattern);
  const CompileContext compiling;
  int error = 0;
  PCRE2_SIZE errorAt = 0;
  // MULTILINE: Oniguruma's ^ and $ always match at the lines of a text.
  constexpr std::uint32_t options =
      PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT;
  pcre2_code* compiled = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options,
                                       &error, &errorAt, compiling.context);
  if (!compiled) {
    throw EngineError(ErrorCode::kUnsupported, "the tokenizer's regular expression \"" + shown(m_pattern) +
                                                   "\" cannot be used: " + errorText(error));
  }
  m_code = std::make_shared<const Code>(compiled);
}

std::vector<Stretch> Regex::stretches(std::string_view text) const {
  WorkLimit limit(text.size());
  return stretches(text, limit);
}

std::vector<Stretch> Regex::stretches(std::string_view text, WorkLimit& limit) const {
  try {
    return search(text, limit);
  } catch (const Search::TooSlow&) {
    throw EngineError(
        ErrorCode::kFileCorrupt,
        "the tokenizer's regular expression \"" + shown(m_pattern) + "\" takes too many steps on this text",
        "The pattern backtracks without end; use the tokenizer file the model was published with.");
  }
}

std::vector<Stretch> Regex::search(std::string_view text, WorkLimit& limit) const {
  std::vector<Stretch> found;
  if (text.empty()) return found;
  Search search(m_code->code, text, limit);
  std::size_t settled = 0, searchFrom = 0, lastMatchEnd = std::string_view::npos;
  while (const auto match = search.next(searchFrom)) {
    const auto [begin, end] = *match;
    if (begin == end && end == lastMatchEnd) {  // would be found for ever
      if (searchFrom >= text.size()) break;
      searchFrom += utf8::decode(text.substr(searchFrom)).length;
      continue;
    }
    if (settled < begin) found.push_back({settled, begin, false});
    found.push_back({begin, end, true});
    settled = searchFrom = lastMatchEnd = end;
  }
  if (settled < text.size()) found.push_back({settled, text.size(), false});
  return found;
}

}  // namespace vitrine
