// Which engine options may change in the midst of a run: those of scheduling, swapping and drafts. The others
// decide what is in memory, and need a run from its beginning. Thread: any.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "vitrine/option_info.h"

namespace vitrine {

// By an option's key and page in engine_option_table.h.
constexpr bool mayChangeInRun(std::string_view key, OptionPage page) {
  constexpr auto kKeys =
      std::to_array<std::string_view>({"token_budget", "prefix_cache", "policy", "aging_steps", "preemption",
                                       "host_swap", "disk_swap", "swap_folder"});
  return page == OptionPage::kSpeculation || std::ranges::find(kKeys, key) != kKeys.end();
}

}  // namespace vitrine
