// Memory of the GPU, and the way of small lists from the host into it.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace vitrine::cuda {

// Zeros, in the stream's order; freed with the last copy of the pointer. Throws EngineError(kOutOfMemory).
std::shared_ptr<void> allocateDevice(std::int64_t bytes, cudaStream_t stream);
// What allocateDevice() holds in this process, in bytes, and the most of it since resetHeldPeak(). Thread:
// any.
struct HeldMemory {
  std::int64_t bytes = 0, peak = 0;
};
HeldMemory heldMemory();
void resetHeldPeak();
// Memory of the host that the GPU reads and writes by itself. Throws EngineError(kOutOfMemory).
std::shared_ptr<void> allocatePinned(std::int64_t bytes);
// The same; null where the system gives none.
std::shared_ptr<void> pinnedIfAny(std::int64_t bytes);

// Memory that is allocated anew, and the old one freed before, when more is wanted; what was in it is lost.
struct GrowingMemory {
  std::shared_ptr<void> memory;
  std::int64_t bytes = 0;

  template <class Allocate>
  void grow(std::int64_t wanted, const Allocate& allocate) {
    bytes = 0;
    memory = nullptr;
    memory = allocate(wanted);
    bytes = wanted;
  }
};

// Lists of numbers that a step's kernels read: token ids, positions, block tables.
//
// A copy from ordinary host memory would wait for the stream, so lists go by way of pinned memory, a ring of
// two pages with its counterpart on the device. A page is written anew when the copies out of it are done;
// what kernels read from the device is in the stream's order anyway. Thread: one at a time.
class ListUpload {
 public:
  explicit ListUpload(cudaStream_t stream);
  ~ListUpload();
  ListUpload(const ListUpload&) = delete;
  ListUpload& operator=(const ListUpload&) = delete;

  // In device memory, good for kernels that are launched before the next list.
  const std::int32_t* put(std::span<const std::int32_t> list);

 private:
  static constexpr int kPages = 2;
  struct Page {
    std::int64_t bytes = 0;
    std::shared_ptr<void> host, device;
    cudaEvent_t copied = nullptr;
  };
  void turn(std::int64_t bytes);

  const cudaStream_t m_stream;
  std::array<Page, kPages> m_pages;
  std::size_t m_page = 0;
  std::int64_t m_used = 0;  // bytes of the page
};

// The lists of a step, at one place of the device's memory, so that a recorded step finds the next ones
// there. Thread: one at a time.
class StepLists {
 public:
  explicit StepLists(cudaStream_t stream);
  ~StepLists();
  StepLists(const StepLists&) = delete;
  StepLists& operator=(const StepLists&) = delete;

  // Good until the next call. The address stays while lists fit: else waits for the stream and moves.
  const std::int32_t* put(std::span<const std::int32_t> list);

 private:
  static constexpr int kPages = 2;  // of pinned memory, so that one is written while the other is copied
  void makeRoom(std::int64_t bytes);

  const cudaStream_t m_stream;
  std::int64_t m_room = 0;
  std::shared_ptr<void> m_device;
  std::array<std::shared_ptr<void>, kPages> m_host;
  std::array<cudaEvent_t, kPages> m_copied = {};
  std::size_t m_page = 0;
};

}  // namespace vitrine::cuda
