// A step's operations become a list, and one kernel carries it out.
#include "backends/cuda/step_program.h"

#include <algorithm>
#include <cstring>

#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/device_memory.h"
#include "backends/cuda/shared_memory.cuh"
#include "backends/cuda/step_worker.cuh"

namespace vitrine::cuda {
namespace {

template <class T, class Weights>
__global__ void __launch_bounds__(kAllThreads, 1) stepKernel(const __grid_constant__ Program<T> program) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ uint4 memory[];
  __shared__ Kept<T> kept;
  const int thread = static_cast<int>(threadIdx.x), stages = program.places.stages;
  for (int i = thread; i < kWarps * stages; i += kAllThreads) {
    initBarrier(&kept.arrivals[i / stages][i % stages], 1);
    initBarrier(&kept.departures[i / stages][i % stages], 1);
  }
  if (thread == 0) initBarrier(&kept.normArrival, 1);
  if (thread < kSteps) initBarrier(&kept.stepArrivals[thread], 1);
  fenceProxies();
  __syncthreads();
  // As many registers as all warps began with, for those that compute.
  if (thread < kThreads) {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 104;");
    Worker<T, Weights>(program, kept, memory).run();
  } else {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 64;");
    // As many rings for each of the four warps, so that none of the multiprocessor's quarters waits for them
    // alone.
    constexpr int kEach = kWarps / (kWarpgroup / kWarp);
    if (const int ring = thread % kWarp * kEach + (thread - kThreads) / kWarp; thread % kWarp < kEach)
      WeightStream<Weights>(program.matrices, program.matrixCount, ring, stages,
                            memory + ring * stages * kStageVectors<Weights>, kept.arrivals[ring],
                            kept.departures[ring])
          .run();
  }
#else
  __trap();  // launched where there are warpgroups
#endif
}

template <class Value>
void append(std::vector<std::byte>& list, const Value& value) {
  const std::size_t at = list.size();
  list.resize(at + sizeof(Value));
  std::memcpy(list.data() + at, &value, sizeof(Value));
}

int roundedUp(std::int64_t bytes) {
  constexpr std::int64_t kUnit = 128;
  return static_cast<int>((bytes + kUnit - 1) / kUnit * kUnit);
}

// Where there is room for no ring at all, no stages.
template <class T, class Weights>
SharedPlaces placesFor(int rows, std::int64_t inputs, std::int64_t normed, const Gpu& gpu) {
  const std::int64_t words = (inputs + kTileInputs - 1) / kTileInputs * kTileWords;
  const int x = roundedUp((rows + 1) / 2 * (2 * words + 4) * 4), floats = roundedUp(rows * normed * 4);
  const int partial = roundedUp(std::int64_t{kSets} * kHeld * kSegments * rows * kTileOutputs * 4);
  const int norm = roundedUp(normed * 4), tile = roundedUp(sizeof(Tile<T, kWidth>));
  const int left = gpu.sharedBytes - roundedUp(sizeof(Kept<T>)) - x - floats - partial - norm - tile;
  constexpr int kRoundBytes = kWarps * kStageVectors<Weights> * 16;  // a stage of each ring
  SharedPlaces places{};
  places.stages = std::clamp(left / kRoundBytes, 0, kMostStages);
  places.xAt = places.stages * kRoundBytes;
  places.floatsAt = places.xAt + x;
  places.partialAt = places.floatsAt + floats;
  places.normAt = places.partialAt + partial;
  places.tileAt = places.normAt + norm;
  places.bytes = places.tileAt + tile;
  return places;
}

}  // namespace

StepProgram::StepProgram(DType type, int rows, const Gpu& gpu) : m_type(type), m_rows(rows), m_gpu(gpu) {
  VITRINE_CHECK(gpu.hasWarpgroups && rows <= kMostRows);
}

template <class Work>
void StepProgram::withTypes(const Work& work) const {
  VITRINE_CHECK(m_type != DType::kF32 && m_format);
  if (m_type == DType::kF16)
    work(F16{}, OneFormat<NumberTile>{});
  else if (m_isMixed)
    work(Bf16{}, OffsetFormats{});
  else if (*m_format == TileFormat::kNumbers)
    work(Bf16{}, OneFormat<NumberTile>{});
  else
    withCodeTile(*m_format, [&](auto tile) { work(Bf16{}, OneFormat<decltype(tile)>{}); });
}

