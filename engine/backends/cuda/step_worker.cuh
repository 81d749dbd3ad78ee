// What a block of threads does in the kernel that carries out a step of few sequences, all layers of it.
//
// There is one on each multiprocessor. Its sixteen warps stand in two sets of eight; in a product a warp has
// one segment of the inputs, as in few_rows_product.cu, and a set one tile of outputs after another, whose
// weights come by themselves (weight_stream.cuh). In attention four warps have a tile of a context.
//
// Blocks do not wait for each other, but for what they read: an operation's results pass from block to block
// as words (tagged_words.cuh), whose tag is the number of the operation. Four lists of words take turns. A
// list may be written anew three operations later: a block that writes then has read what all blocks wrote
// after they had read the list.
//
// Such a step is bound by latencies: everything that a block reads and that does not depend on the step
// before is brought before it is needed, and the code is kept short.
#pragma once

#include "backends/cuda/heads.cuh"
#include "backends/cuda/shared_rows.cuh"
#include "backends/cuda/weight_stream.cuh"

namespace vitrine::cuda {

// What a block of threads keeps beside its rings.
template <class T>
struct Kept {
  Step steps[kSteps];
  Barrier arrivals[kWarps][kMostStages], departures[kWarps][kMostStages], normArrival, stepArrivals[kSteps];
  alignas(16) float squares[StepProgram::kMostRows][kSegments];
  float queryNorm[kWidth], keyNorm[kWidth], cos[kWidth / 2], sin[kWidth / 2];
  std::int64_t places[kTile];  // of a tile's positions, from where the cache begins, but for the layer's part
  SharedByWarps shared;
  Queries<T, kWidth> queries;
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

inline constexpr int kFirstTeamWarp = 4;  // of those that attend
inline constexpr int kBringer = 1;        // the warp that brings steps, and weights of norms

// Of so many threads of a block, at a barrier of their own. Lanes that waited for words (readWords()) come
// one after another, and a warp must be at the barrier as one.
template <int number, int threads>
__device__ void meetAt() {
  __syncwarp();
  asm volatile("bar.sync %0, %1;" ::"n"(number), "n"(threads) : "memory");
}

struct Team {
  static __device__ int thread() { return static_cast<int>(threadIdx.x) - kFirstTeamWarp * kWarp; }
  static __device__ int threads() { return kTileWarps * kWarp; }
  static __device__ void meet() { meetAt<1, kTileWarps * kWarp>(); }
  static __device__ bool has(int warp) {
    return warp >= kFirstTeamWarp && warp < kFirstTeamWarp + kTileWarps;
  }
};

template <class T, class Weights>
class Worker {
 public:
  __device__ Worker(const Program<T>& program, Kept<T>& kept, uint4* memory)
      : m_program(program),
        m_kept(kept),
        m_thread(static_cast<int>(threadIdx.x)),
        m_lane(m_thread % kWarp),
        m_warp(m_thread / kWarp),
        m_ring(memory + m_warp * program.places.stages * kStageVectors<Weights>),
        m_x(at<unsigned>(memory, program.places.xAt)),
        m_floats(at<float>(memory, program.places.floatsAt)),
        m_partial(at<float>(memory, program.places.partialAt)),
        m_normWeight(at<float>(memory, program.places.normAt)),
        m_tile(*at<Tile<T, kWidth>>(memory, program.places.tileAt)),
        m_piece(program) {}

  __device__ void run() {
    for (int i = m_thread; i < kMmaRows * (kWidth + 8); i += kThreads)
      (&m_kept.queries.rows[0][0])[i] = fromFloat<T>(0);
    if (m_program.times != nullptr && m_thread == 0) atomicMin(timeAt(0), nowNs());
    passInput();
    if (m_piece.isThere) findPlaces();
    meet();
    for (int i = 0; i < kStepsAhead; ++i) bring(i);
#pragma unroll 1
    for (int i = -1; i < m_program.stepCount; ++i) {
      bring(i + 1 + kStepsAhead);
      if (i + 1 < m_program.stepCount) {
        waitFor(&m_kept.stepArrivals[(i + 1) % kSteps], (i + 1) / kSteps % 2);
        prepare(m_kept.steps[(i + 1) % kSteps]);
      }
      if (i < 0) continue;
      const Step& step = m_kept.steps[i % kSteps];
      m_tag = m_program.firstTag + i;
      m_in = listOf(i - 1);
      m_out = listOf(i);
      if (step.kind == StepKind::kProduct)
        multiply(step);
      else if (Team::has(m_warp) && m_piece.isThere)
        attend(step);
      if (m_program.times != nullptr && i < StepProgram::kTimed && Team::thread() == 0)
        atomicMax(timeAt(1 + i), nowNs());
    }
  }

