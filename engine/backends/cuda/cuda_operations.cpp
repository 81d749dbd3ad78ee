// The operations: lists to the GPU, a launch, and a look for its error.
#include <algorithm>
#include <bit>
#include <utility>

#include "backends/batch_check.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/cuda_errors.h"

namespace vitrine::cuda {
namespace {

constexpr int kMostWarps = 4;  // of a block of threads of attention

const CudaWeight& own(const LinearWeight& weight) { return static_cast<const CudaWeight&>(weight); }

void requireRows(std::span<const std::int32_t> rows, std::int64_t count) {
  VITRINE_CHECK(std::ranges::all_of(rows, [&](std::int32_t row) { return row >= 0 && row < count; }));
}

}  // namespace

// Graphs are recorded for these numbers of sequences; a kernel lasts as long for a few more.
std::int64_t CudaBackend::paddedRows(std::int64_t sequences) const {
  constexpr std::int64_t kFew = 64, kMany = 256;
  if (m_decoding == Decoding::kEager || sequences <= StepProgram::kMostRows) return sequences;
  const std::int64_t step = sequences <= kFew ? 8 : sequences <= kMany ? 16 : 64;
  return (sequences + step - 1) / step * step;
}

// Lists of a step in which every sequence has one token have room, so that many such steps have the same
// places: numbers of sequences are rounded up, and widths of block tables and lengths of contexts to powers
// of two. What is behind the tokens has no position, slot or block: -1.
void CudaBackend::beginStep(const RaggedBatch& batch) {
  VITRINE_CHECK(batch.blockShifts.empty() &&
                batch.attentionScores.empty());  // refused when the engine is made
  constexpr unsigned kLeastWidth = 8;
  const auto mostContext = static_cast<int>(checkedContext(batch));
  const std::size_t tokens = batch.positions.size(), sequences = batch.contextLength.size();
  const auto width = static_cast<std::size_t>(batch.tableWidth);
  m_queryStart.assign(batch.queryStart.begin(), batch.queryStart.end());
  m_isDecoding = tokens == sequences;
  m_blocksGroup = 0;
  m_batch.tableWidth =
      m_isDecoding ? static_cast<int>(std::bit_ceil(std::max(kLeastWidth, static_cast<unsigned>(width))))
                   : batch.tableWidth;
  m_batch.mostContext =
      m_isDecoding ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(mostContext))) : mostContext;
  const auto rows =
      m_isDecoding ? static_cast<std::size_t>(paddedRows(static_cast<std::int64_t>(tokens))) : tokens;
  const auto rowsOfTables = m_isDecoding ? rows : sequences;
  m_step.assign(batch.positions.begin(), batch.positions.end());
  m_step.resize(rows, -1);
  m_step.insert(m_step.end(), batch.slots.begin(), batch.slots.end());
  m_step.resize(2 * rows, -1);
  for (std::size_t s = 0; s < sequences; ++s)
    m_step.insert(m_step.end(), static_cast<std::size_t>(batch.queryStart[s + 1] - batch.queryStart[s]),
                  static_cast<std::int32_t>(s));
  for (std::size_t s = sequences; s < rowsOfTables; ++s) m_step.push_back(static_cast<std::int32_t>(s));
  for (std::size_t s = 0; s < rowsOfTables; ++s) {
    if (s < sequences) {
      const auto row = batch.blockTables.subspan(s * width, width);
      m_step.insert(m_step.end(), row.begin(), row.end());
    }
    m_step.resize(3 * rows + (s + 1) * static_cast<std::size_t>(m_batch.tableWidth), -1);
  }
  const std::int32_t* lists = m_stepLists.put(m_step);
  m_batch.positions = lists;
  m_slots = lists + rows;
  m_stepSlots = std::span(m_step).subspan(rows, tokens);
  m_awaitedSize = 0;
  m_batch.sequences = lists + 2 * rows;
  m_batch.tables = lists + 3 * rows;
}

