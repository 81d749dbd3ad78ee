#include "backends/cuda/device_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "backends/cuda/cuda_errors.h"

namespace vitrine::cuda {
namespace {

constexpr std::int64_t kPageBytes = std::int64_t{1} << 18;
constexpr std::int64_t kAlignment = 256;

std::atomic<std::int64_t> s_held = 0, s_peak = 0;  // bytes

void hold(std::int64_t bytes) {
  const std::int64_t now = s_held += bytes;
  for (std::int64_t peak = s_peak; peak < now && !s_peak.compare_exchange_weak(peak, now);) {
  }
}

// Null where the result is an error.
std::shared_ptr<void> pinned(std::int64_t bytes, cudaError_t& result) {
  void* memory = nullptr;
  result = cudaMallocHost(&memory, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)));
  if (result != cudaSuccess) return nullptr;
  return {memory, [](void* at) { cudaFreeHost(at); }};
}

}  // namespace

HeldMemory heldMemory() { return {s_held, s_peak}; }
void resetHeldPeak() { s_peak = s_held.load(); }

std::shared_ptr<void> allocateDevice(std::int64_t bytes, cudaStream_t stream) {
  void* memory = nullptr;
  // An empty tensor has an address too: a view without one would mean "no tensor".
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  checkAllocation(cudaMalloc(&memory, size), bytes);
  hold(static_cast<std::int64_t>(size));
  std::shared_ptr<void> owner(memory, [size](void* at) {
    cudaFree(at);
    s_held -= static_cast<std::int64_t>(size);
  });
  check(cudaMemsetAsync(memory, 0, size, stream), "clearing memory");
  return owner;
}

std::shared_ptr<void> allocatePinned(std::int64_t bytes) {
  cudaError_t result = cudaSuccess;
  std::shared_ptr<void> memory = pinned(bytes, result);
  checkAllocation(result, bytes);
  return memory;
}

std::shared_ptr<void> pinnedIfAny(std::int64_t bytes) {
  cudaError_t result = cudaSuccess;
  std::shared_ptr<void> memory = pinned(bytes, result);
  if (result != cudaSuccess) cudaGetLastError();  // no error of the next launch
  return memory;
}

ListUpload::ListUpload(cudaStream_t stream) : m_stream(stream) {
  for (Page& page : m_pages)
    check(cudaEventCreateWithFlags(&page.copied, cudaEventDisableTiming), "an event");
}

ListUpload::~ListUpload() {
  for (const Page& page : m_pages) {
    cudaEventSynchronize(page.copied);
    cudaEventDestroy(page.copied);
  }
}

// Makes the next page the one to write, with room for `bytes`.
void ListUpload::turn(std::int64_t bytes) {
  check(cudaEventRecord(m_pages[m_page].copied, m_stream), "an event");
  m_page = (m_page + 1) % kPages;
  m_used = 0;
  Page& page = m_pages[m_page];
  check(cudaEventSynchronize(page.copied), "a copy to the GPU");
  if (page.bytes >= bytes) return;
  check(cudaStreamSynchronize(m_stream), "a step");  // kernels may still read the smaller page
  page = {.bytes = 0, .host = nullptr, .device = nullptr, .copied = page.copied};
  const std::int64_t room = std::max(bytes, kPageBytes);
  page.host = allocatePinned(room);
  page.device = allocateDevice(room, m_stream);
  page.bytes = room;
}

StepLists::StepLists(cudaStream_t stream) : m_stream(stream) {
  for (cudaEvent_t& event : m_copied)
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "an event");
}

StepLists::~StepLists() {
  cudaStreamSynchronize(m_stream);
  for (cudaEvent_t event : m_copied) cudaEventDestroy(event);
}

void StepLists::makeRoom(std::int64_t bytes) {
  if (bytes <= m_room) return;
  check(cudaStreamSynchronize(m_stream), "a step");
  m_room = 0;
  const std::int64_t room = std::max(2 * bytes, kPageBytes);
  for (std::shared_ptr<void>& page : m_host) {
    page = nullptr;
    page = allocatePinned(room);
  }
  m_device = nullptr;
  m_device = allocateDevice(room, m_stream);
  m_room = room;
}

const std::int32_t* StepLists::put(std::span<const std::int32_t> list) {
  makeRoom(static_cast<std::int64_t>(list.size_bytes()));
  m_page = (m_page + 1) % kPages;
  check(cudaEventSynchronize(m_copied[m_page]), "a copy to the GPU");
  void* const host = m_host[m_page].get();
  std::memcpy(host, list.data(), list.size_bytes());
  check(cudaMemcpyAsync(m_device.get(), host, list.size_bytes(), cudaMemcpyHostToDevice, m_stream),
        "a copy to the GPU");
  check(cudaEventRecord(m_copied[m_page], m_stream), "an event");
  return static_cast<const std::int32_t*>(m_device.get());
}

const std::int32_t* ListUpload::put(std::span<const std::int32_t> list) {
  const auto bytes = static_cast<std::int64_t>(list.size_bytes());
  if (m_used + bytes > m_pages[m_page].bytes) turn(bytes);
  const Page& page = m_pages[m_page];
  std::int32_t* const host =
      static_cast<std::int32_t*>(page.host.get()) + m_used / static_cast<std::int64_t>(sizeof(std::int32_t));
  std::int32_t* const device = static_cast<std::int32_t*>(page.device.get()) +
                               m_used / static_cast<std::int64_t>(sizeof(std::int32_t));
  if (bytes > 0) {
    std::memcpy(host, list.data(), list.size_bytes());
    check(cudaMemcpyAsync(device, host, list.size_bytes(), cudaMemcpyHostToDevice, m_stream),
          "a copy to the GPU");
  }
  m_used += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  return device;
}

}  // namespace vitrine::cuda