 private:
  static __device__ unsigned long long nowNs() {
    unsigned long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
  }
  __device__ unsigned long long* timeAt(int i) const {
    return reinterpret_cast<unsigned long long*>(m_program.times) + i;
  }
  template <class Value>
  static __device__ Value* at(uint4* memory, int bytes) {
    return reinterpret_cast<Value*>(reinterpret_cast<char*>(memory) + bytes);
  }
  __device__ void meet() { meetAt<2, kThreads>(); }
  __device__ Word* listOf(int step) const {
    return m_program.lists + (step + kLists) % kLists * m_program.listWords;
  }

  // What the first step reads, as if a step before it had passed it on.
  __device__ void passInput() {
    const int words = m_program.steps[0].wordsIn;
#pragma unroll 1
    for (int row = 0; row < m_program.rows; ++row)
#pragma unroll 1
      for (int i = static_cast<int>(blockIdx.x) * kThreads + m_thread; i < words;
           i += static_cast<int>(gridDim.x) * kThreads)
        writeWord(listOf(-1) + row * words + i,
                  tagged(m_program.input[row * m_program.inputStride + i], m_program.firstTag - 1));
  }

  // What of the block's piece of attention is the same in all layers.
  __device__ void findPlaces() {
    const HeadsOfLayers<T>& heads = m_program.heads;
    if (m_thread < kTile) {
      const int position = min(m_piece.tile * kTile + m_thread, m_piece.position),
                block = position / heads.blockSize;
      const AttentionBatch& batch = heads.attention.batch;
      m_kept.places[m_thread] =
          batch.tables[std::int64_t{m_piece.row} * batch.tableWidth + block] * heads.blockElements +
          (position - block * heads.blockSize) * heads.headDim;
    }
    if (m_thread < heads.headDim / 2) {
      m_kept.cos[m_thread] = heads.cos.at(m_piece.row)[m_thread];
      m_kept.sin[m_thread] = heads.sin.at(m_piece.row)[m_thread];
    }
  }

  // Begins to bring a step's description.
  __device__ void bring(int number) {
    if (m_warp != kBringer || m_lane != 0 || number >= m_program.stepCount) return;
    Barrier* const arrival = &m_kept.stepArrivals[number % kSteps];
    arriveExpecting(arrival, sizeof(Step));
    copyBulk(&m_kept.steps[number % kSteps], m_program.steps + number, sizeof(Step), arrival);
  }

  // What can be done of a step before what it reads is there: weights of norms, keys and values of earlier
  // steps.
  __device__ void prepare(const Step& step) {
    if (step.kind == StepKind::kAttention) {
      if (Team::has(m_warp) && m_piece.isThere) fetchOld(step.attend);
    } else if (m_warp == kBringer && m_lane == 0) {
      const ProductStep& product = step.multiply;
      if (product.normWeight == nullptr || !hasUnits(product)) return;
      const int bytes = product.inputs * static_cast<int>(sizeof(float));
      arriveExpecting(&m_kept.normArrival, bytes);
      copyBulk(m_normWeight, product.normWeight, bytes, &m_kept.normArrival);
    }
  }

  static __device__ bool hasUnits(const ProductStep& step) {
    return static_cast<int>(blockIdx.x) < step.units;
  }

  // x in shared memory, as the tensor cores' first operand: of its sixteen rows a lane has the two g and
  // g + 8, where g = lane / 4, which are rows 2g and 2g + 1 of x. Its eight words of a tile, two inputs each,
  // stand together, those of the first mma in front.
  static __device__ int strideOf(const ProductStep& step) { return 2 * step.depth * kTileWords + 4; }
  static __device__ int placeOf(int row, int word, int stride) {
    return row / 2 * stride + word / kTileWords * 2 * kTileWords + word % 4 * 8 + word % kTileWords / 4 * 2 +
           row % 2;
  }

