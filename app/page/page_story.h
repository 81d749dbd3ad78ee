// PageStory: a run as the page shows it. Events in; for any moment of the run, what a browser needs to show
// it: the machine's state in the page's words, and what the step decided, in sentences.
//
// The page computes nothing of this: states come from MachineState, sentences from vitrine/prose. Requires
// the events of a run in order; an EngineLoaded begins anew, a late joiner starts with a Snapshot behind it.
// Thread: a value. Read next: page_story.cpp, page_writer.h, app/server/page_feed.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "page/page_patch.h"
#include "vitrine/machine_state.h"
#include "vitrine/prose/event_prose.h"

namespace vitrine::page {

class PageStory {
 public:
  PageStory() = default;
  PageStory(const PageStory&) = delete;
  PageStory& operator=(const PageStory&) = delete;

  // Throws EngineError(kFileCorrupt) for an event that contradicts those before it.
  void add(const Event& event);

  bool isStepOpen() const { return m_isStepOpen; }
  const MachineState& state() const { return m_state; }

  // What does not change in a run: model, device, pool, names of the phases.
  Json header() const;
  // {"step", "digest", "headline", "why", "lanes", "figures"; "phase" within a step}: what the step, or its
  // beginning, did, and what came between it and the step before.
  Json account() const;
  // {"requests", "blocks", "pool", "swap"}: the machine after the last event.
  Json machine() const;

 private:
  struct Name {
    RequestId request = 0;
    int index = 0;
  };

  void noteName(const Event& event);
  std::string letterOf(SequenceId sequence) const;
  prose::Names names() const;
  Json lanes() const;
  Json why() const;
  Json requests() const;
  Json requestOf(const SequenceState& sequence, const RequestState& request) const;
  Json blocks() const;
  Json pool() const;
  Json swap() const;
  Json figures() const;

  EngineLoaded m_loaded;
  MachineState m_state;
  std::vector<Event> m_events;  // of the step shown, with what came between it and the step before
  bool m_isStepOpen = false;
  std::map<SequenceId, Name> m_names;  // also of sequences that are forgotten
};

}  // namespace vitrine::page
