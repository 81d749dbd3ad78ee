// The structs of options as events carry them, under the keys of the schema (vitrine/option_schema.h), and
// the events that carry the options of the engine. An option of the table is a field of these events: nothing
// is listed twice, and no trace lacks one.
//
// Everything else describes itself beside its struct (vitrine/description.h). Read next: json_fields.h.
#pragma once

#include <string_view>

#include "vitrine/description.h"
#include "vitrine/events/loading.h"
#include "vitrine/events/requests.h"
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

// An option's field in an event: its key, unless a field of version 3 of a trace has that name for something
// else, or the option another name.
constexpr const char* fieldOfOption(const char* key) {
  const std::string_view name = key;
  if (name == "device") return "asked_device";
  if (name == "threads") return "asked_threads";
  if (name == "kv_dtype") return "kv_type";
  if (name == "n") return "sequences";
  return key;
}

// The fields of Event::options: those of `least` and of what holds less long.
template <typename Event, typename Visitor>
constexpr void optionFields(OptionScope least, Visitor& field) {
  forEachOption<EngineOptions>([&](const auto& info, auto member) {
    if (info.scope >= least) field(fieldOfOption(info.key), nested(&Event::options, member));
  });
  field("speculation", nested(&Event::options, &EngineOptions::speculation));
}

template <>
struct Description<RequestSubmitted> {
  using T = RequestSubmitted;
  static constexpr const char* kName = "request_submitted";
  static constexpr EventInfo kInfo = {kName, EventKind::kRequest, EventRole::kReport};
  template <typename Visitor>
  static constexpr void fields(Visitor&& field) {
    field("request", &T::request);
    field("name", nested(&T::asked, &Request::name));
    field("prompt", nested(&T::asked, &Request::prompt));
    field("token_ids", nested(&T::asked, &Request::tokenIds));
    field("pieces", &T::pieces);
    field("sampling", nested(&T::asked, &Request::sampling));
    field("first_sequence", &T::firstSequence);
    field("rank", &T::rank);
    forEachOption<Request>(
        [&](const auto& info, auto member) { field(fieldOfOption(info.key), nested(&T::asked, member)); });
    field("output_ids", nested(&T::asked, &Request::outputIds));
    field("output_text", &T::outputText);
  }
};
template <>
struct Description<EngineLoaded> {
  using T = EngineLoaded;
  static constexpr const char* kName = "engine_loaded";
  static constexpr EventInfo kInfo = {kName, EventKind::kEngine, EventRole::kReport};
  template <typename Visitor>
  static constexpr void fields(Visitor&& field) {
    field("model", &T::model);
    field("backend", &T::backend);
    field("device", &T::device);
    field("threads", &T::threads);
    field("bytes_per_block", &T::bytesPerBlock);
    optionFields<T>(OptionScope::kLoad, field);
    field("kept_tokens", &T::keptTokens);
    field("fitting_sequences", &T::fittingSequences);
    field("load_ms", &T::loadMs);
    field("host_swap_blocks", &T::hostSwapBlocks);
    field("disk_swap_blocks", &T::diskSwapBlocks);
    field("stale_swap_files", &T::staleSwapFiles);
    field("inputs_recorded", &T::inputsRecorded);
    field("branch_of_run", &T::branchOfRun);
    field("branch_step", &T::branchStep);
    field("ignored_tensors", &T::ignoredTensors);
    field("packed_copy", &T::packedCopy);
    field("server", &T::server);
  }
};
template <>
struct Description<OptionsChanged> {
  using T = OptionsChanged;
  static constexpr const char* kName = "options_changed";
  static constexpr EventInfo kInfo = {kName, EventKind::kEngine, EventRole::kReport};
  template <typename Visitor>
  static constexpr void fields(Visitor&& field) {
    optionFields<T>(OptionScope::kStep, field);
    field("host_swap_blocks", &T::hostSwapBlocks);
    field("disk_swap_blocks", &T::diskSwapBlocks);
    field("ranks", &T::ranks);
  }
};

}  // namespace vitrine
