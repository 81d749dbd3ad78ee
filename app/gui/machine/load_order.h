// LoadOrder: which machine the engine's thread is to make, and what it begins with. Thread: values. Read
// next: engine_worker.h.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/kv_pool.h"
#include "scenarios/timetable.h"
#include "vitrine/engine.h"
#include "vitrine/run_script.h"

namespace vitrine {

// A turn of a chat. The worker renders it and cuts it to the context, since the tokenizer is there.
struct ChatOrder {
  // kAsk: what does not fit is not submitted; what could go is told instead.
  enum class WhenFull : std::uint8_t { kForgetOldest, kAsk };

  Dialogue dialogue;  // a first system message always stays
  Request request;    // prompt and stop strings are filled in
  WhenFull whenFull = WhenFull::kForgetOldest;
};

// A recorded run goes on after one of its steps. Requests that it has after the step come again by
// themselves.
struct Resumption {
  std::shared_ptr<const RunScript> script;
  int step = 0;
  std::optional<EngineOptions> options;  // in force from there on; at step 0 they may be any
  bool ownRun = false;                   // the script is that of the machine that is loaded now
};

struct LoadOrder {
  std::filesystem::path model;
  EngineOptions options;
  std::vector<ChatOrder> staged;  // submitted after the load; left out without a tokenizer
  Timetable timetable;            // a scenario's requests and commands
  std::optional<Resumption> resumption;
  std::optional<KvShare> kvShare =
      {};  // for the KV pool, where the options leave it open; none: as the engine does
};

}  // namespace vitrine
