// The structs of options as events carry them, under the keys of the schema (vitrine/option_schema.h).
//
// Everything else describes itself beside its struct (vitrine/description.h). Read next: json_fields.h.
#pragma once

#include "vitrine/description.h"
#include "vitrine/option_schema.h"

namespace vitrine {

template <>
struct Description<SpeculationOptions> {
  static constexpr const char* kName = "speculation_options";
  template <typename Visitor>
  static constexpr void fields(Visitor&& field) {
    forEachOption<SpeculationOptions>([&](const auto& info, auto member) { field(info.key, member); });
  }
};
template <>
struct Description<SamplingOptions> {
  static constexpr const char* kName = "sampling_options";
  template <typename Visitor>
  static constexpr void fields(Visitor&& field) {
    forEachOption<SamplingOptions>([&](const auto& info, auto member) { field(info.key, member); });
  }
};

}  // namespace vitrine
