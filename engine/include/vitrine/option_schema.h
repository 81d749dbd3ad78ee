// Visits every option of the engine and of a request with what is known about it.
//
// To add an option: a field in options.h or request.h, and its entry in engine_option_table.h or
// request_option_table.h. Everything that reads, checks, stores or shows options follows. Thread: values.
// Read next: option_info.h.
#pragma once

#include <tuple>

#include "vitrine/engine_option_table.h"
#include "vitrine/request_option_table.h"

namespace vitrine {

// visit(info, field) for each option of one struct; `field` is a pointer to member.
template <typename Owner, typename Visit>
constexpr void forEachOption(const Visit& visit) {
  std::apply([&](const auto&... option) { (visit(option.info, option.field), ...); },
             OptionTable<Owner>::list);
}

// visit(info, access) for each option; access(options) is its value in const or changing options.
template <typename Visit>
constexpr void forEachEngineOption(const Visit& visit) {
  forEachOption<EngineOptions>([&](const auto& info, auto field) {
    visit(
        info, [field](auto& options) -> auto& { return options.*field; });
  });
  forEachOption<SpeculationOptions>([&](const auto& info, auto field) {
    visit(
        info, [field](auto& options) -> auto& { return options.speculation.*field; });
  });
}
template <typename Visit>
constexpr void forEachRequestOption(const Visit& visit) {
  forEachOption<Request>([&](const auto& info, auto field) {
    visit(
        info, [field](auto& request) -> auto& { return request.*field; });
  });
  forEachOption<SamplingOptions>([&](const auto& info, auto field) {
    visit(
        info, [field](auto& request) -> auto& { return request.sampling.*field; });
  });
}

// visit(info, value) for each option, with its value in `options`, which may be const.
template <typename Options, typename Visit>
constexpr void visitEngineOptions(Options& options, const Visit& visit) {
  forEachEngineOption([&](const auto& info, const auto& access) { visit(info, access(options)); });
}
template <typename Options, typename Visit>
constexpr void visitRequestOptions(Options& request, const Visit& visit) {
  forEachRequestOption([&](const auto& info, const auto& access) { visit(info, access(request)); });
}
template <typename Options, typename Visit>
constexpr void visitSamplingOptions(Options& sampling, const Visit& visit) {
  forEachOption<SamplingOptions>([&](const auto& info, auto field) { visit(info, sampling.*field); });
}

// The options of one scope, as `from` has them.
inline void takeOptions(EngineOptions& options, const EngineOptions& from, OptionScope scope) {
  forEachEngineOption([&](const auto& info, const auto& access) {
    if (info.scope == scope) access(options) = access(from);
  });
}

}  // namespace vitrine
