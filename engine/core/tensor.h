// TensorView: a pointer with a type, a shape and strides; Tensor: a view that owns its memory.
//
// What flows between the decoder and a backend. The memory may be a device's: only the backend that gave it
// may read it. Shapes are written in comments the way papers do: [tokens, heads, headDim].
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

#include "core/check.h"

namespace vitrine {

enum class DType : std::uint8_t { kF32, kBf16, kF16, kI32 };

constexpr std::size_t dtypeBytes(DType type) { return type == DType::kF32 || type == DType::kI32 ? 4 : 2; }

class TensorView {
 public:
  static constexpr int kMaxRank = 4;

  TensorView() = default;
  // Contiguous, the last dimension fastest.
  TensorView(void* data, DType type, std::initializer_list<std::int64_t> shape) : m_type(type) {
    VITRINE_CHECK(shape.size() <= kMaxRank);
    for (std::int64_t extent : shape) m_shape[m_rank++] = extent;
    *this = over(data);
  }

  bool empty() const { return m_data == nullptr; }
  DType type() const { return m_type; }
  int rank() const { return m_rank; }
  std::int64_t extent(int axis) const { return m_shape[axis]; }
  std::int64_t stride(int axis) const { return m_strides[axis]; }  // in elements
  std::int64_t elements() const {
    std::int64_t count = m_rank == 0 ? 0 : 1;
    for (int i = 0; i < m_rank; ++i) count *= m_shape[i];
    return count;
  }
  void* data() const { return m_data; }
  float* f32() const {
    VITRINE_CHECK(m_type == DType::kF32);
    return static_cast<float*>(m_data);
  }

  // Rows [first, first + count) of the first axis.
  TensorView rows(std::int64_t first, std::int64_t count) const {
    VITRINE_CHECK(m_rank > 0 && first >= 0 && count >= 0 && first + count <= m_shape[0]);
    TensorView view = *this;
    view.m_data =
        static_cast<char*>(m_data) + first * m_strides[0] * static_cast<std::int64_t>(dtypeBytes(m_type));
    view.m_shape[0] = count;
    return view;
  }
  // Columns [first, first + count) of a matrix [rows, columns]; the row stride stays.
  TensorView columns(std::int64_t first, std::int64_t count) const {
    VITRINE_CHECK(m_rank == 2 && first >= 0 && count >= 0 && first + count <= m_shape[1]);
    TensorView view = *this;
    view.m_data =
        static_cast<char*>(m_data) + first * m_strides[1] * static_cast<std::int64_t>(dtypeBytes(m_type));
    view.m_shape[1] = count;
    return view;
  }
  // The same shape over other memory, contiguous there.
  TensorView over(void* data) const {
    TensorView view = *this;
    view.m_data = data;
    std::int64_t stride = 1;
    for (int i = m_rank - 1; i >= 0; --i) {
      view.m_strides[i] = stride;
      stride *= m_shape[i];
    }
    return view;
  }
  // A matrix [rows, count * size] seen as [rows, count, size]; the row stride stays, so that a column slice
  // of a fused q-k-v matrix becomes heads without a copy.
  TensorView heads(std::int64_t count, std::int64_t size) const {
    VITRINE_CHECK(m_rank == 2 && count > 0 && size > 0 && m_shape[1] == count * size);
    TensorView view = *this;
    view.m_rank = 3;
    view.m_shape = {m_shape[0], count, size};
    view.m_strides = {m_strides[0], size * m_strides[1], m_strides[1]};
    return view;
  }

 private:
  void* m_data = nullptr;
  DType m_type = DType::kF32;
  int m_rank = 0;
  std::array<std::int64_t, kMaxRank> m_shape{};
  std::array<std::int64_t, kMaxRank> m_strides{};
};

class Tensor {
 public:
  Tensor() = default;
  Tensor(std::shared_ptr<void> memory, TensorView view) : m_memory(std::move(memory)), m_view(view) {}
  const TensorView& view() const { return m_view; }
  bool empty() const { return m_view.empty(); }

 private:
  std::shared_ptr<void> m_memory;
  TensorView m_view;
};

}  // namespace vitrine