void CudaBackend::norm(const ResidualNorm& norm) {
  if (m_pendingNorm && m_pendingNorm->out.data() != norm.out.data() && !refuses()) finishNorm();
  m_pendingNorm = norm;
  if (!m_defersNorms && m_writing == nullptr) finishNorm();
}

// Whether operations are written down; one that cannot be spoils what is written.
bool CudaBackend::refuses() {
  if (m_writing != nullptr) m_writing->refuse();
  return m_writing != nullptr;
}

void CudaBackend::finishNorm() {
  if (!m_pendingNorm) return;
  const ResidualNorm norm = *m_pendingNorm;
  m_pendingNorm.reset();
  const MarkScope mark(m_marks, Operation::kNorms);
  cuda::rmsNorm(norm.residual, norm.weight, norm.eps, norm.out, m_queue);
  checkLaunch("norm");
}

// Tokens that the GPU has chosen itself are filled in there.
const std::int32_t* CudaBackend::tokenList(std::span<const std::int32_t> ids, std::int64_t vocabulary) {
  const std::int32_t* const given = std::exchange(m_givenTokens, nullptr);
  VITRINE_CHECK(std::ranges::all_of(
      ids, [&](std::int32_t id) { return id < vocabulary && (id >= 0 || given != nullptr); }));
  const std::int32_t* const list = m_lists.put(ids);
  if (given != nullptr) {
    fillTokens(const_cast<std::int32_t*>(list), std::ssize(ids), given, m_queue);
    checkLaunch("filling in tokens");
  }
  return list;
}

void CudaBackend::embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) {
  VITRINE_CHECK(std::ssize(ids) == out.extent(0));
  if (ids.empty()) return;
  cuda::gatherRows(table, tokenList(ids, table.extent(0)), out, m_queue);
  checkLaunch("embed");
}

void CudaBackend::embedRows(std::span<const std::int32_t> ids, const LinearWeight& table,
                            const TensorView& out) {
  if (ids.empty()) return;
  unpackRows(own(table).matrix, tokenList(ids, table.outFeatures), out, m_queue);
  checkLaunch("embed");
}

void CudaBackend::rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out) {
  if (x.extent(0) == 0) return;
  if (x.rank() == 2 && x.type() == DType::kF32) return norm({x, weight, eps, out});
  if (refuses()) return;
  cuda::rmsNorm(x, weight, eps, out, m_queue);
  checkLaunch("norm");
}

void CudaBackend::addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight,
                             float eps, const TensorView& out) {
  if (residual.extent(0) == 0 || refuses()) return;
  cuda::addRmsNorm(residual, delta, weight, eps, out, m_queue);
  checkLaunch("norm");
}

// Products of few rows are reading weights, and our kernels' are as fast.
bool CudaBackend::usesLibrary(const LinearWeight& weight, std::int64_t rows) const {
  return !own(weight).plain.empty() && rows > kMmaRows;
}

void CudaBackend::multiply(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                           const TensorView& out, Finish finish) {
  const PackedMatrix& matrix = own(weight).matrix;
  VITRINE_CHECK(x.extent(1) == matrix.inputs && x.extent(0) == out.extent(0) &&
                out.extent(1) == matrix.outputs / (finish == Finish::kGate ? 2 : 1));
  if (x.extent(0) == 0) return;
  const bool readsNorm =
      m_pendingNorm && m_pendingNorm->out.data() == x.data() && m_pendingNorm->out.extent(0) == x.extent(0);
  if (m_writing != nullptr)
    return m_writing->product(weight.operation, x, readsNorm ? &*m_pendingNorm : nullptr, matrix, bias, out,
                              finish);
  const bool norms = readsNorm && normsInProduct(matrix, x.extent(0));
  if (!norms) finishNorm();
  const MarkScope mark(m_marks, weight.operation);
  if (usesLibrary(weight, x.extent(0)) &&
      m_library->multiply(x, own(weight).plain.view(), out, finish == Finish::kAdd)) {
    if (!bias.empty()) addBias(bias, out, m_queue);
  } else if (matrix.type == DType::kF32) {
    fmaProduct(x, matrix, bias, out, m_queue);
  } else {
    tensorCoreProduct(x, norms ? &*m_pendingNorm : nullptr, matrix, bias, out, finish, m_gpu, m_queue);
  }
  checkLaunch("a product");
}

