// Memory and weights; the operations are in cuda_operations.cpp.
#include "backends/cuda/cuda_backend.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <vector>

#include "backends/cuda/block_tiles.h"
#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/visible_gpu.h"
#include "vitrine/error.h"

namespace vitrine::cuda {
namespace {

constexpr std::int64_t kUploadBytes = std::int64_t{1} << 26;  // of rows that are packed at a time
#ifdef VITRINE_CUDA_WARPGROUPS
constexpr bool kHasWarpgroups = true;  // the kernels are compiled for 9.0a, too
#else
constexpr bool kHasWarpgroups = false;
#endif

std::int64_t bytesOf(const TensorView& view) {
  return view.elements() * static_cast<std::int64_t>(dtypeBytes(view.type()));
}

Tensor owned(std::shared_ptr<void> memory, const TensorView& like) {
  const TensorView view = like.over(memory.get());
  return {std::move(memory), view};
}

// Kernels for bfloat16 need the tensor cores of compute capability 8.0.
void requireActivations(DType type, const cudaDeviceProp& gpu) {
  VITRINE_CHECK(type != DType::kI32);
  if (type == DType::kBf16 && gpu.major < 8)
    throw EngineError(ErrorCode::kUnavailable, capabilityOf(gpu) + ", and bfloat16 needs 8.0",
                      "choose --dtype f16 or --dtype f32");
}

}  // namespace

char* CudaKv::block(std::int32_t index) const {
  VITRINE_CHECK(index >= 0 && index < shape.numBlocks);
  return static_cast<char*>(memory.get()) + index * blockBytes();
}

CudaBackend::CudaBackend(DType activations, const std::string& attention, Decoding decoding,
                         BatchInvariance invariance)
    : m_activations(activations),
      m_decoding(decoding),
      m_lists(m_stream),
      m_stepLists(m_stream),
      m_blockLists(m_stream),
      m_copies(m_stream) {
  if (!attention.empty())
    throw EngineError(ErrorCode::kUnsupported,
                      "--device cuda has one way to attend and knows no --attention " + attention,
                      "leave --attention out, or choose --device cpu");
  const cudaDeviceProp properties = visibleGpu();
  requireActivations(activations, properties);
  m_device = properties.name;
  m_gpu = {properties.multiProcessorCount, static_cast<int>(properties.sharedMemPerBlockOptin),
           properties.major >= 8, kHasWarpgroups && properties.major == 9 && properties.minor == 0,
           properties.l2CacheSize};
  m_queue = {m_stream, properties.major >= 9};
  if (invariance == BatchInvariance::kOff && activations != DType::kF32)
    m_library = openLibraryProducts(m_stream);
}

std::optional<DeviceMemory> CudaBackend::memory() const { return memoryOfGpu(); }
void CudaBackend::resetPeak() { resetHeldPeak(); }

Tensor CudaBackend::allocate(DType type, std::initializer_list<std::int64_t> shape) {
  const TensorView view(nullptr, type, shape);
  return owned(allocateDevice(bytesOf(view), m_stream), view);
}

Tensor CudaBackend::upload(const TensorView& host) {
  std::shared_ptr<void> memory = allocateDevice(bytesOf(host), m_stream);
  check(cudaMemcpyAsync(memory.get(), host.data(), static_cast<std::size_t>(bytesOf(host)),
                        cudaMemcpyHostToDevice, m_stream),
        "a copy to the GPU");
  m_stream.finish();
  return owned(std::move(memory), host);
}

void CudaBackend::download(const TensorView& device, float* host) {
  if (device.elements() == 0) return m_stream.finish();
  const bool isDense =
      device.type() == DType::kF32 && device.stride(0) * device.extent(0) == device.elements();
  TensorView floats = device;
  std::shared_ptr<void> converted;
  if (!isDense) {
    std::array<std::int64_t, 3> shape{device.extent(0), device.rank() > 1 ? device.extent(1) : 1,
                                      device.rank() > 2 ? device.extent(2) : 1};
    converted = allocateDevice(device.elements() * static_cast<std::int64_t>(sizeof(float)), m_stream);
    floats = device.rank() == 3 ? TensorView(converted.get(), DType::kF32, {shape[0], shape[1], shape[2]})
                                : TensorView(converted.get(), DType::kF32, {shape[0], shape[1]});
    convert(device, floats, m_queue);
    checkLaunch("a conversion");
  }
  check(cudaMemcpyAsync(host, floats.data(), static_cast<std::size_t>(bytesOf(floats)),
                        cudaMemcpyDeviceToHost, m_stream),
        "a copy from the GPU");
  m_stream.finish();
}

std::unique_ptr<CudaWeight> CudaBackend::emptyWeight(std::int64_t outputs, std::int64_t inputs,
                                                     TileFormat format) {
  auto weight = std::make_unique<CudaWeight>();
  weight->outFeatures = outputs;
  weight->inFeatures = inputs;
  weight->matrix = {nullptr, m_activations, outputs, inputs, format};
  weight->bytes = weight->matrix.bytes();
  weight->memory = allocateDevice(weight->bytes, m_stream);
  weight->matrix.data = weight->memory.get();
  if (format != TileFormat::kNumbers) {
    if (m_expansion == nullptr) m_expansion = allocateDevice(kExpansionBytes, m_stream);
    weight->expansion = m_expansion;
    weight->matrix.expansion = m_expansion.get();
  }
  return weight;
}

// Packs rows [n, inputs] from host memory as outputs `first` to first + n - 1, a part at a time; bits: of
// their quantization, or 0.
void CudaBackend::addRows(const TensorView& hostRows, int bits, CudaWeight& weight, std::int64_t first) {
  const std::int64_t count = hostRows.extent(0), rowBytes = bytesOf(hostRows.rows(0, 1));
  const std::int64_t most = std::max<std::int64_t>(1, kUploadBytes / rowBytes);
  for (std::int64_t row = 0; row < count; row += most) {
    const Tensor rows = upload(hostRows.rows(row, std::min(most, count - row)));
    if (bits == 0)
      packRows(rows.view(), weight.matrix, first + row, m_queue);
    else
      quantizeRows(rows.view(), bits, weight.matrix, first + row, m_queue);
    checkLaunch("packing weights");
    m_stream.finish();
  }
}

// A packed matrix of numbers once more, as cuBLASLt reads it.
void CudaBackend::keepPlain(CudaWeight& weight) {
  if (m_library == nullptr || weight.matrix.format != TileFormat::kNumbers) return;
  weight.plain = allocate(m_activations, {weight.outFeatures, weight.inFeatures});
  std::vector<std::int32_t> outputs(static_cast<std::size_t>(weight.outFeatures));
  std::iota(outputs.begin(), outputs.end(), 0);
  unpackRows(weight.matrix, m_lists.put(outputs), weight.plain.view(), m_queue);
  checkLaunch("copying weights");
}

std::unique_ptr<LinearWeight> CudaBackend::packLinear(std::span<const TensorView> hostParts,
                                                      WeightFormat format) {
  VITRINE_CHECK(!hostParts.empty());
  std::int64_t outputs = 0, first = 0;
  for (const TensorView& part : hostParts) outputs += part.extent(0);
  const int bits = format == WeightFormat::kInt8 ? 8 : format == WeightFormat::kInt4 ? 4 : 0;
  const bool hasCodes = bits != 0 && m_activations == DType::kBf16;
  std::unique_ptr<CudaWeight> weight = emptyWeight(outputs, hostParts[0].extent(1),
                                                   !hasCodes   ? TileFormat::kNumbers
                                                   : bits == 8 ? TileFormat::kInt8
                                                               : TileFormat::kInt4);
  for (const TensorView& part : hostParts) {
    VITRINE_CHECK(part.stride(0) == part.extent(1));
    addRows(part, bits, *weight, first);
    first += part.extent(0);
  }
  keepPlain(*weight);
  return weight;
}

// Blocks as tiles of codes, some rows of tiles after others.
void CudaBackend::addTiles(std::span<const WeightRows> parts, CudaWeight& weight) {
  const PackedMatrix& matrix = weight.matrix;
  const std::int64_t rows = (matrix.outputs + kTileOutputs - 1) / kTileOutputs,
                     rowBytes = weight.bytes / rows,
                     most = std::max<std::int64_t>(1, kUploadBytes / rowBytes);
  constexpr unsigned kMostThreads = 16;  // more would begin and end longer than they work
  ThreadPool pool(static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads)));
  std::vector<std::byte> tiles(static_cast<std::size_t>(std::min(most, rows) * rowBytes));
  for (std::int64_t row = 0; row < rows; row += most) {
    const auto some = std::span(tiles).first(static_cast<std::size_t>(std::min(most, rows - row) * rowBytes));
    fillBlockTiles(parts, matrix.format, row, some, pool);
    check(cudaMemcpyAsync(static_cast<std::byte*>(matrix.data) + row * rowBytes, some.data(), some.size(),
                          cudaMemcpyHostToDevice, m_stream),
          "a copy to the GPU");
    m_stream.finish();
  }
}