  // Rows of x, as they are; behind the last input zeros.
  __device__ void copyRows(const ProductStep& product, int wordsIn) {
    constexpr int kTogether = 4;
    const int words = product.depth * kTileWords, stride = strideOf(product);
#pragma unroll 1
    for (int row = 0; row < m_program.rows; ++row) {
      unsigned* to = m_x + placeOf(row, m_thread, stride);
#pragma unroll 1
      for (int first = m_thread; first < words; first += kTogether * kThreads) {
        unsigned numbers[kTogether];
        readWords(m_in + row * wordsIn, first, kThreads, wordsIn, m_tag - 1, numbers);
#pragma unroll
        for (int i = 0; i < kTogether; ++i, to += 2 * kThreads)
          if (first + i * kThreads < words) *to = numbers[i];
      }
    }
  }

  // Rows of the residual stream, normed: the arithmetic of norm.cu, by sets in turn.
  __device__ void normRows(const ProductStep& product, int wordsIn) {
    constexpr int kSetThreads = kSegments * kWarp, kTogether = 4;
    const int width = product.inputs, stride = strideOf(product);
#pragma unroll 1
    for (int row = m_thread / kSetThreads; row < m_program.rows; row += kSets) {
      float squares = 0;
#pragma unroll 1
      for (int first = m_thread % kSetThreads; first < width; first += kTogether * kSetThreads) {
        unsigned numbers[kTogether];
        readWords(m_in + row * wordsIn, first, kSetThreads, width, m_tag - 1, numbers);
#pragma unroll
        for (int i = 0; i < kTogether; ++i) {
          const float value = __uint_as_float(numbers[i]);
          squares = fmaf(value, value, squares);
          if (first + i * kSetThreads < width) m_floats[row * width + first + i * kSetThreads] = value;
        }
      }
      squares = warpSum(squares);
      if (m_lane == 0) m_kept.squares[row][m_warp % kSegments] = squares;
    }
    waitFor(&m_kept.normArrival, m_normPhase);
    m_normPhase ^= 1;
    meet();
    const int words = product.depth * kTileWords;
    const auto* const weights = reinterpret_cast<const float2*>(m_normWeight);
#pragma unroll 1
    for (int row = 0; row < m_program.rows; ++row) {
      const auto* const parts = reinterpret_cast<const float4*>(m_kept.squares[row]);
      float sum = 0;
#pragma unroll
      for (int i = 0; i < kSegments / 4; ++i) {
        const float4 four = parts[i];
        sum = (((sum + four.x) + four.y) + four.z) + four.w;
      }
      const float scale = normScale(sum, width, product.eps);
      const auto* const from = reinterpret_cast<const float2*>(m_floats + row * width);
      unsigned* to = m_x + placeOf(row, m_thread, stride);
#pragma unroll 1
      for (int word = m_thread; word < words; word += kThreads, to += 2 * kThreads) {
        unsigned pair = 0;  // behind the last input
        if (2 * word < width) {
          const float2 values = from[word], weight = weights[word];
          pair = packPair(values.x * scale * weight.x, values.y * scale * weight.y, T{});
        }
        *to = pair;
      }
    }
  }

