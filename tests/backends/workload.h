// Random inputs for the backends' tests: matrices, and sequences whose tokens reach a backend in any order.
#pragma once

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "backends/backend.h"
#include "formats/small_floats.h"

namespace vitrine::test {

using Floats = std::vector<float>;

class Random {
 public:
  explicit Random(unsigned seed) : m_engine(seed) {}
  int between(int low, int high) {
    return low + static_cast<int>(m_engine() % static_cast<unsigned>(high - low + 1));
  }
  template <class T>
  T pick(std::initializer_list<T> from) {
    return *(from.begin() + between(0, static_cast<int>(from.size()) - 1));
  }
  float real() { return static_cast<float>(m_engine()) * 0x1p-31f - 1.0f; }  // [-1, 1]
  Floats reals(std::int64_t count, float scale = 1) {
    Floats values(static_cast<std::size_t>(count));
    for (float& value : values) value = real() * scale;
    return values;
  }
  std::mt19937& engine() { return m_engine; }

 private:
  std::mt19937 m_engine;
};

inline TensorView view(Floats& values, std::initializer_list<std::int64_t> shape) {
  return {values.data(), DType::kF32, shape};
}

inline bool sameBits(const Floats& a, const Floats& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

// The largest |a - b| over max(1, |b|): relative for large values, absolute for small ones.
inline double difference(const Floats& a, const Floats& b) {
  if (a.size() != b.size()) return 1e30;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(double{a[i]} - double{b[i]}) / std::max(1.0, std::abs(double{b[i]}));
    if (!(d <= worst)) worst = d;  // NaN is the worst
  }
  return worst;
}

inline Floats download(Backend& backend, const TensorView& tensor) {
  Floats values(static_cast<std::size_t>(tensor.elements()));
  backend.download(tensor, values.data());
  return values;
}

// Values rounded to a type, as a backend with such activations holds them.
inline Floats rounded(Floats values, DType type) {
  for (float& value : values) {
    if (type == DType::kBf16) value = bf16ToFloat(floatToBf16(value));
    if (type == DType::kF16) value = halfToFloat(floatToHalf(value));
  }
  return values;
}

inline Tensor upload(Backend& backend, const Floats& values, DType type,
                     std::initializer_list<std::int64_t> shape) {
  std::vector<std::byte> bits(values.size() * dtypeBytes(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (type == DType::kF32) {
      std::memcpy(bits.data() + i * sizeof(float), &values[i], sizeof(float));
      continue;
    }
    const std::uint16_t half = type == DType::kBf16 ? floatToBf16(values[i]) : floatToHalf(values[i]);
    std::memcpy(bits.data() + i * sizeof(half), &half, sizeof(half));
  }
  return backend.upload(TensorView(bits.data(), type, shape));
}

// Sequences with given q, k, v for every token; what attention must make of them does not depend on the rest.
struct AttendedSequences {
  int heads = 1, kvHeads = 1, headDim = 16, layers = 2, layer = 1;
  KvType kvType = KvType::kSame;
  AttentionParameters parameters;
  std::vector<int> lengths;
  std::vector<Floats> q, k, v;  // a sequence: [length, heads | kvHeads, headDim]

  static AttendedSequences random(Random& random, int maxLength) {
    AttendedSequences c;
    c.kvHeads = random.pick({1, 2, 3});
    c.heads = c.kvHeads * random.pick({1, 2, 3, 4, 7, 8});
    c.headDim = random.pick({12, 16, 20, 32, 64, 80, 96, 128});
    c.parameters.scale = 1.0f / std::sqrt(static_cast<float>(c.headDim));
    c.parameters.slidingWindow = random.pick({0, 0, 1, 5, 16, 33});
    for (int s = random.between(1, 4); s > 0; --s) {
      const int length = random.between(1, maxLength);
      c.lengths.push_back(length);
      c.q.push_back(random.reals(std::int64_t{length} * c.heads * c.headDim, 3));
      c.k.push_back(random.reals(std::int64_t{length} * c.kvHeads * c.headDim, 2));
      c.v.push_back(random.reals(std::int64_t{length} * c.kvHeads * c.headDim));
    }
    return c;
  }
};

// How a conversation is fed: nothing here may change the answer.
struct Feeding {
  int blockSize = 16;
  int maxChunk = 1 << 20;  // tokens of one sequence in one step, drawn from 1..maxChunk
  bool together = true;    // all sequences in one batch, or one after another
  bool shuffledBlocks = false;
  bool fused = false;  // q, k and v are columns of one matrix
  unsigned seed = 1;
};

// Runs storeKv() and attention() over a whole conversation, step by step.
class Feeder {
 public:
  Feeder(Backend& backend, const AttendedSequences& c, const Feeding& f)
      : m_backend(backend), m_c(c), m_f(f), m_random(f.seed), m_done(c.lengths.size(), 0) {
    for (int length : c.lengths) m_width = std::max(m_width, (length + f.blockSize - 1) / f.blockSize);
    const int sequences = static_cast<int>(c.lengths.size()), blocks = sequences * m_width + 3;
    std::vector<std::int32_t> order(static_cast<std::size_t>(blocks));
    std::iota(order.begin(), order.end(), 0);
    if (f.shuffledBlocks) std::shuffle(order.begin(), order.end(), m_random.engine());
    m_tables.assign(order.begin(), order.begin() + sequences * m_width);
    m_cache = backend.allocateKv(
        {c.layers, blocks, f.blockSize, c.kvHeads, c.headDim, c.kvType, backend.activations()});
    for (const Floats& q : c.q) m_out.emplace_back(q.size());
  }

  std::vector<Floats> run() {
    const auto left = [&](std::size_t s) { return m_c.lengths[s] - m_done[s]; };
    for (std::size_t turn = 0;; ++turn) {
      std::vector<std::size_t> members;
      for (std::size_t s = 0; s < m_done.size(); ++s)
        if (left(s) > 0 && (m_f.together || members.empty())) members.push_back(s);
      if (members.empty()) return m_out;
      std::vector<int> chunks;
      for (std::size_t s : members) chunks.push_back(m_random.between(1, std::min(left(s), m_f.maxChunk)));
      step(members, chunks);
    }
  }

 private:
  void step(const std::vector<std::size_t>& members, const std::vector<int>& chunks) {
    std::vector<std::int32_t> positions, slotOf, start = {0}, context, tables;
    std::vector<std::size_t> sequenceOf;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::size_t s = members[i];
      const auto* table = m_tables.data() + s * static_cast<std::size_t>(m_width);
      for (int p = m_done[s]; p < m_done[s] + chunks[i]; ++p) {
        positions.push_back(p);
        slotOf.push_back(table[p / m_f.blockSize] * m_f.blockSize + p % m_f.blockSize);
        sequenceOf.push_back(s);
      }
      m_done[s] += chunks[i];
      start.push_back(static_cast<std::int32_t>(positions.size()));
      context.push_back(m_done[s]);
      const int used = (m_done[s] + m_f.blockSize - 1) / m_f.blockSize;
      for (int b = 0; b < m_width; ++b) tables.push_back(b < used ? table[b] : -1);
    }
    m_backend.beginStep({positions, slotOf, start, context, tables, m_width});
    compute(positions, sequenceOf);
  }

  void compute(const std::vector<std::int32_t>& positions, const std::vector<std::size_t>& sequenceOf) {
    const auto tokens = static_cast<std::int64_t>(positions.size());
    const std::int64_t wide = std::int64_t{m_c.heads} * m_c.headDim,
                       narrow = std::int64_t{m_c.kvHeads} * m_c.headDim;
    const std::int64_t stride = m_f.fused ? wide + 2 * narrow : 0;
    Floats fused(static_cast<std::size_t>(tokens * (wide + 2 * narrow)));
    float* base[3] = {fused.data(), fused.data() + (stride > 0 ? wide : tokens * wide),
                      fused.data() + (stride > 0 ? wide + narrow : tokens * (wide + narrow))};
    for (std::int64_t t = 0; t < tokens; ++t) {
      const auto row = static_cast<std::size_t>(t);
      const auto put = [&](int which, const std::vector<Floats>& from, std::int64_t width) {
        std::copy_n(from[sequenceOf[row]].data() + positions[row] * width, width,
                    base[which] + t * (stride > 0 ? stride : width));
      };
      put(0, m_c.q, wide);
      put(1, m_c.k, narrow);
      put(2, m_c.v, narrow);
    }
    const DType type = m_backend.activations();
    const Tensor device = upload(m_backend, fused, type, {tokens, wide + 2 * narrow});
    const auto part = [&](std::int64_t at, std::int64_t width) {
      if (m_f.fused) return device.view().columns(at, width);
      const auto bytes = tokens * at * static_cast<std::int64_t>(dtypeBytes(type));
      return TensorView(static_cast<char*>(device.view().data()) + bytes, type, {tokens, width});
    };
    const Tensor out = m_backend.allocate(type, {tokens, m_c.heads, m_c.headDim});
    m_backend.storeKv(part(wide, narrow).heads(m_c.kvHeads, m_c.headDim),
                      part(wide + narrow, narrow).heads(m_c.kvHeads, m_c.headDim), *m_cache, m_c.layer);
    m_backend.attention(part(0, wide).heads(m_c.heads, m_c.headDim), *m_cache, m_c.layer, m_c.parameters,
                        out.view());
    const Floats result = download(m_backend, out.view());
    for (std::int64_t t = 0; t < tokens; ++t) {
      const auto row = static_cast<std::size_t>(t);
      std::copy_n(result.data() + t * wide, wide, m_out[sequenceOf[row]].data() + positions[row] * wide);
    }
  }

  Backend& m_backend;
  const AttendedSequences& m_c;
  const Feeding m_f;
  Random m_random;
  std::vector<int> m_done;
  int m_width = 1;
  std::vector<std::int32_t> m_tables;
  std::unique_ptr<KvCache> m_cache;
  std::vector<Floats> m_out;
};

inline std::vector<Floats> attend(Backend& backend, const AttendedSequences& c, const Feeding& f) {
  return Feeder(backend, c, f).run();
}

}  // namespace vitrine::test
