#include "models/host_tensor.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "formats/small_floats.h"
#include "models/weight_source.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

std::shared_ptr<void> hostMemory(std::size_t bytes) {
  void* memory = ::operator new(bytes, std::nothrow);
  if (memory == nullptr)
    throw EngineError(ErrorCode::kOutOfMemory, "no memory for " + std::to_string(bytes) + " bytes of weights",
                      "Close other programs, or take a smaller model.");
  return std::shared_ptr<void>(memory, [](void* m) { ::operator delete(m); });
}

void storeElement(void* data, DType type, std::int64_t index, float value) {
  if (type == DType::kF32) {
    static_cast<float*>(data)[index] = value;
  } else {
    static_cast<std::uint16_t*>(data)[index] = type == DType::kBf16 ? floatToBf16(value) : floatToHalf(value);
  }
}

// Without a branch for each element, so that it runs at the speed of memory. What NaN is compared with is
// false.
bool allFit(const TensorView& host, std::int64_t begin, std::int64_t end, float largest) {
  bool fit = true;
  if (host.type() == DType::kF32) {
    const float* values = host.f32();
    for (std::int64_t i = begin; i < end; ++i) fit &= std::abs(values[i]) <= largest;
    return fit;
  }
  const auto* bits = static_cast<const std::uint16_t*>(host.data());
  if (host.type() == DType::kBf16) {
    for (std::int64_t i = begin; i < end; ++i) fit &= std::abs(bf16ToFloat(bits[i])) <= largest;
    return fit;
  }
  constexpr std::uint16_t kExponent = 0x7c00;  // a half's; all ones: infinite, or not a number
  for (std::int64_t i = begin; i < end; ++i) fit &= (bits[i] & kExponent) != kExponent;
  return fit;
}

std::size_t bytesOf(DType type, std::initializer_list<std::int64_t> shape) {
  std::size_t bytes = dtypeBytes(type);
  for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
  return bytes;
}

Tensor allocateHost(DType type, std::initializer_list<std::int64_t> shape) {
  auto memory = hostMemory(bytesOf(type, shape));
  const TensorView view(memory.get(), type, shape);
  return Tensor(std::move(memory), view);
}

}  // namespace

float hostElement(const TensorView& host, std::int64_t index) {
  if (host.type() == DType::kF32) return host.f32()[index];
  const std::uint16_t bits = static_cast<const std::uint16_t*>(host.data())[index];
  return host.type() == DType::kBf16 ? bf16ToFloat(bits) : halfToFloat(bits);
}

Tensor HostMemory::allocate(DType type, std::initializer_list<std::int64_t> shape) {
  if (bytesOf(type, shape) > kMostKept) return allocateHost(type, shape);
  const Buffer buffer = take(bytesOf(type, shape));
  void* data = buffer.memory.get();
  std::shared_ptr<void> lease(data, [free = m_free, buffer](void*) {
    try {
      free->push_back(buffer);
    } catch (const std::bad_alloc&) {  // it is freed instead of kept
    }
  });
  return Tensor(std::move(lease), TensorView(data, type, shape));
}

HostMemory::Buffer HostMemory::take(std::size_t bytes) {
  const auto bySize = [](const Buffer& a, const Buffer& b) { return a.bytes < b.bytes; };
  std::sort(m_free->begin(), m_free->end(), bySize);
  const auto found = std::lower_bound(m_free->begin(), m_free->end(), Buffer{{}, bytes}, bySize);
  if (found != m_free->end()) {
    Buffer buffer = *found;
    m_free->erase(found);
    return buffer;
  }
  if (!m_free->empty())
    m_free->pop_back();  // the one that grows, so that no more are kept than live at a time
  return {hostMemory(bytes), bytes};
}

Tensor convertHost(const TensorView& host, DType type) {
  VITRINE_CHECK(host.rank() == 1 || host.rank() == 2);
  const std::int64_t count = host.elements();
  Tensor copy = host.rank() == 1 ? allocateHost(type, {host.extent(0)})
                                 : allocateHost(type, {host.extent(0), host.extent(1)});
  for (std::int64_t i = 0; i < count; ++i) storeElement(copy.view().data(), type, i, hostElement(host, i));
  return copy;
}

std::int64_t firstUnfit(const TensorView& host, float largest) {
  constexpr std::int64_t kChunk = 4096;
  const std::int64_t count = host.elements();
  for (std::int64_t begin = 0; begin < count; begin += kChunk) {
    const std::int64_t end = std::min(begin + kChunk, count);
    if (allFit(host, begin, end, largest)) continue;
    for (std::int64_t i = begin; i < end; ++i)
      if (!(std::abs(hostElement(host, i)) <= largest)) return i;
  }
  return -1;
}

WeightRows rowsOf(Tensor matrix) {
  const TensorView view = matrix.view();
  const std::int64_t columns = view.extent(view.rank() - 1);
  WeightRows rows = rowsOf(BlockMatrix{blockTypeOf(view.type()), static_cast<const std::byte*>(view.data()),
                                       view.elements() / columns, columns});
  rows.read = [memory = std::move(matrix), read = std::move(rows.read)](
                  std::int64_t first, std::span<std::byte> out) { read(first, out); };
  return rows;
}

WeightRows WeightSource::rows(std::string_view name, std::initializer_list<std::int64_t> shape) const {
  return rowsOf(get(name, shape));
}

WeightRows storedRows(const WeightSource& source, const TensorSpec& tensor) {
  return tensor.rows == 0 ? rowsOf(source.get(tensor.name, {tensor.columns}))
                          : source.rows(tensor.name, {tensor.rows, tensor.columns});
}

std::vector<std::byte> storedBytes(const WeightSource& source, const TensorSpec& tensor) {
  const WeightRows rows = storedRows(source, tensor);
  std::vector<std::byte> bytes(static_cast<std::size_t>(rows.outFeatures * rows.rowBytes()));
  rows.read(0, bytes);
  return bytes;
}

Tensor joinVectors(std::span<const TensorView> parts) {
  std::int64_t count = 0;
  for (const TensorView& part : parts) count += part.elements();
  Tensor joined = allocateHost(DType::kF32, {count});
  float* out = joined.view().f32();
  for (const TensorView& part : parts)
    for (std::int64_t i = 0; i < part.elements(); ++i) *out++ = hostElement(part, i);
  return joined;
}

}  // namespace vitrine
