// What is known about an option beside its value: key, texts, unit, range, words. engine_option_table.h and
// request_option_table.h hold one OptionInfo for each option; option_schema.h visits them.
//
// Whatever reads or shows options takes these facts from here: validate(), command line, request lines and
// scenario files, settings, the dialog, the manual. Nothing here allocates. Texts are plain string literals:
// `vitrine-cli --option-texts` prints them as QT_TRANSLATE_NOOP("Options", ...) lines, which lupdate finds.
// Thread: values. Read next: engine_option_table.h.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "vitrine/names.h"

namespace vitrine {

struct EngineOptions;

// Groups of options: pages of a dialog, sections of the manual.
enum class OptionPage { kScheduling, kMemory, kComputing, kSpeculation, kSampling, kAnswers };
VITRINE_NAMES(OptionPage, "scheduling", "memory", "computing", "speculation", "sampling", "answers");
inline constexpr auto kOptionPageLabels = std::to_array<const char*>(
    {"&Scheduling", "&Memory", "&Computing", "S&peculation", "Sa&mpling", "&Answers"});

// When an option means something. `text` is how the command line asks for it: "--batching window".
struct Condition {
  const char* text;
  bool (*holds)(const EngineOptions&);
};

// How long an option of the engine holds. kLoad: as long as what was loaded, so that a resumed run has the
// one of the engine that resumes it. kRun: from a run's beginning. kStep: from one step to the next.
enum class OptionScope { kLoad, kRun, kStep };

enum class TextKind { kPlain, kFolder, kAttentionKernel };  // the last: one of attentionKernelNames(), or ""

template <typename Value>
inline constexpr std::size_t kWordCount = 0;
template <Named Value>
inline constexpr std::size_t kWordCount<Value> = Names<Value>::list.size();

template <typename Value>
concept Numeric = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;

template <typename Value>
struct OptionInfo {
  using Bound = std::conditional_t<std::is_floating_point_v<Value>, double, std::int64_t>;

  const char* key;    // snake_case in files; with dashes on the command line
  const char* label;  // in a form; & stands before the letter that jumps there
  const char* help;   // one sentence without a full stop
  OptionPage page;
  const char* unit = "";  // "tokens", "ms", "bytes", ...
  const char* zero = "";  // what 0 stands for, where that is no amount
  Bound least = std::numeric_limits<Bound>::lowest(), most = std::numeric_limits<Bound>::max();
  bool above = false;                                   // `least` itself is too little
  const char* off = "";                                 // of a bool that is spelled no_KEY: what that does
  std::array<const char*, kWordCount<Value>> labels{};  // of an enum's values, in their order
  const char* also = "";                                // another word for alsoValue
  std::conditional_t<Named<Value>, Value, char> alsoValue{};
  TextKind text = TextKind::kPlain;
  const Condition* when = nullptr;  // null: always
  OptionScope scope = OptionScope::kRun;
  bool offered = true;  // by the dialog
};

template <typename Owner, typename Value>
struct Option {
  OptionInfo<Value> info;
  Value Owner::*field;
};

template <typename Owner, typename Value>
constexpr Option<Owner, Value> option(Value Owner::*field,
                                      const std::type_identity_t<OptionInfo<Value>>& info) {
  return {info, field};
}

template <typename Owner>
struct OptionTable;  // static constexpr auto list = std::tuple{option(&Owner::field, {...}), ...}

// Whether the value lies in the option's range. NaN and the infinities do not.
template <Numeric Value>
constexpr bool holds(const OptionInfo<Value>& info, Value value) {
  if constexpr (std::is_unsigned_v<Value>)
    return true;
  else
    return value <= info.most && (info.above ? value > info.least : value >= info.least);
}

}  // namespace vitrine