  // Adds the segment's products of `tiles` output tiles, which stand one behind another in the ring. Two at
  // once must have a stage each.
  template <int tiles>
  __device__ void addTiles(const Weights& read, const unsigned* x, int length, float (&sums)[tiles][4]) {
#pragma unroll 1
    for (int left = length; left > 0; left -= kChunk) {
      const uint4* from[tiles];
      Barrier* departures[tiles];
#pragma unroll
      for (int of = 0; of < tiles; ++of) {
        departures[of] = &m_kept.departures[m_warp][m_stage];
        from[of] = m_ring + m_stage * kStageVectors<Weights>;
        waitFor(&m_kept.arrivals[m_warp][m_stage], m_phase);
        if (++m_stage == m_program.places.stages) {
          m_stage = 0;
          m_phase ^= 1;
        }
      }
      if (left >= kChunk) {
        addChunk<kChunk>(read, x, from, sums);
        x += kChunk * 2 * kTileWords;
      } else {
#pragma unroll 1
        for (int i = 0; i < left; ++i, x += 2 * kTileWords) {
          addChunk<1>(read, x, from, sums);
#pragma unroll
          for (int of = 0; of < tiles; ++of) from[of] += read.vectors();
        }
      }
      __syncwarp();
      if (m_lane == 0)
#pragma unroll
        for (int of = 0; of < tiles; ++of) arrive(departures[of]);
    }
  }
  // Of `count` tiles of inputs. What the next one takes is on its way while one is multiplied.
  template <int count, int tiles>
  __device__ void addChunk(const Weights& read, const unsigned* x, const uint4* const (&from)[tiles],
                           float (&sums)[tiles][4]) {
    unsigned weights[count][tiles][4], inputs[count][2][4];
#pragma unroll
    for (int i = 0; i <= count; ++i) {
      if (i < count) {
        loadShared(inputs[i][0], x + i * 2 * kTileWords);
        loadShared(inputs[i][1], x + i * 2 * kTileWords + 4);
#pragma unroll
        for (int of = 0; of < tiles; ++of) read.load(weights[i][of], from[of] + i * read.vectors(), m_lane);
      }
      if (i == 0) continue;
#pragma unroll
      for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int of = 0; of < tiles; ++of)
          mma(sums[of], inputs[i - 1][half], weights[i - 1][of][2 * half], weights[i - 1][of][2 * half + 1],
              T{});
    }
  }
  // Sixteen bytes, when they are asked for here: a load that the compiler may move comes as late as it can.
  static __device__ void loadShared(unsigned (&to)[4], const unsigned* from) {
    asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(sharedAddress(from)));
  }

  // Where a warp's sums of an output tile stand: [set, held][segment][row][output].
  __device__ float* partialAt(int set, int held, int segment) const {
    return m_partial + ((set * kHeld + held) * kSegments + segment) * m_program.rows * kTileOutputs;
  }
  __device__ void keep(int held, const float (&sums)[4]) {
    float* const to = partialAt(m_warp / kSegments, held, m_warp % kSegments) + m_lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if (const int row = m_lane / 4 * 2 + i; row < m_program.rows)
        *reinterpret_cast<float2*>(to + row * kTileOutputs) = {sums[2 * i], sums[2 * i + 1]};
  }

  __device__ void multiply(const Step& whole) {
    const ProductStep& step = whole.multiply;
    // No warp runs ahead of the others for long: the descriptions of eight steps stand in a ring (bring()).
    if (!hasUnits(step)) return meet();
    const int units = step.units, first = min(m_warp % kSegments * step.segment, step.depth),
              length = min(step.segment, step.depth - first);
    const int each = step.finish == Finish::kGate ? 2 : 1;  // tiles of a unit
    const int heldUnits = kHeld / each;
    const Turns turns(m_warp / kSegments, step.isTurned);
    const Weights read(step.format);
    if (step.normWeight != nullptr)
      normRows(step, whole.wordsIn);
    else
      copyRows(step, whole.wordsIn);
    // Rows that are not there are read as the last ones, and not kept.
    const unsigned* const x = m_x + min(m_lane / 4, (m_program.rows - 1) / 2) * strideOf(step) +
                              first * 2 * kTileWords + m_lane % 4 * 8;
    meet();
    Ending ending(*this, step, 0);
#pragma unroll 1
    for (int begin = 0, mine = turns.first; begin < units; begin += heldUnits * turns.step) {
      int held = 0;
#pragma unroll 1
      for (; held < kHeld && mine < units; mine += turns.step) {
        const bool arePairs =
            length <= kChunk && (each == 2 || (held + 1 < kHeld && mine + turns.step < units));
        if (arePairs) {
          float sums[2][4] = {};
          addTiles<2>(read, x, length, sums);
          keep(held, sums[0]);
          keep(held + 1, sums[1]);
          held += 2;
          if (each == 1) mine += turns.step;
        } else {
#pragma unroll 1
          for (int tile = 0; tile < each; ++tile) {
            float sums[1][4] = {};
            addTiles<1>(read, x, length, sums);
            keep(held++, sums[0]);
          }
        }
      }
      if (begin > 0) ending = Ending(*this, step, begin);
      meet();
      if (ending.isThere) finish(step, whole.wordsOut, ending);
      if (begin + heldUnits * turns.step < units) meet();  // before sums are written where others read
    }
  }

