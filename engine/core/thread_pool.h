// ThreadPool: a few threads that share a loop, for kernels that run in tens of microseconds.
//
// parallelFor() cuts [0, count) into as many contiguous parts as there are threads: the cut depends on count
// alone and nothing is allocated. Any thread that is awake takes the next part, the caller too: on a busy
// machine it does the work of a thread that got no core in time instead of waiting for it. Idle threads spin
// for a moment, since the next loop usually comes at once, and then sleep, since a chat is mostly silence.
// Thread: parallelFor() from one thread at a time, and not from inside a loop's body. Invariant: when
// parallelFor() returns every part has run, and what the parts wrote is visible.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace vitrine {

class ThreadPool {
 public:
  // The most cores that a machine has today; more is an error of the caller.
  static constexpr int kMaxThreads = 1024;

  // Threads in all, the caller's included; 0: one for each core. Throws EngineError: kInvalidArgument outside
  // 0..kMaxThreads, kOutOfMemory when the system gives no more threads.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return m_threads; }

  // Calls body(begin, end, part) for the parts of [0, count), each at least `grain` long where count allows
  // it; 0 <= part < threads(), no two at once with the same number. A body that throws ends the program.
  template <typename Body>
  void parallelFor(std::int64_t count, std::int64_t grain, Body&& body) {
    const std::int64_t wanted = std::min<std::int64_t>(m_threads, count / std::max<std::int64_t>(grain, 1));
    if (count <= 0) return;
    Job job;
    job.run = [](void* context, std::int64_t begin, std::int64_t end, int part) noexcept {
      (*static_cast<std::remove_reference_t<Body>*>(context))(begin, end, part);
    };
    job.context = const_cast<void*>(static_cast<const void*>(&body));
    job.count = count;
    job.parts = static_cast<int>(std::max<std::int64_t>(wanted, 1));
    if (job.parts == 1)
      job.run(job.context, 0, count, 0);
    else
      share(job);
  }

 private:
  struct Job {
    void (*run)(void*, std::int64_t, std::int64_t, int) noexcept = nullptr;
    void* context = nullptr;
    std::int64_t count = 0;
    int parts = 0;
  };

  void share(const Job& job);
  bool runNextPart();
  void work();
  void stop();

  int m_threads = 1;
  // Written while no part is open, read only by a thread that has taken one: the ticket orders the two.
  Job m_job;
  std::atomic<std::uint64_t> m_ticket = 0;      // round << 32 | parts << 16 | next part to be taken
  std::atomic<std::uint32_t> m_unfinished = 0;  // parts of this round
  std::atomic<std::uint32_t> m_round = 0;       // what idle threads watch
  std::atomic<bool> m_stopping = false;
  std::vector<std::thread> m_workers;
};

}  // namespace vitrine