std::unique_ptr<LinearWeight> CudaBackend::packBlocks(std::span<const WeightRows> parts) {
  VITRINE_CHECK(!parts.empty());
  std::int64_t outputs = 0, first = 0;
  for (const WeightRows& part : parts) outputs += part.outFeatures;
  const std::optional<TileFormat> codes =
      m_activations == DType::kBf16 ? tileFormatOf(parts) : std::optional<TileFormat>();
  if (codes) {
    std::unique_ptr<CudaWeight> weight = emptyWeight(outputs, parts[0].inFeatures, *codes);
    addTiles(parts, *weight);
    return weight;
  }
  std::unique_ptr<CudaWeight> weight = emptyWeight(outputs, parts[0].inFeatures, TileFormat::kNumbers);
  for (const WeightRows& part : parts) {
    const std::int64_t most = std::max<std::int64_t>(1, kUploadBytes / 4 / part.inFeatures);
    for (std::int64_t row = 0; row < part.outFeatures; row += most) {
      const std::int64_t count = std::min(most, part.outFeatures - row);
      std::vector<std::byte> blocks(static_cast<std::size_t>(count * part.rowBytes()));
      part.read(row, blocks);
      std::vector<float> floats(static_cast<std::size_t>(count * part.inFeatures));
      decodeBlocks(part.type, blocks.data(), floats);
      addRows(TensorView(floats.data(), DType::kF32, {count, part.inFeatures}), 0, *weight, first + row);
    }
    first += part.outFeatures;
  }
  keepPlain(*weight);
  return weight;
}