void CudaBackend::linear(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                         const TensorView& out) {
  multiply(x, weight, bias, out, Finish::kStore);
}

// The sums are added to the residual stream where they are computed.
void CudaBackend::linearAddNorm(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                                const TensorView& delta, const ResidualNorm& norm) {
  if (own(weight).matrix.type == DType::kF32) return Backend::linearAddNorm(x, weight, bias, delta, norm);
  m_pendingNorm.reset();  // if there is one, products have computed it for themselves
  multiply(x, weight, bias, norm.residual, Finish::kAdd);
  this->norm(norm);
}

void CudaBackend::linearGate(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                             const TensorView& gateUp, const TensorView& out) {
  if (usesLibrary(weight, x.extent(0)) || !gatesInProduct(own(weight).matrix, x.extent(0), m_gpu))
    return Backend::linearGate(x, weight, bias, gateUp, out);
  multiply(x, weight, bias, out, Finish::kGate);
}

void CudaBackend::prepareHeads(const HeadsOfTokens& heads, const HeadNorms& norms, const TensorView& cos,
                               const TensorView& sin, KvCache& cache, int layer) {
  if (heads.q.extent(0) == 0) return;
  awaitCopies(cache);
  const PagedKv& paged = static_cast<CudaKv&>(cache).paged;
  if (m_writing != nullptr) return m_writing->heads(heads, norms, cos, sin);
  if (m_defersNorms && m_isDecoding && usesTensorCores(heads.q, paged) && preparesInAttention(heads, paged)) {
    m_pendingHeads = {heads, norms, cos, sin};
    return;
  }
  const MarkScope mark(m_marks, Operation::kRotary);
  cuda::prepareHeads(heads, norms, cos, sin, paged, layer, m_slots, m_queue);
  checkLaunch("preparing heads");
}

// Within the layers a norm may wait for the product that reads it.
void CudaBackend::launchAll(const std::function<void()>& operations) {
  doWhile(m_defersNorms, true, operations);
  finishNorm();
}

StepShape CudaBackend::shapeOf(const RepeatedLayers& layers) const {
  return {layers.memory,
          layers.first,
          layers.last,
          layers.hidden.data(),
          static_cast<const CudaKv&>(layers.cache).paged.data,
          layers.cache.shape.blockSize,
          static_cast<const CudaKv&>(layers.cache).paged.hasCodes,
          m_batch.positions,
          static_cast<int>(layers.hidden.extent(0)),
          m_batch.tableWidth,
          m_batch.mostContext};
}

void CudaBackend::launchWritten(const WrittenStep& written, std::uint64_t* times) {
  written.program->launch(m_queue, times);
  m_pendingNorm = written.lastNorm;
  finishNorm();
}

void CudaBackend::repeat(const RepeatedLayers& layers, const std::function<void()>& operations) {
  awaitCopies(layers.cache);
  if (!m_isDecoding || m_decoding == Decoding::kEager) return launchAll(operations);
  const StepShape shape = shapeOf(layers);
  const WrittenStep* written = m_decoding == Decoding::kGraph ? nullptr : writtenStep(shape, operations);
  if (written != nullptr) return launchWritten(*written, nullptr);
  m_graphs.run(shape, m_stream, [&] { launchAll(operations); });
}

