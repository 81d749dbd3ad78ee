#include "models/host_tensor.h"

#include <bit>
#include <cmath>
#include <new>

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

float bf16ToFloat(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

std::uint16_t floatToBf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float halfToFloat(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits} >> 15 << 31, exponent = bits >> 10 & 31,
                      mantissa = bits & 1023;
  if (exponent == 0) {  // subnormal: a count of 2^-24
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t widened = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | widened << 23 | mantissa << 13);
}

std::uint16_t floatToHalf(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return sign | 0x7e00;
  const float magnitude = std::abs(value);
  if (magnitude >= 65520.0f) return sign | 0x7c00;
  // In units of the last place half would have there, rounded by the machine's own ties-to-even.
  const int exponent = std::max(std::ilogb(magnitude == 0 ? 0x1p-24f : magnitude), -14);
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign + ((exponent + 14) << 10) + units);
}

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
