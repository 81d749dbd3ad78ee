#include "core/thread_pool.h"

#include <string>
#include <system_error>

#include "vitrine/error.h"

namespace vitrine {
namespace {

// Some thirty microseconds in all: longer than the pause between two operations of a decoder, shorter than
// anyone would mind a core being busy after the last of them. The second part yields, since the thread one
// waits for may be waiting for this very core.
constexpr int kSpins = 200, kYields = 50;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb");
#endif
}

// Returns once `value` is no longer `old`.
void waitWhile(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int i = 0; i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  for (int i = 0; i < kYields; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads < 0 || threads > kMaxThreads)
    throw EngineError(ErrorCode::kInvalidArgument, "threads " + std::to_string(threads) + " is out of range",
                      "use 0 for one thread a core, or a number up to " + std::to_string(kMaxThreads));
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  m_threads = threads > 0 ? threads : std::clamp(cores, 1, kMaxThreads);
  try {
    for (int part = 1; part < m_threads; ++part) m_workers.emplace_back([this, part] { work(part); });
  } catch (const std::system_error& error) {
    stop();
    throw EngineError(ErrorCode::kOutOfMemory,
                      "cannot start " + std::to_string(m_threads) + " threads: " + error.what(),
                      "ask for fewer");
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  m_job = {};
  m_round.fetch_add(1, std::memory_order_release);
  m_round.notify_all();
  for (std::thread& worker : m_workers) worker.join();
}

// Every worker answers every round, those without a part too: so none can still be looking at this job when
// the next is written.
void ThreadPool::share(const Job& job) {
  m_job = job;
  m_busy.store(static_cast<std::uint32_t>(m_workers.size()), std::memory_order_relaxed);
  m_round.fetch_add(1, std::memory_order_release);
  m_round.notify_all();
  runPart(0);
  for (std::uint32_t busy; (busy = m_busy.load(std::memory_order_acquire)) != 0;) waitWhile(m_busy, busy);
}

void ThreadPool::runPart(int part) const {
  if (part >= m_job.parts) return;
  // quotient and remainder, not count * part / parts: that product may overflow
  const std::int64_t length = m_job.count / m_job.parts, rest = m_job.count % m_job.parts;
  const std::int64_t begin = length * part + std::min<std::int64_t>(part, rest);
  m_job.run(m_job.context, begin, begin + length + (part < rest ? 1 : 0), part);
}

void ThreadPool::work(int part) {
  for (std::uint32_t round = 0;;) {
    waitWhile(m_round, round);
    ++round;
    if (m_job.parts == 0) return;
    runPart(part);
    // The caller waits for every change of m_busy, but only the last one lets it go on.
    if (m_busy.fetch_sub(1, std::memory_order_acq_rel) == 1) m_busy.notify_one();
  }
}

}  // namespace vitrine