// The step as one kernel; null where its operations are launched one by one.
CudaBackend::WrittenStep* CudaBackend::writtenStep(const StepShape& shape,
                                                   const std::function<void()>& operations) {
  if (!m_gpu.hasWarpgroups || m_activations == DType::kF32 || shape.tokens > StepProgram::kMostRows)
    return nullptr;
  WrittenStep* known = m_written.find(shape);
  if (known == nullptr) {
    auto program = std::make_unique<StepProgram>(m_activations, shape.tokens, m_gpu);
    doWhile(m_writing, program.get(), operations);
    if (!program->finish(m_stream)) program = nullptr;
    known = &m_written.add(shape, {std::move(program), std::exchange(m_pendingNorm, std::nullopt)});
  }
  return known->program != nullptr ? known : nullptr;
}

void CudaBackend::rotary(const TensorView& x, const TensorView& cos, const TensorView& sin) {
  if (x.extent(0) == 0 || refuses()) return;
  cuda::rotary(x, cos, sin, m_queue);
  checkLaunch("rotary");
}

void CudaBackend::storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) {
  if (k.extent(0) == 0 || refuses()) return;
  awaitCopies(cache);
  cuda::storeKv(k, v, static_cast<CudaKv&>(cache).paged, layer, m_slots, m_queue);
  checkLaunch("storing keys and values");
}

bool CudaBackend::usesTensorCores(const TensorView& q, const PagedKv& cache) const {
  const std::int64_t group = q.extent(1) / cache.kvHeads;
  return m_gpu.hasMma16 && m_activations != DType::kF32 && cache.headDim <= kMostTensorCoreHeadDim &&
         group <= kMostWarps * kMmaRows;
}

// The step's tokens in blocks of threads. The list is the same for every layer.
const AttentionBlocks& CudaBackend::blocksFor(std::int64_t rows, int group) {
  if (m_blocksGroup == group) return m_blocks;
  m_blocksGroup = group;
  int mostTokens = 0;
  for (std::size_t s = 0; s + 1 < m_queryStart.size(); ++s)
    mostTokens = std::max(mostTokens, m_queryStart[s + 1] - m_queryStart[s]);
  const int warps = std::clamp((mostTokens * group + kMmaRows - 1) / kMmaRows, 1, kMostWarps);
  if (m_isDecoding) {
    m_blocks = {nullptr, static_cast<int>(rows), warps};
    return m_blocks;
  }
  const int tokens = std::max(1, warps * kMmaRows / group);
  std::vector<std::int32_t> list;
  for (std::size_t s = 0; s + 1 < m_queryStart.size(); ++s)
    for (std::int32_t first = m_queryStart[s]; first < m_queryStart[s + 1]; first += tokens)
      list.insert(list.end(),
                  {first, std::min(tokens, m_queryStart[s + 1] - first), static_cast<std::int32_t>(s)});
  static_assert(sizeof(AttentionRows) == 3 * sizeof(std::int32_t));
  m_blocks = {reinterpret_cast<const AttentionRows*>(m_blockLists.put(list)),
              static_cast<int>(list.size() / 3), warps};
  return m_blocks;
}

// Memory for the states of tiles where `blocks` of threads for each key-value head are too few to walk
// through contexts; else none.
AttentionMemory CudaBackend::memoryFor(const TensorView& q, int blocks, int kvHeads) {
  constexpr int kEnough = 4, kOf = 3;  // blocks for each multiprocessor: 4/3
  constexpr std::int64_t kMostFloats = std::int64_t{1} << 26;
  const std::int64_t floats = attentionStates(q, m_batch), all = std::int64_t{blocks} * kvHeads;
  if (m_batch.tiles() == 1 || kOf * all >= kEnough * m_gpu.multiprocessors || floats > kMostFloats) return {};
  const auto reserve = [&](GrowingMemory& memory, std::int64_t numbers) {
    const std::int64_t bytes = numbers * static_cast<std::int64_t>(sizeof(float));
    if (bytes <= memory.bytes) return;
    m_stream.finish();
    m_graphs.clear();
    memory.grow(2 * bytes, [&](std::int64_t wanted) { return allocateDevice(wanted, m_stream); });
  };
  static_assert(sizeof(int) == sizeof(float));
  reserve(m_states, floats);
  reserve(m_ended, all);
  return {static_cast<float*>(m_states.memory.get()), static_cast<int*>(m_ended.memory.get())};
}

