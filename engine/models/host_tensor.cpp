#include "models/host_tensor.h"

#include <new>

#include "core/small_floats.h"
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

}  // namespace

float hostElement(const TensorView& host, std::int64_t index) {
  if (host.type() == DType::kF32) return host.f32()[index];
  const std::uint16_t bits = static_cast<const std::uint16_t*>(host.data())[index];
  return host.type() == DType::kBf16 ? bf16ToFloat(bits) : halfToFloat(bits);
}

Tensor convertHost(const TensorView& host, DType type) {
  VITRINE_CHECK(host.rank() == 1 || host.rank() == 2);
  const std::int64_t count = host.elements();
  auto memory = hostMemory(static_cast<std::size_t>(count) * dtypeBytes(type));
  for (std::int64_t i = 0; i < count; ++i) storeElement(memory.get(), type, i, hostElement(host, i));
  void* data = memory.get();
  if (host.rank() == 1) return Tensor(std::move(memory), TensorView(data, type, {host.extent(0)}));
  return Tensor(std::move(memory), TensorView(data, type, {host.extent(0), host.extent(1)}));
}

Tensor joinVectors(std::span<const TensorView> parts) {
  std::int64_t count = 0;
  for (const TensorView& part : parts) count += part.elements();
  auto memory = hostMemory(static_cast<std::size_t>(count) * sizeof(float));
  auto* out = static_cast<float*>(memory.get());
  for (const TensorView& part : parts)
    for (std::int64_t i = 0; i < part.elements(); ++i) *out++ = hostElement(part, i);
  void* data = memory.get();
  return Tensor(std::move(memory), TensorView(data, DType::kF32, {count}));
}

}  // namespace vitrine
