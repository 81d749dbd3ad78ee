// Memory; the operations are in torch_operations.cpp.
#include "backends/torch/torch_backend.h"

#include <ATen/Parallel.h>
#include <torch/version.h>

#include <algorithm>
#include <thread>

#include "backends/torch/guarded.h"
#include "formats/quantize.h"

namespace vitrine::torch_backend {
namespace {

constexpr int kMaxThreads = 1024;

int checkedThreads(int threads) {
  if (threads < 0 || threads > kMaxThreads)
    throw EngineError(ErrorCode::kInvalidArgument, "threads " + std::to_string(threads) + " is out of range",
                      "use 0 for one thread a core, or a number up to " + std::to_string(kMaxThreads));
  if (threads > 0) return threads;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMaxThreads);
}

// The view keeps the tensor alive through its shared pointer.
Tensor owned(at::Tensor tensor, const TensorView& like) {
  void* data = tensor.data_ptr();
  // An empty tensor has no memory, but a view without memory would mean "no tensor".
  static char nothing;
  TensorView view = like.over(data != nullptr ? data : &nothing);
  return {std::make_shared<at::Tensor>(std::move(tensor)), view};
}

// Quantized weights are kept as the floats they stand for, float16 as float32: an oracle need not be small.
at::Tensor asFormat(const at::Tensor& matrix, WeightFormat format) {
  if (format == WeightFormat::kBf16) return matrix.to(at::kBFloat16);
  if (format == WeightFormat::kF16) return matrix.to(at::kHalf).to(at::kFloat);
  if (format == WeightFormat::kF32) return matrix.to(at::kFloat);
  at::Tensor floats = at::empty(matrix.sizes(), at::kFloat).copy_(matrix);
  const auto inputs = static_cast<std::size_t>(floats.size(1));
  for (std::int64_t row = 0; row < floats.size(0); ++row)
    quantizeInPlace(std::span(floats[row].data_ptr<float>(), inputs), format == WeightFormat::kInt8 ? 8 : 4);
  return floats;
}

// Matrices one above another as one weight.
std::unique_ptr<LinearWeight> stacked(const std::vector<at::Tensor>& parts) {
  auto weight = std::make_unique<TorchWeight>();
  weight->matrix = at::cat(parts, 0).contiguous();
  weight->outFeatures = weight->matrix.size(0);
  weight->inFeatures = weight->matrix.size(1);
  weight->bytes = static_cast<std::int64_t>(weight->matrix.nbytes());
  return weight;
}

}  // namespace

TorchBackend::TorchBackend(int threads, const std::string& attention) : m_threads(checkedThreads(threads)) {
  if (!attention.empty() && attention != "reference")
    throw EngineError(
        ErrorCode::kUnsupported,
        "--kernels reference writes all attention scores out and knows no --attention " + attention,
        "leave --attention out, or choose --kernels native");
  guarded([&] { at::set_num_threads(m_threads); });
}

std::string TorchBackend::device() const {
  return "libtorch " TORCH_VERSION ", " + std::to_string(m_threads) +
         (m_threads == 1 ? " thread" : " threads");
}

Tensor TorchBackend::allocate(DType type, std::initializer_list<std::int64_t> shape) {
  return guarded([&] {
    at::Tensor tensor = at::zeros(at::IntArrayRef(shape.begin(), shape.size()), scalarType(type));
    return owned(std::move(tensor), TensorView(nullptr, type, shape));
  });
}

Tensor TorchBackend::upload(const TensorView& host) {
  return guarded([&] { return owned(wrap(host).clone(at::MemoryFormat::Contiguous), host); });
}

void TorchBackend::download(const TensorView& device, float* host) {
  VITRINE_CHECK(device.type() == DType::kF32);
  guarded([&] { wrap(device.over(host)).copy_(wrap(device)); });
}

std::unique_ptr<LinearWeight> TorchBackend::packLinear(std::span<const TensorView> hostParts,
                                                       WeightFormat format) {
  VITRINE_CHECK(!hostParts.empty());
  return guarded([&] {
    std::vector<at::Tensor> parts;
    for (const TensorView& part : hostParts) parts.push_back(asFormat(wrap(part), format));
    return stacked(parts);
  });
}

// As the floats they stand for, like the quantized ones.
std::unique_ptr<LinearWeight> TorchBackend::packBlocks(std::span<const WeightRows> parts) {
  VITRINE_CHECK(!parts.empty());
  return guarded([&] {
    std::vector<at::Tensor> matrices;
    for (const WeightRows& part : parts) {
      std::vector<std::byte> rows(static_cast<std::size_t>(part.outFeatures * part.rowBytes()));
      part.read(0, rows);
      at::Tensor floats = at::empty({part.outFeatures, part.inFeatures}, at::kFloat);
      decodeBlocks(part.type, rows.data(),
                   std::span(floats.data_ptr<float>(), static_cast<std::size_t>(floats.numel())));
      matrices.push_back(std::move(floats));
    }
    return stacked(matrices);
  });
}

std::unique_ptr<KvCache> TorchBackend::allocateKv(const KvCacheShape& s) {
  if (s.type == KvType::kInt8)
    throw EngineError(ErrorCode::kUnsupported, "--kernels reference stores keys and values as floats only",
                      "leave --kv-dtype out, or choose --kernels native");
  return guarded([&] {
    auto cache = std::make_unique<TorchKv>(s);
    cache->blocks = at::zeros({2, s.layers, s.numBlocks, s.blockSize, s.kvHeads, s.headDim},
                              s.type == KvType::kBf16 ? at::kBFloat16 : at::kFloat);
    return std::unique_ptr<KvCache>(std::move(cache));
  });
}

}  // namespace vitrine::torch_backend