void StepProgram::product(Operation operation, const TensorView& x, const ResidualNorm* norm,
                          const PackedMatrix& matrix, const TensorView& bias, const TensorView& out,
                          Finish finish) {
  const bool isGate = finish == Finish::kGate, adds = finish == Finish::kAdd;
  const Passed in = norm != nullptr ? Passed{norm->residual.data(), matrix.inputs, matrix.inputs}
                                    : Passed{x.data(), matrix.inputs, matrix.inputs / 2};
  const bool isSame = matrix.format == m_format.value_or(matrix.format);
  const bool fits =
      matrix.type == m_type && (isSame || (hasOffsets(matrix.format) && hasOffsets(*m_format))) &&
      (norm != nullptr || m_stepCount > 0 || isInVectors(x, 2)) &&
      (bias.empty() || reinterpret_cast<std::uintptr_t>(bias.data()) % 8 == 0) && x.extent(0) == m_rows &&
      matrix.outputs % (isGate ? 2 * kTileOutputs : 2) == 0 && matrix.inputs % 2 == 0 &&
      isInVectors(out, 2) && out.type() == (adds ? DType::kF32 : m_type) && !m_headNorms &&
      (m_stepCount == 0 || in == m_passed) &&
      (norm == nullptr || (!m_isNormed && matrix.inputs > kNarrowNorm && matrix.inputs % 4 == 0 &&
                           reinterpret_cast<std::uintptr_t>(norm->weight.data()) % 16 == 0));
  if (!fits) return refuse();
  m_format = matrix.format;
  m_isMixed = m_isMixed || !isSame;
  m_isNormed = norm != nullptr;
  m_mostInputs = std::max(m_mostInputs, matrix.inputs);
  if (norm != nullptr) m_mostNormed = std::max(m_mostNormed, matrix.inputs);
  m_passed = {out.data(), out.extent(1), adds ? out.extent(1) : out.extent(1) / 2};
  Step step{};
  step.kind = StepKind::kProduct;
  step.wordsIn = static_cast<int>(in.words);
  step.wordsOut = static_cast<int>(m_passed.words);
  Product<Bf16> product{};  // for its measures
  product.inputs = matrix.inputs;
  product.outputs = matrix.outputs;
  const int units = product.outputTiles() / (isGate ? 2 : 1);
  const bool isTurned = units <= m_gpu.multiprocessors && m_narrow++ % 2 == 1;
  step.multiply = {norm != nullptr ? norm->weight.f32() : nullptr,
                   bias.empty() ? nullptr : bias.f32(),
                   norm != nullptr ? norm->eps : 0,
                   static_cast<int>(matrix.inputs),
                   static_cast<int>(matrix.outputs),
                   product.depth(),
                   product.segmentDepth(),
                   units,
                   out.data(),
                   static_cast<int>(out.stride(0)),
                   finish,
                   isTurned,
                   matrix.format};
  append(m_steps, step);
  m_operations.push_back(operation);
  append(m_matrices, StreamedMatrix{static_cast<const uint4*>(matrix.data), units, product.depth(),
                                    product.segmentDepth(), isGate, isTurned, matrix.format});
  if (m_stepCount == 0) {
    m_input = in.data;
    m_inputStride = norm != nullptr ? norm->residual.stride(0) : x.stride(0) / 2;
  }
  m_listWords = std::max({m_listWords, in.words * m_rows, m_passed.words * m_rows});
  ++m_stepCount;
  ++m_matrixCount;
}

void StepProgram::heads(const HeadsOfTokens& heads, const HeadNorms& norms, const TensorView& cos,
                        const TensorView& sin) {
  // The heads are what the product before has passed on, one behind another.
  const std::int64_t headDim = heads.q.extent(2), queries = heads.q.extent(1) * headDim,
                     keys = heads.k.extent(1) * headDim;
  const auto* const first = static_cast<const std::byte*>(heads.q.data());
  const auto bytes = static_cast<std::int64_t>(dtypeBytes(m_type));
  if (heads.q.stride(1) != headDim || heads.k.stride(1) != headDim || heads.v.stride(1) != headDim ||
      heads.k.data() != first + queries * bytes || heads.v.data() != first + (queries + keys) * bytes ||
      m_stepCount == 0 || m_headNorms ||
      m_passed != Passed{heads.q.data(), queries + 2 * keys, (queries + 2 * keys) / 2})
    return refuse();
  m_headNorms = norms;
  m_cos = cos;
  m_sin = sin;
}

