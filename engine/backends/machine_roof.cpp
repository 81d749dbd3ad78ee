// The processor's limits, measured with our kernels' vectors and threads.
#include "vitrine/machine_roof.h"

#include <sched.h>

#include <atomic>
#include <limits>
#include <thread>

#include "backends/cpu/bf16_products.h"
#include "backends/cpu/cache_sizes.h"
#include "backends/cpu/host_memory.h"
#include "backends/cpu/int8_products.h"
#include "backends/cpu/kernels.h"
#include "backends/roof_readings.h"
#include "core/engine_clock.h"
#include "core/thread_pool.h"

namespace vitrine {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
// The measurements take turns, so that each has its moments on a machine that does something else, too.
constexpr int kRounds = 6;
constexpr std::int64_t kTurnNs = 30'000'000;
constexpr std::int64_t kTurnsOfMultiplyAdds = 1 << 17;  // a pass of one to five milliseconds
// By a thread in a pass: at least so much of what lies in a cache, and at most so much of the memory, whose
// speed jumps within a millisecond on a shared machine.
constexpr std::int64_t kLeastBytesRead = 8 * kMiB, kMostBytesRead = 64 * kMiB;

// Moves the calling thread, one of as many as there are processors or more, to the `index`-th of them, where
// it may stay: on a busy machine several would share one for a while. Fewer threads find idle ones.
void spread(int index, int threads) {
  cpu_set_t allowed, one;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const int count = CPU_COUNT(&allowed);
  if (threads < count) return;
  for (int processor = 0, seen = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed) || seen++ != index % count) continue;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) sched_setaffinity(0, sizeof allowed, &allowed);
  }
}

// Multiply-adds of an arithmetic, as a set of kernels has them.
struct MultiplyAdds {
  std::int64_t perTurn;
  float (*run)(std::int64_t turns);
};

// A ceiling that is to be measured, with the instructions that the CPU's products use.
struct CeilingOfProducts {
  RoofCeiling ceiling;
  MultiplyAdds multiplyAdds;
};

std::vector<CeilingOfProducts> ceilingsOf(Compute compute) {
  const std::optional<RoofPeak> peak = peakOfProducts(compute);
  if (!peak) return {};
  const auto of = [&](const auto& kernels) -> std::vector<CeilingOfProducts> {
    return {{{*peak, 0, kernels.name}, {kernels.multiplyAddsPerTurn, kernels.multiplyAdds}}};
  };
  return compute == Compute::kInt8 ? of(*cpu::int8Kernels().front()) : of(*cpu::bf16Kernels().front());
}

class RoofMeter {
 public:
  RoofMeter(int threads, std::int64_t modelBytes, const RoofProgress& progress, Compute compute)
      : m_pool(threads), m_modelBytes(modelBytes), m_progress(progress), m_ceilings(ceilingsOf(compute)) {}

  MachineRoof measure() {
    MachineRoof roof{cpu::instructionSet(),
                     m_pool.threads(),
                     0,
                     {},
                     cpu::cacheBytes(2, m_pool.threads()),
                     cpu::cacheBytes(3, m_pool.threads())};
    tellRoofProgress(m_progress, 0);
    const std::int64_t largest = std::max(roof.secondCache, roof.thirdCache);
    chooseReadings(roof, m_modelBytes, std::clamp(4 * largest, 256 * kMiB, 1024 * kMiB));
    makeBuffer(roof.readings.back().bytes);
    for (int round = 0; round < kRounds; ++round) {
      tellRoofProgress(m_progress, (1.0 + round) / (1 + kRounds));
      roof.gflops = std::max(roof.gflops, peak({m_kernels.multiplyAddsPerTurn, m_kernels.multiplyAdd}));
      for (CeilingOfProducts& one : m_ceilings)
        one.ceiling.gflops = std::max(one.ceiling.gflops, peak(one.multiplyAdds));
      for (RoofReading& reading : roof.readings)
        reading.gbps = std::max(reading.gbps, bandwidth(reading.bytes));
    }
    for (CeilingOfProducts& one : m_ceilings) roof.products.push_back(std::move(one.ceiling));
    tellRoofProgress(m_progress, 1);
    return roof;
  }

