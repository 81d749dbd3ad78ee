// PackedCopies: the packed matrices of models, kept on disk from one start to the next.
//
// Packing passes over every weight; a copy is used as it lies. It is mapped, and all threads compare the
// checksum of each piece; behind close() a thread of low priority moves it into large pages, while the engine
// computes with it (mapped_copy.h). A copy is used only if its key, layout, sizes and checksums are right;
// else the matrix counts as missing, and close() has a new copy written.
//
// What close() begins to write is written by a thread that runs when the cores have nothing else to do
// (SCHED_IDLE), so no token waits for it. Copies come into being whole (vitrine/output_file.h), whatever
// happens to the process, and are never written to again. Two processes that write the same one write equal
// bytes, and the last one stays. Thread: one thread at a time. Read next: packed_index.h, copy_folder.h.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "backends/cpu/copy_folder.h"
#include "backends/cpu/mapped_copy.h"
#include "backends/cpu/packed_index.h"
#include "backends/weight_copies.h"
#include "core/thread_pool.h"

namespace vitrine::cpu {

class PackedCopies final : public WeightCopies {
 public:
  // The pool must outlive the object.
  PackedCopies(const std::filesystem::path& folder, Compute compute, ThreadPool& pool, CopyLimits limits = {})
      : m_folder(folder, limits), m_compute(compute), m_pool(pool) {}
  ~PackedCopies() override;

  void open(const CopyKey& key) override;
  std::unique_ptr<LinearWeight> find(const std::string& name, std::int64_t outFeatures,
                                     std::int64_t inFeatures) override;
  void add(const std::string& name, const LinearWeight& weight) override;
  PackedCopy close() override;
  std::string wait() override;

 private:
  struct Matrix {
    std::string name;
    std::int64_t inFeatures;
    std::vector<PanelSegment> segments;  // share their memory with the weight
  };
  // What a thread writes; it changes nothing that others see but `complaint`.
  struct Writing {
    std::filesystem::path place;
    std::string key;
    std::vector<Matrix> matrices;
    std::string complaint;  // once the thread has ended
    std::thread thread;
  };

  const CopyMatrix* matrixNamed(const std::string& name) const;
  bool isSound(const CopyPart& part);
  std::shared_ptr<void> placeOf(const CopyPart& part) const;  // null where it has no bytes
  void moveIntoMemory();
  void write(Writing& writing) const;
  void writeAll(Writing& writing) const;

  const CopyFolder m_folder;
  const Compute m_compute;
  ThreadPool& m_pool;

  std::filesystem::path m_place;  // of the model's copy; empty: none is open
  std::string m_key;
  std::shared_ptr<MappedCopy> m_copy;  // null: there is none, or none that can be used
  PackedIndex m_index;                 // of it
  std::map<std::string, std::size_t> m_matrixOf;
  std::vector<Matrix> m_matrices;  // found and added ones
  bool m_isMissed = false;         // some were added

  std::atomic<bool> m_givesUp = false;
  std::list<Writing> m_writings;
  std::list<std::thread> m_movers;
};

}  // namespace vitrine::cpu