std::unique_ptr<KvCache> CudaBackend::allocateKv(const KvCacheShape& shape) {
  const bool hasCodes = shape.type == KvType::kInt8;
  VITRINE_CHECK(hasCodes ? shape.elementsPerBlock() % 4 == 0  // scales lie on whole floats
                         : shape.element == m_activations);
  if (shape.type == KvType::kBf16 && m_activations != DType::kBf16)
    throw EngineError(ErrorCode::kUnsupported,
                      "--device cuda stores keys and values as bfloat16 only where it computes in bfloat16",
                      "leave --kv-dtype out, or add --dtype bf16");
  if (shape.headDim > kMostHeadDim)
    throw EngineError(ErrorCode::kUnsupported,
                      "--device cuda attends with heads of up to 256 elements, and the model's have " +
                          std::to_string(shape.headDim),
                      "choose --device cpu");
  auto cache = std::make_unique<CudaKv>(shape);
  cache->memory = allocateDevice(shape.numBlocks * cache->blockBytes(), m_stream);
  cache->paged = {cache->memory.get(), hasCodes, shape.layers, shape.kvHeads, shape.blockSize, shape.headDim};
  VITRINE_CHECK(!hasCodes || cache->paged.codedBlockBytes() == cache->blockBytes());
  return cache;
}

}  // namespace vitrine::cuda
