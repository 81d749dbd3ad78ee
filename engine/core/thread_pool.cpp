#include "core/thread_pool.h"

#include <string>
#include <system_error>

#include "vitrine/error.h"

namespace vitrine {
namespace {

// Some thirty microseconds in all: longer than the pause between two operations of a decoder, and short
// enough that spinning after the last of them costs little. The second part yields, since the awaited thread
// may be waiting for this very core.
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
    for (int part = 1; part < m_threads; ++part) m_workers.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    stop();
    throw EngineError(ErrorCode::kOutOfMemory,
                      "cannot start " + std::to_string(m_threads) + " threads: " + error.what(),
                      "ask for fewer");
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  m_stopping.store(true, std::memory_order_relaxed);
  m_round.fetch_add(1, std::memory_order_release);
  m_round.notify_all();
  for (std::thread& worker : m_workers) worker.join();
}

void ThreadPool::share(const Job& job) {
  m_job = job;
  m_unfinished.store(static_cast<std::uint32_t>(job.parts), std::memory_order_relaxed);
  const std::uint32_t round = m_round.load(std::memory_order_relaxed) + 1;
  m_ticket.store(std::uint64_t{round} << 32 | static_cast<std::uint64_t>(job.parts) << 16,
                 std::memory_order_release);
  m_round.store(round, std::memory_order_release);
  m_round.notify_all();
  while (runNextPart()) {
  }
  for (std::uint32_t left; (left = m_unfinished.load(std::memory_order_acquire)) != 0;)
    waitWhile(m_unfinished, left);
}

// Takes a part if one is open. A thread that comes late finds the ticket used up, or of another round, in
// which case the exchange fails and it looks again; so it never reads a job that is being replaced.
bool ThreadPool::runNextPart() {
  std::uint64_t ticket = m_ticket.load(std::memory_order_acquire);
  do {
    if ((ticket & 0xFFFF) >= (ticket >> 16 & 0xFFFF)) return false;
  } while (!m_ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel,
                                           std::memory_order_acquire));
  const auto part = static_cast<std::int64_t>(ticket & 0xFFFF);
  // quotient and remainder, not count * part / parts: that product may overflow
  const std::int64_t length = m_job.count / m_job.parts, rest = m_job.count % m_job.parts;
  const std::int64_t begin = length * part + std::min(part, rest);
  m_job.run(m_job.context, begin, begin + length + (part < rest ? 1 : 0), static_cast<int>(part));
  if (m_unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1) m_unfinished.notify_one();
  return true;
}

void ThreadPool::work() {
  for (std::uint32_t round = 0;;) {
    waitWhile(m_round, round);
    round = m_round.load(std::memory_order_acquire);
    if (m_stopping.load(std::memory_order_relaxed)) return;
    while (runNextPart()) {
    }
  }
}

}  // namespace vitrine