  // What a lane has of the units that were held, when their segments are added, a warp for each: two
  // neighbouring outputs of a row. Known before the sums are.
  struct Ending {
    bool isThere;
    int output;
    float2 residual;
    __device__ Ending(const Worker& worker, const ProductStep& step, int begin) {
      const int heldUnits = step.finish == Finish::kGate ? kHeld / 2 : kHeld;
      const int set = worker.m_warp % kSets, held = worker.m_warp / kSets, row = worker.m_lane / 4;
      const Turns turns(set, step.isTurned);
      const int unit = begin + turns.first + held * turns.step;
      output = unit * kTileOutputs + worker.m_lane % 4 * 2;
      isThere = held < heldUnits && row < worker.m_program.rows && unit < step.units && output < step.outputs;
      if (isThere && step.finish == Finish::kAdd)  // this block wrote it, if any did
        residual = *reinterpret_cast<const float2*>(static_cast<const float*>(step.out) +
                                                    row * step.outStride + output);
    }
  };
  // Adds the segments, and passes on what becomes of the sums.
  __device__ void finish(const ProductStep& step, int wordsOut, const Ending& ending) {
    const int set = m_warp % kSets, held = m_warp / kSets, row = m_lane / 4, output = ending.output;
    const bool isGate = step.finish == Finish::kGate;
    float2 sums = sumsAt(set, isGate ? 2 * held : held), bias = {0, 0};
    if (step.bias != nullptr) {
      bias = *reinterpret_cast<const float2*>(step.bias + output);
      sums = {sums.x + bias.x, sums.y + bias.y};
    }
    if (step.finish == Finish::kAdd) {
      const float2 value = {ending.residual.x + sums.x, ending.residual.y + sums.y};
      Word* const to = m_out + row * wordsOut + output;
      writeWord(to, tagged(__float_as_uint(value.x), m_tag));
      writeWord(to + 1, tagged(__float_as_uint(value.y), m_tag));
      *reinterpret_cast<float2*>(static_cast<float*>(step.out) + row * step.outStride + output) = value;
      return;
    }
    unsigned pair = packPair(sums.x, sums.y, T{});
    if (isGate) {
      float2 ups = sumsAt(set, 2 * held + 1);
      if (step.bias != nullptr) {
        bias = *reinterpret_cast<const float2*>(step.bias + step.outputs / 2 + output);
        ups = {ups.x + bias.x, ups.y + bias.y};
      }
      const auto value = [](float gate, float up) {
        return toFloat(gated(fromFloat<T>(gate), fromFloat<T>(up)));
      };
      pair = packPair(value(sums.x, ups.x), value(sums.y, ups.y), T{});
    }
    writeWord(m_out + row * wordsOut + output / 2, tagged(pair, m_tag));
    *reinterpret_cast<unsigned*>(static_cast<T*>(step.out) + row * step.outStride + output) = pair;
  }
  __device__ float2 sumsAt(int set, int held) const {
    float2 sum = {0, 0};
#pragma unroll
    for (int segment = 0; segment < kSegments; ++segment) {
      const float2 part = *reinterpret_cast<const float2*>(partialAt(set, held, segment) + 2 * m_lane);
      sum.x += part.x;
      sum.y += part.y;
    }
    return sum;
  }

  // The block's piece of the work of attention: a tile of a sequence's context, for a key-value head.
  struct Piece {
    int row, kvHead, tile, position = -1;  // position: of the row's token
    bool isThere = false;
    __device__ explicit Piece(const Program<T>& program) {
      const HeadsOfLayers<T>& heads = program.heads;
      const int number = static_cast<int>(blockIdx.x), rest = number / heads.tiles;
      tile = number - rest * heads.tiles;
      row = rest / heads.kvHeads;
      kvHead = rest - row * heads.kvHeads;
      if (row >= program.rows || heads.headDim == 0) return;
      position = heads.attention.batch.positions[row];
      isThere = tile * kTile <= position;
    }
  };

