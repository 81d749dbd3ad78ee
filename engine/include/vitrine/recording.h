// Recording: the events of a run, kept so that any step can be seen again, however long the run.
//
// Only the newest events lie in memory as they are. Every 64 steps, or 256 KiB, the recording stores them as
// a chunk: packed bytes, compressed, in an unnamed file of `folder` that vanishes with the program; without a
// folder, and while the disk is full, in memory. At most eight chunks in a row lack the state before their
// first event, so going back to a step reads nine chunks at most. Holds no model. Thread: one. Read next:
// trace.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vitrine/event_range.h"
#include "vitrine/machine_state.h"

namespace vitrine {

struct EventChunk;
class ChunkStore;

class Recording {
 public:
  static constexpr int kSnapshotInterval = 64;                        // steps
  static constexpr std::size_t kChunkBytes = std::size_t{256} << 10;  // packed, before compression

  struct Size {
    std::int64_t fileBytes = 0, memoryBytes = 0;  // of the stored chunks
    std::int64_t openEvents = 0;                  // of the newest chunk, which is not stored yet
  };

  explicit Recording(std::filesystem::path folder = {});
  ~Recording();

  // Events of one run in order. An EngineLoaded begins anew; a late joiner starts with a Snapshot. Returns
  // the event where the recording keeps it, valid until the next call; null for a later Snapshot, which is
  // redundant and left out. Throws EngineError(kFileCorrupt) for an event that contradicts the events before
  // it, and leaves it out.
  const Event* append(Event event);
  void clear();
  // For a branch, before its first step ends: the events that come next are those of `origin` behind its
  // EngineLoaded, up to the place `end`. Of these the branch stores nothing again: it shares the chunks, and
  // its own later ones lie in the same file.
  void sharePast(const Recording& origin, std::int64_t end);

  int lastStep() const { return m_live.step; }  // the latest finished or unfinished step; 0 before any
  int lastFinishedStep() const { return m_lastFinished; }
  int firstStep() const { return m_firstStep; }
  const MachineState& live() const { return m_live; }  // after the last event

  // What follows reads chunks, and throws EngineError (kIo, kFileCorrupt) when the disk has lost one.

  // The state when `step` had finished (firstStep(): before the next step began, with the requests submitted
  // by then). Requires firstStep() <= step <= lastFinishedStep().
  MachineState stateAt(int step) const;

  // A step's events: from the end of the step before to its own end, or to the last event when it has not
  // ended. For firstStep() the events before the next step started; these belong to that step as well. Empty
  // for other steps.
  EventRange eventsOf(int step) const;
  EventRange eventsSince(int step) const;  // the same, on to the last event; copied if a chunk ends between

  // Events by their place, 0 .. size() - 1.
  std::int64_t size() const;
  Event event(std::int64_t place) const;
  EventRange eventsFrom(std::int64_t place) const;          // from this place to the end of its chunk
  std::int64_t newestPlace() const { return m_openPlace; }  // of the first event that is not yet put away
  std::int64_t endOf(int step) const;                       // behind the last of eventsOf(step)
  void forEach(const std::function<void(const Event&)>& accept) const;  // all of them, in order

  Size bytes() const;
  // Why chunks lie in memory that should lie in the file; empty without a fault.
  const std::string& complaint() const;

 private:
  struct Packed;
  using ChunkPointer = std::shared_ptr<const EventChunk>;

  void beginChunk(int firstStep);
  void packNewest();
  const Packed* sharedChunk() const;
  ChunkPointer chunk(std::size_t index) const;     // m_packed.size(): the newest
  ChunkPointer eventsIn(std::size_t index) const;  // the same, perhaps without the state before them
  std::shared_ptr<EventChunk> unpacked(std::size_t index, bool withState) const;
  std::size_t indexOf(int step) const;
  std::int64_t firstPlaceOf(std::size_t index) const;

  std::shared_ptr<ChunkStore> m_store;  // also of the recordings that share chunks with this one
  std::vector<Packed> m_packed;
  std::vector<Packed> m_past;  // chunks of the origin, in their places
  std::shared_ptr<EventChunk> m_newest;
  std::int64_t m_openPlace = 0;  // of its first event
  struct Unpacked {
    std::size_t index = 0;
    ChunkPointer chunk;
  };
  mutable std::array<Unpacked, 2> m_unpacked;  // read last, the latest first
  mutable Unpacked m_passed;                   // read last by its events alone
  MachineState m_live;
  std::int32_t m_run = 0;
  int m_firstStep = 0, m_lastFinished = 0;
  // A chunk stores its state when the chunks since the last stored state weigh more.
  std::size_t m_snapshotBytes = 0, m_bytesSinceSnapshot = 0;
  int m_chunksSinceSnapshot = 0;
};

}  // namespace vitrine
