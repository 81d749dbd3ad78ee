// How an option is spelled and explained: its key, its help, the words it takes. All of it comes from
// the schema (vitrine/option_schema.h).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "vitrine/engine.h"
#include "vitrine/option_info.h"

namespace vitrine {

// The key as files spell it: "no_prefix_cache" switches the prefix cache off.
template <typename Value>
std::string spelledKey(const OptionInfo<Value>& info) {
  return (*info.off == '\0' ? "" : "no_") + std::string(info.key);
}

// The option as the command line spells it: "--no-prefix-cache", "-n".
template <typename Value>
std::string optionName(const OptionInfo<Value>& info) {
  std::string key = spelledKey(info);
  std::ranges::replace(key, '_', '-');
  return (key.size() == 1 ? "-" : "--") + key;
}

// "for --draft exit: number of first layers that draft; 0: as the model recommends"
template <typename Value>
std::string helpOf(const OptionInfo<Value>& info) {
  if (*info.off != '\0') return info.off;
  std::string help = info.when == nullptr ? "" : std::string("for ") + info.when->text + ": ";
  help += info.help;
  if (*info.unit != '\0' && help.find(info.unit) == std::string::npos)
    help += std::string(", in ") + info.unit;
  if (*info.zero != '\0') help += std::string("; 0: ") + info.zero;
  return help;
}

// The words that the option takes; none when it takes numbers or any text.
template <typename Value>
std::vector<std::string> wordsOf(const OptionInfo<Value>& info) {
  std::vector<std::string> words;
  if constexpr (Named<Value>) words.assign(Names<Value>::list.begin(), Names<Value>::list.end());
  if (*info.also != '\0') words.emplace_back(info.also);
  return info.text == TextKind::kAttentionKernel ? attentionKernelNames() : words;
}

// Requires one of wordsOf(info).
template <Named Value>
Value valueOf(const OptionInfo<Value>& info, std::string_view word) {
  return word == info.also ? info.alsoValue : fromName<Value>(word).value();
}

}  // namespace vitrine