  // Begins to bring the keys and values of earlier steps, and what heads are normed by.
  __device__ void fetchOld(const AttentionStep& step) {
    constexpr int kVector = 8, kVectors = kWidth / kVector;
    const int headDim = m_program.heads.headDim, i = Team::thread(), element = i % kVectors * kVector;
    if (step.queryNorm != nullptr && i < headDim) copyAsync4(m_kept.queryNorm + i, step.queryNorm + i);
    if (step.keyNorm != nullptr && i < headDim) copyAsync4(m_kept.keyNorm + i, step.keyNorm + i);
    const Seen seen = seenFrom(m_piece.position, step.slidingWindow);
    const T* const cache = static_cast<const T*>(m_program.heads.attention.cache.data) + element;
    const std::int64_t keysAt = keysOf(step), valuesAt = keysAt + step.valuesAt - step.keysAt;
#pragma unroll 1
    for (int row = i / kVectors; row < kTile; row += Team::threads() / kVectors) {
      const int position = m_piece.tile * kTile + row;
      if (position == seen.last) continue;  // this step's
      if (position < seen.first || position > seen.last || element >= headDim) {
        *reinterpret_cast<uint4*>(&m_tile.keys[row][element]) = {};
        *reinterpret_cast<uint4*>(&m_tile.values[row][element]) = {};
      } else {
        copyAsync16(&m_tile.keys[row][element], cache + keysAt + m_kept.places[row]);
        copyAsync16(&m_tile.values[row][element], cache + valuesAt + m_kept.places[row]);
      }
    }
    commitCopies();
  }
  // Where the keys of the piece's head begin, from the place of a position.
  __device__ std::int64_t keysOf(const AttentionStep& step) const {
    return step.keysAt + m_piece.kvHead * m_program.heads.blockSize * m_program.heads.headDim;
  }

  // The heads of the piece's key-value head, ready for attention: queries, and the new key and value, which
  // go into the tile and into the cache.
  __device__ void prepareHeads(const Step& step) {
    const HeadsOfLayers<T>& heads = m_program.heads;
    const int group = heads.attention.group, pairs = heads.headDim / 2;
    const int place = m_piece.position - m_piece.tile * kTile;  // of the new position in the tile
#pragma unroll 1
    for (int i = Team::thread() / kWarp; i < group + (place < kTile ? 2 : 0); i += kTileWarps) {
      const int which = i - group;  // 0 the key, 1 the value, before them queries
      const int head =
          which < 0 ? m_piece.kvHead * group + i : heads.queryHeads + which * heads.kvHeads + m_piece.kvHead;
      T* const row = which < 0    ? m_kept.queries.rows[i]
                     : which == 0 ? m_tile.keys[place]
                                  : m_tile.values[place];
      unsigned numbers[kWidth / 2 / kWarp];
      readWords(m_in + m_piece.row * step.wordsIn + head * pairs, m_lane, kWarp, pairs, m_tag - 1, numbers);
#pragma unroll
      for (int j = 0; j < kWidth / 2 / kWarp; ++j)  // zeros behind the head
        reinterpret_cast<unsigned*>(row)[m_lane + j * kWarp] = numbers[j];
      __syncwarp();
      const bool isNormed = (which < 0 ? step.attend.queryNorm : step.attend.keyNorm) != nullptr;
      if (which != 1)
        turnHead<kWidth>(heads.headDim,
                         !isNormed   ? nullptr
                         : which < 0 ? m_kept.queryNorm
                                     : m_kept.keyNorm,
                         step.attend.eps, m_kept.cos, m_kept.sin, row);
      if (which < 0) continue;
      const std::int64_t at = keysOf(step.attend) + which * (step.attend.valuesAt - step.attend.keysAt);
      auto* const slot = reinterpret_cast<unsigned*>(static_cast<T*>(heads.attention.cache.data) + at +
                                                     m_kept.places[place]);
#pragma unroll
      for (int j = 0; j < kWidth / 2 / kWarp; ++j)
        if (m_lane + j * kWarp < pairs)
          slot[m_lane + j * kWarp] = reinterpret_cast<const unsigned*>(row)[m_lane + j * kWarp];
    }
  }

  __device__ int stateWords() const {
    return static_cast<int>(TileStates::floatsOf(m_program.heads.headDim));
  }
  // Of a head of the piece's row: a tile's states of all rows and heads stand together.
  __device__ Word* stateOf(int tile, int head) const {
    return m_program.states +
           ((tile * m_program.rows + m_piece.row) * m_program.heads.queryHeads + head) * stateWords();
  }