void StepProgram::attention(const TensorView& q, const PagedKv& cache, int layer, const AttentionBatch& batch,
                            const TensorView& out) {
  const int group = static_cast<int>(q.extent(1)) / cache.kvHeads;
  const std::int64_t width = q.extent(1) * q.extent(2);
  // Every block has one piece of the work. Its kernel reads keys and values as numbers, not as codes.
  const std::int64_t pieces = std::int64_t{m_rows} * cache.kvHeads * batch.tiles();
  if (!m_headNorms || cache.hasCodes || cache.headDim > kWidth || cache.headDim % 8 != 0 ||
      group > kMmaRows || pieces > m_gpu.multiprocessors || !isInVectors(out, 2) || q.data() != m_passed.data)
    return refuse();
  m_q = q;
  m_cache = cache;
  m_batch = batch;
  Step step{};
  step.kind = StepKind::kAttention;
  step.wordsIn = static_cast<int>(m_passed.words);
  step.wordsOut = static_cast<int>(width / 2);
  step.attend = {weightOf(m_headNorms->query), weightOf(m_headNorms->key), cache.offset(0, layer, 0, 0),
                 cache.offset(0, layer, 1, 0), m_headNorms->eps,           batch.scale,
                 batch.slidingWindow};
  append(m_steps, step);
  m_operations.push_back(Operation::kAttention);
  m_attended = out;
  m_passed = {out.data(), width, width / 2};
  m_listWords = std::max(m_listWords, m_passed.words * m_rows);
  m_stateWords = std::max(m_stateWords, attentionStates(q, batch));
  m_isNormed = false;
  ++m_stepCount;
  m_headNorms.reset();
}

bool StepProgram::finish(cudaStream_t stream) {
  if (m_headNorms || m_matrixCount == 0) refuse();
  if (m_fits)
    withTypes([&](auto element, auto weights) {
      constexpr int kLeastStages = 2;
      m_fits =
          placesFor<decltype(element), decltype(weights)>(m_rows, m_mostInputs, m_mostNormed, m_gpu).stages >=
          kLeastStages;
    });
  if (!m_fits) return false;
  VITRINE_CHECK(m_steps.size() % 16 == 0 && m_matrices.size() % 16 == 0);
  m_matricesAt = m_steps.size();
  m_listsAt = m_matricesAt + m_matrices.size();
  m_listWords += m_listWords % 2;  // lists and states begin at sixteen bytes
  m_memory =
      allocateDevice(static_cast<std::int64_t>(m_listsAt) +
                         (kLists * m_listWords + m_stateWords) * static_cast<std::int64_t>(sizeof(Word)),
                     stream);
  m_steps.insert(m_steps.end(), m_matrices.begin(), m_matrices.end());
  check(cudaMemcpyAsync(m_memory.get(), m_steps.data(), m_steps.size(), cudaMemcpyHostToDevice, stream),
        "a copy to the GPU");
  check(cudaStreamSynchronize(stream), "a copy to the GPU");
  m_steps = {};
  m_matrices = {};
  return true;
}

void StepProgram::launch(const Queue& queue, std::uint64_t* times) {
  withTypes([&](auto element, auto weights) {
    using T = decltype(element);
    using Weights = decltype(weights);
    const SharedPlaces places = placesFor<T, Weights>(m_rows, m_mostInputs, m_mostNormed, m_gpu);
    char* const memory = static_cast<char*>(m_memory.get());
    Word* const lists = reinterpret_cast<Word*>(memory + m_listsAt);
    HeadsOfLayers<T> heads{};
    heads.tiles = heads.kvHeads = 1;
    if (m_stateWords > 0)
      heads = {rowsOf<const float>(m_cos),
               rowsOf<const float>(m_sin),
               m_batch.tiles(),
               static_cast<int>(m_q.extent(1)),
               m_cache.kvHeads,
               m_cache.headDim,
               m_cache.blockSize,
               m_cache.blockElements(),
               {rowsOf<const T>(m_q),
                rowsOf<T>(m_attended),
                m_cache,
                0,
                static_cast<int>(m_q.extent(1)) / m_cache.kvHeads,
                m_batch,
                {nullptr, m_rows, static_cast<int>(m_q.extent(1)), m_cache.headDim},
                nullptr,
                true,
                true}};
    const Program<T> program{reinterpret_cast<const Step*>(memory),
                             reinterpret_cast<const StreamedMatrix*>(memory + m_matricesAt),
                             m_stepCount,
                             m_matrixCount,
                             m_rows,
                             static_cast<const unsigned*>(m_input),
                             m_inputStride,
                             heads,
                             lists,
                             lists + kLists * m_listWords,
                             times,
                             m_listWords,
                             m_nextTag,
                             places};
    [[maybe_unused]] static const bool isAllowed =
        allowShared(stepKernel<T, Weights>, m_gpu.sharedBytes - roundedUp(sizeof(Kept<T>)));
    cudaLaunchAttribute together{};  // all blocks at once, or an error
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(m_gpu.multiprocessors));
    config.blockDim = dim3(kAllThreads);
    config.dynamicSmemBytes = static_cast<std::size_t>(places.bytes);
    config.stream = queue.stream;
    config.attrs = &together;
    config.numAttrs = 1;
    check(cudaLaunchKernelEx(&config, stepKernel<T, Weights>, program), "a step");
    m_nextTag += static_cast<std::uint32_t>(m_stepCount) + 1;
  });
}

}  // namespace vitrine::cuda