 private:
  // Written by the threads that will read it: fresh pages are all one page of zeros until then.
  void makeBuffer(std::int64_t bytes) {
    const std::int64_t factors[] = {bytes}, floats = bytes / std::int64_t{sizeof(float)};
    m_buffer = cpu::allocateBytes(factors, "measuring the memory's bandwidth");
    m_pool.parallelFor(floats, 1, [&](std::int64_t begin, std::int64_t end, int) {
      std::fill(buffer() + begin, buffer() + end, 1.0f);
    });
  }
  float* buffer() const { return static_cast<float*>(m_buffer.get()); }

  // The least time of a pass, in nanoseconds: a limit is what is reached undisturbed. `share` is called with
  // the number of each thread.
  template <typename Share>
  double leastNs(const Share& share) {
    together([this](int part) { spread(part, m_pool.threads()); });
    const std::int64_t beganNs = steadyNowNs();
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    do {
      least = std::min(least, std::max<std::int64_t>(passNs(share), 1));
    } while (steadyNowNs() - beganNs < kTurnNs);
    return static_cast<double>(least);
  }

  // From when the first thread began to when the last one was done.
  template <typename Share>
  std::int64_t passNs(const Share& share) {
    together([&](int part) {
      Times& times = m_times[static_cast<std::size_t>(part)];
      times.beganNs = steadyNowNs();
      times.result = share(part);
      times.endedNs = steadyNowNs();
    });
    ++m_passes;
    return std::ranges::max(m_times, {}, &Times::endedNs).endedNs -
           std::ranges::min(m_times, {}, &Times::beganNs).beganNs;
  }

  // Each thread does its work when all are there: otherwise one that is awake would take the work of one that
  // is not, and two cores would measure as one.
  template <typename Work>
  void together(const Work& work) {
    std::atomic<int> arrived = 0;
    m_pool.parallelFor(m_pool.threads(), 1, [&](std::int64_t, std::int64_t, int part) {
      for (++arrived; arrived.load() < m_pool.threads();) std::this_thread::yield();
      work(part);
    });
  }

  // GFLOP/s.
  double peak(const MultiplyAdds& of) {
    const double ns = leastNs([&](int) { return of.run(kTurnsOfMultiplyAdds); });
    return 2 * static_cast<double>(m_pool.threads() * kTurnsOfMultiplyAdds * of.perTurn) / ns;
  }

  // GB/s. Each thread reads its own share of the first `bytes` of the buffer from its beginning to its end,
  // again and again: in a pass a few times if the share is small, and a part after another if it is large. It
  // first reads all of it once, so that a cache holds what it can of its end, and nothing of other turns.
  double bandwidth(std::int64_t bytes) {
    const std::int64_t threads = m_pool.threads(), line = cpu::kStreamFloats * std::int64_t{sizeof(float)};
    const std::int64_t shareBytes = std::max<std::int64_t>(bytes / threads / line, 1) * line;
    const std::int64_t partBytes = std::min(shareBytes, kMostBytesRead), parts = shareBytes / partBytes;
    const std::int64_t share = shareBytes / std::int64_t{sizeof(float)},
                       part = partBytes / std::int64_t{sizeof(float)};
    const std::int64_t times = std::max<std::int64_t>(1, kLeastBytesRead / partBytes);
    together([&](int thread) {
      m_times[static_cast<std::size_t>(thread)].result = m_kernels.sum(buffer() + thread * share, share);
    });
    m_passes = 0;
    const double ns = leastNs([&](int thread) {
      const float* const from = buffer() + thread * share + m_passes % parts * part;
      float sum = 0;
      for (std::int64_t time = 0; time < times; ++time) sum += m_kernels.sum(from, part);
      return sum;
    });
    return static_cast<double>(partBytes * threads * times) / ns;
  }

  struct alignas(64) Times {  // of one thread; a cache line, since all write theirs at once
    std::int64_t beganNs = 0, endedNs = 0;
    float result = 0;  // stored, since the compiler leaves out a sum that is not used
  };

  ThreadPool m_pool;
  const std::int64_t m_modelBytes;
  const RoofProgress& m_progress;
  const cpu::RoofKernels& m_kernels = cpu::roofKernels();
  std::vector<CeilingOfProducts> m_ceilings;
  std::vector<Times> m_times = std::vector<Times>(static_cast<std::size_t>(m_pool.threads()));
  std::shared_ptr<void> m_buffer;
  std::int64_t m_passes = 0;
};

}  // namespace

MachineRoof measureRoof(int threads, std::int64_t modelBytes, const RoofProgress& progress, Compute compute) {
  return RoofMeter(threads, modelBytes, progress, compute).measure();
}

}  // namespace vitrine