  __device__ void attend(const Step& step) {
    Attention<T> a = m_program.heads.attention;
    a.batch.scale = step.attend.scale;
    a.batch.slidingWindow = step.attend.slidingWindow;
    const Seen seen = seenFrom(m_piece.position, a.batch.slidingWindow);
    if (m_piece.tile < seen.firstTile()) return;
    waitForCopies<0>();
    Team::meet();
    prepareHeads(step);
    Team::meet();
    SharedRows<T, kWidth, Team> shares(a, {m_piece.row, 1, m_piece.row}, m_piece.kvHead, m_kept.queries,
                                       m_kept.shared);
    shares.attend(m_tile, m_piece.tile);
    shares.each(
        [&](int half, int, int head) {
          Word* const state = stateOf(m_piece.tile, head);
          writeWord(state, tagged(__float_as_uint(shares.largest[half]), m_tag));
          writeWord(state + 1, tagged(__float_as_uint(shares.sum[half]), m_tag));
        },
        [&](int half, int, int head, int column, int element) {
          if (element >= m_program.heads.headDim) return;
          Word* const state = stateOf(m_piece.tile, head) + 2 + element;
          for (int i = 0; i < 2; ++i)
            writeWord(state + i, tagged(__float_as_uint(shares.values[column][2 * half + i]), m_tag));
        });
    if (m_piece.tile == seen.lastTile()) mergeStates(a, step.wordsOut, seen);
  }

  // The states of all tiles of the piece's heads become what attention gives: the arithmetic of
  // mergedElement().
  __device__ void mergeStates(const Attention<T>& a, int wordsOut, const Seen& seen) {
    constexpr int kTogether = 4;
    const int pairs = m_program.heads.headDim / 2,
              step = m_program.rows * m_program.heads.queryHeads * stateWords();
#pragma unroll 1
    for (int i = Team::thread(); i < a.group * pairs; i += Team::threads()) {
      const int inGroup = i / pairs, head = m_piece.kvHead * a.group + inGroup,
                element = 2 * (i - inGroup * pairs);
      float largest = -INFINITY, sum = 0, first = 0, second = 0;
      const Word* state = stateOf(seen.firstTile(), head);
#pragma unroll 1
      for (int left = seen.lastTile() + 1 - seen.firstTile(); left > 0; left -= kTogether) {
        uint4 sums[kTogether], values[kTogether];  // a number, its tag, another, its tag
        bool isMissing;
        do {
          isMissing = false;
#pragma unroll
          for (int j = 0; j < kTogether; ++j) {
            const Word* const from = state + min(j, left - 1) * step;
            sums[j] = readPair(from);
            values[j] = readPair(from + 2 + element);
          }
#pragma unroll
          for (int j = 0; j < kTogether; ++j)
            isMissing = isMissing || sums[j].y != m_tag || sums[j].w != m_tag || values[j].y != m_tag ||
                        values[j].w != m_tag;
        } while (isMissing);
#pragma unroll
        for (int j = 0; j < kTogether; ++j) {
          if (j >= left) break;
          const Merging merging(largest, __uint_as_float(sums[j].x));
          sum = merging(sum, __uint_as_float(sums[j].z));
          first = merging(first, __uint_as_float(values[j].x));
          second = merging(second, __uint_as_float(values[j].z));
          largest = merging.largest;
        }
        state += kTogether * step;
      }
      const unsigned pair = packPair(first / sum, second / sum, T{});
      writeWord(m_out + m_piece.row * wordsOut + head * pairs + element / 2, tagged(pair, m_tag));
      *reinterpret_cast<unsigned*>(a.out.at(m_piece.row, head) + element) = pair;
    }
  }

  const Program<T>& m_program;
  Kept<T>& m_kept;
  const int m_thread, m_lane, m_warp;
  uint4* const m_ring;
  unsigned* const m_x;
  float *const m_floats, *const m_partial, *const m_normWeight;
  Tile<T, kWidth>& m_tile;
  const Piece m_piece;
  const Word* m_in = nullptr;  // of the step: what the one before it has passed on, and what it passes on
  Word* m_out = nullptr;
  std::uint32_t m_tag = 0;
  int m_stage = 0;
  unsigned m_phase = 0, m_normPhase = 0;
};

#endif

}  // namespace vitrine::cuda
