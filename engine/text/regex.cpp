#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/regex.h"

#include <pcre2.h>

#include <chrono>

#include "text/utf8.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

using Clock = std::chrono::steady_clock;

// One match may take this many of PCRE2's steps: hundreds for any real pattern, so only a pattern that
// backtracks without end ever comes near. The time is for a text on which every position is that bad.
constexpr std::uint32_t kMatchLimit = 2'000'000;
constexpr std::uint32_t kHeapLimitKibibytes = 64 * 1024;
constexpr std::size_t kLongestPattern = 16 * 1024;

Clock::duration timeAllowed(std::size_t textBytes) {
  return std::chrono::seconds(2) + std::chrono::microseconds(20) * static_cast<long>(textBytes);
}

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
    pcre2_set_match_limit(context, kMatchLimit);
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

[[noreturn]] void tooSlow(const std::string& pattern) {
  throw EngineError(
      ErrorCode::kFileCorrupt,
      "the tokenizer's regular expression \"" + pattern + "\" takes too many steps on this text",
      "The pattern backtracks without end; use the tokenizer file the model was published with.");
}

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
  constexpr std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
  pcre2_code* compiled = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options,
                                       &error, &errorAt, compiling.context);
  if (!compiled) {
    throw EngineError(ErrorCode::kUnsupported, "the tokenizer's regular expression \"" +
                                                   m_pattern.substr(0, 200) +
                                                   "\" cannot be used: " + errorText(error));
  }
  m_code = std::make_shared<const Code>(compiled);
}

std::vector<Stretch> Regex::stretches(std::string_view text) const {
  std::vector<Stretch> found;
  if (text.empty()) return found;
  const MatchState state(m_code->code);
  const Clock::time_point deadline = Clock::now() + timeAllowed(text.size());
  std::size_t settled = 0, searchFrom = 0, lastMatchEnd = std::string_view::npos;
  for (unsigned count = 0; searchFrom <= text.size(); ++count) {
    const int rc = pcre2_match(m_code->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                               searchFrom, PCRE2_NO_UTF_CHECK, state.data, state.context);
    if (rc == PCRE2_ERROR_NOMATCH) break;
    if (rc < 0 || (count % 64 == 63 && Clock::now() > deadline)) tooSlow(m_pattern);
    const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(state.data);
    const std::size_t begin = offsets[0], end = offsets[1];
    if (end < begin || begin < searchFrom) tooSlow(m_pattern);  // \K or a lookbehind out of order
    if (begin == end && end == lastMatchEnd) {                  // would be found for ever
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