void CudaBackend::attention(const TensorView& q, const KvCache& cache, int layer,
                            const AttentionParameters& parameters, const TensorView& out) {
  if (q.extent(0) == 0) return;
  awaitCopies(cache);
  const PagedKv& paged = static_cast<const CudaKv&>(cache).paged;
  m_batch.scale = parameters.scale;
  m_batch.slidingWindow = parameters.slidingWindow;
  if (m_writing != nullptr) {
    if (!usesTensorCores(q, paged)) return m_writing->refuse();
    m_writing->attention(q, paged, layer, m_batch, out);
  } else if (usesTensorCores(q, paged)) {
    const std::optional<UnpreparedHeads> heads = std::exchange(m_pendingHeads, std::nullopt);
    const AttentionBlocks& blocks = blocksFor(q.extent(0), static_cast<int>(q.extent(1)) / paged.kvHeads);
    const AttentionMemory memory = memoryFor(q, blocks.count, paged.kvHeads);
    const MarkScope mark(m_marks, Operation::kAttention);
    tensorCoreAttention(q, heads ? &*heads : nullptr, paged, layer, m_batch, blocks, out, memory, m_queue);
  } else {
    const AttentionMemory memory = memoryFor(q, static_cast<int>(q.extent(0)), paged.kvHeads);
    const MarkScope mark(m_marks, Operation::kAttention);
    fmaAttention(q, paged, layer, m_batch, out, memory.states, m_queue);
  }
  checkLaunch("attention");
}

void CudaBackend::gate(const TensorView& gateUp, const TensorView& out) {
  if (out.extent(0) == 0 || refuses()) return;
  const MarkScope mark(m_marks, Operation::kGate);
  cuda::gate(gateUp, out, m_queue);
  checkLaunch("gate");
}

void CudaBackend::gatherRows(const TensorView& x, std::span<const std::int32_t> rows, const TensorView& out) {
  VITRINE_CHECK(static_cast<std::int64_t>(rows.size()) == out.extent(0));
  requireRows(rows, x.extent(0));
  if (rows.empty()) return;
  cuda::gatherRows(x, m_lists.put(rows), out, m_queue);
  checkLaunch("gathering rows");
}

void CudaBackend::copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) {
  const auto& kv = static_cast<const CudaKv&>(cache);
  for (const BlockCopy& copy : copies) {
    if (copy.from == copy.to) continue;
    m_copies.await(std::span(&copy.to, 1), 1);
    check(cudaMemcpyAsync(kv.block(copy.to), kv.block(copy.from), static_cast<std::size_t>(kv.blockBytes()),
                          cudaMemcpyDeviceToDevice, m_stream),
          "a copy of a block");
  }
}

std::shared_ptr<void> CudaBackend::hostMemory(std::int64_t bytes) {
  std::shared_ptr<void> pinned = pinnedIfAny(bytes);
  return pinned != nullptr ? pinned : Backend::hostMemory(bytes);
}

void CudaBackend::readBlock(const KvCache& cache, std::int32_t block, void* host) {
  const auto& kv = static_cast<const CudaKv&>(cache);
  m_awaitedSize = 0;
  m_copies.copyOut(block, kv.block(block), host, kv.blockBytes());
}

void CudaBackend::writeBlock(KvCache& cache, std::int32_t block, const void* host) {
  const auto& kv = static_cast<const CudaKv&>(cache);
  m_awaitedSize = 0;
  m_copies.copyIn(kv.block(block), host, kv.blockBytes());
}

// Before operations on keys and values. repeat() does so before it records any.
void CudaBackend::awaitCopies(const KvCache& cache) {
  if (m_awaitedSize == cache.shape.blockSize) return;
  m_copies.await(m_stepSlots, cache.shape.blockSize);
  m_awaitedSize = cache.shape.blockSize;
}

}  // namespace vitrine::cuda
