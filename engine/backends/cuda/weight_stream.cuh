// The way of weights into shared memory while a step is carried out.
//
// In a product a warp has one segment of the inputs, as in few_rows_product.cu, and its set of eight one tile
// of outputs after another. So which warp reads which weights is known from the list of matrices alone, and
// each warp has a ring, into which the copy engine brings its next weights, of this product and of those
// behind it.
#pragma once

#include "backends/cuda/step_list.cuh"

namespace vitrine::cuda {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// The units of a product that a set takes: numbers first, first + step, ... below their count.
struct Turns {
  int first, step;
  __device__ Turns(int set, bool isTurned)
      : first((isTurned ? kSets - 1 - set : set) * static_cast<int>(gridDim.x) +
              static_cast<int>(blockIdx.x)),
        step(kSets * static_cast<int>(gridDim.x)) {}
};

// The way of a warp's ring through the weights of all products.
template <class Weights>
class WeightStream {
 public:
  __device__ WeightStream(const StreamedMatrix* matrices, int count, int warp, int stages, uint4* ring,
                          Barrier* arrivals, Barrier* departures)
      : m_matrices(matrices),
        m_left(count),
        m_set(warp / kSegments),
        m_segment(warp % kSegments),
        m_stages(stages),
        m_ring(ring),
        m_arrivals(arrivals),
        m_departures(departures),
        m_upcoming(count > 0 ? *matrices : StreamedMatrix{}) {
    nextMatrix();
  }

  // Asks for weights until all have been asked for. Few are under way at a time: more would not come sooner,
  // and all else that the multiprocessors read and write would wait behind them.
  __device__ void run() {
    Place asked, came;
    int underWay = 0;
    bool isFirstRound = true;
    while (m_unit < m_matrix.units) {
      if (underWay > 0 && hasEnded(m_arrivals + came.stage, came.round)) {
        came.advance(m_stages);
        --underWay;
      }
      if (underWay == kUnderWay || !(isFirstRound || hasEnded(m_departures + asked.stage, asked.round ^ 1))) {
        asm volatile("nanosleep.u32 60;");  // the warps beside it compute
        continue;
      }
      fetch(asked.stage);
      ++underWay;
      asked.advance(m_stages);
      isFirstRound = isFirstRound && asked.round == 0;
    }
  }

 private:
  static constexpr int kUnderWay = NumberTile::kBytes / Weights::kBytes;
  struct Place {
    int stage = 0;
    unsigned round = 0;  // its parity
    __device__ void advance(int stages) {
      if (++stage < stages) return;
      stage = 0;
      round ^= 1;
    }
  };

  __device__ void fetch(int stage) {
    const int tiles = min(kChunk, m_length - m_block), vectors = tiles * Weights(m_matrix.format).vectors(),
              bytes = vectors * 16;
    arriveExpecting(m_arrivals + stage, bytes);
    copyBulk(m_ring + stage * kStageVectors<Weights>, m_next, bytes, m_arrivals + stage);
    m_block += tiles;
    m_next += vectors;
    if (m_block < m_length) return;
    m_block = 0;
    if (m_matrix.isGate && !m_isSecond) {
      m_isSecond = true;
    } else {
      m_isSecond = false;
      m_unit += m_step;
    }
    if (m_unit < m_matrix.units)
      place();
    else
      nextMatrix();
  }
  __device__ void place() {
    const std::int64_t tile = m_unit + (m_isSecond ? m_matrix.units : 0);
    m_next = m_matrix.tiles + (tile * m_matrix.depth + m_first) * Weights(m_matrix.format).vectors();
  }
  // To the next one of which this warp has a part; behind the last one m_unit has no unit.
  __device__ void nextMatrix() {
    do {
      if (m_left == 0) {
        m_unit = m_matrix.units = 0;
        return;
      }
      m_matrix = m_upcoming;
      --m_left;
      ++m_matrices;
      if (m_left > 0) m_upcoming = *m_matrices;
      const Turns turns(m_set, m_matrix.isTurned);
      m_unit = turns.first;
      m_step = turns.step;
      m_first = min(m_segment * m_matrix.segment, m_matrix.depth);
      m_length = min(m_matrix.segment, m_matrix.depth - m_first);
    } while (m_unit >= m_matrix.units || m_length <= 0);
    m_block = 0;
    m_isSecond = false;
    place();
  }

  const StreamedMatrix* m_matrices;
  int m_left;
  const int m_set, m_segment, m_stages;
  uint4* const m_ring;
  Barrier *const m_arrivals, *const m_departures;
  StreamedMatrix m_matrix, m_upcoming;
  const uint4* m_next = nullptr;
  int m_unit = 0, m_step = 0, m_first = 0, m_length = 0, m_block = 0;
  bool m_isSecond = false;
};

#endif

}  // namespace vitrine::cuda
