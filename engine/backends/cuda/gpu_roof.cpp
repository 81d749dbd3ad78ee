// What the GPU can do at most: copies within working sets of several sizes, and a product of large square
// matrices with the kernels that compute the model's.
#include <algorithm>
#include <limits>
#include <vector>

#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/visible_gpu.h"
#include "backends/roof_readings.h"
#include "core/mix.h"

namespace vitrine::cuda {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kSide = 4096;               // of the matrices
constexpr std::int64_t kLeastCopied = 512 * kMiB;  // in a pass, so that its launch is nothing beside it
constexpr int kRounds = 5;

RoofPeak peakOf(DType activations) {
  if (activations == DType::kF32) return RoofPeak::kF32Products;
  return activations == DType::kBf16 ? RoofPeak::kBf16Products : RoofPeak::kF16Products;
}

// Times of work on a stream, by the GPU's own clock.
class Stopwatch {
 public:
  explicit Stopwatch(cudaStream_t stream) : m_stream(stream) {
    check(cudaEventCreate(&m_began), "an event");
    check(cudaEventCreate(&m_ended), "an event");
  }
  ~Stopwatch() {
    cudaEventDestroy(m_began);
    cudaEventDestroy(m_ended);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  // The least time of a few passes, in nanoseconds: a limit is what is reached undisturbed. The first pass
  // does not count.
  template <class Work>
  double leastNs(const Work& work) const {
    constexpr int kPasses = 4;
    double least = std::numeric_limits<double>::max();
    for (int pass = 0; pass < kPasses; ++pass) {
      check(cudaEventRecord(m_began, m_stream), "an event");
      work();
      check(cudaEventRecord(m_ended, m_stream), "an event");
      check(cudaEventSynchronize(m_ended), "measuring");
      float ms = 0;
      check(cudaEventElapsedTime(&ms, m_began, m_ended), "measuring");
      if (pass > 0) least = std::min(least, std::max(static_cast<double>(ms) * 1e6, 1.0));
    }
    return least;
  }

 private:
  const cudaStream_t m_stream;
  cudaEvent_t m_began = nullptr, m_ended = nullptr;
};

// [rows, kSide] numbers as a model has them. With zeros a chip may run at another clock.
std::vector<float> someRows(std::int64_t rows) {
  std::vector<float> numbers(static_cast<std::size_t>(rows * kSide));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(mixBits(i + kGoldenRatio) >> 40) / static_cast<float>(1 << 23) - 1;
  return numbers;
}

}  // namespace

std::optional<MachineRoof> CudaBackend::measureRoof(std::int64_t modelBytes, const RoofProgress& progress) {
  MachineRoof roof;
  roof.instructions = m_device;
  roof.secondCache = m_gpu.secondCache;
  roof.peak = peakOf(m_activations);
  tellRoofProgress(progress, 0);
  finishNorm();
  const std::int64_t wanted = std::clamp(16 * roof.secondCache, 512 * kMiB, 2048 * kMiB);
  // A KV pool may have left little.
  const std::int64_t room = memoryOfGpu().freeBytes / 2;
  chooseReadings(roof, modelBytes, std::max(std::min(wanted, room), 64 * kMiB) / kMiB * kMiB);
  measureCopies(roof, progress);
  measureProduct(roof, progress);
  tellRoofProgress(progress, 1);
  return roof;
}

// A reading's working set is what is read and what is written.
void CudaBackend::measureCopies(MachineRoof& roof, const RoofProgress& progress) {
  const Stopwatch watch(m_stream);
  const std::shared_ptr<void> from = allocateDevice(roof.readings.back().bytes / 2, m_stream),
                              to = allocateDevice(roof.readings.back().bytes / 2, m_stream);
  for (int round = 0; round < kRounds; ++round) {
    tellRoofProgress(progress, (1.0 + round) / (2 + kRounds));
    for (RoofReading& reading : roof.readings) {
      constexpr std::int64_t kAligned = 512;
      const std::int64_t copied = std::max<std::int64_t>(reading.bytes / 2 / kAligned, 1) * kAligned;
      const auto times = static_cast<int>(std::max<std::int64_t>(1, kLeastCopied / copied));
      const double ns = watch.leastNs([&] {
        copyRepeatedly(from.get(), to.get(), copied, times, m_gpu, m_queue);
        checkLaunch("a copy");
      });
      reading.gbps = std::max(reading.gbps, 2.0 * static_cast<double>(copied) * times / ns);
    }
  }
}

void CudaBackend::measureProduct(MachineRoof& roof, const RoofProgress& progress) {
  constexpr std::int64_t kPart = 256;  // rows that are made on the host, and stand there again and again
  const Stopwatch watch(m_stream);
  std::vector<float> numbers = someRows(kPart);
  const TensorView part(numbers.data(), DType::kF32, {kPart, kSide});
  const auto weight = packLinear(std::vector<TensorView>(kSide / kPart, part), WeightFormat::kF32);
  const Tensor x = allocate(m_activations, {kSide, kSide}), out = allocate(m_activations, {kSide, kSide}),
               onDevice = upload(part);
  for (std::int64_t row = 0; row < kSide; row += kPart)
    convert(onDevice.view(), x.view().rows(row, kPart), m_queue);
  checkLaunch("a conversion");
  for (int round = 0; round < kRounds; ++round) {
    const double ns = watch.leastNs([&] { linear(x.view(), *weight, {}, out.view()); });
    roof.gflops = std::max(roof.gflops, 2.0 * kSide * kSide * kSide / ns);
  }
  tellRoofProgress(progress, (1.0 + kRounds) / (2 + kRounds));
}

}  // namespace vitrine::cuda
