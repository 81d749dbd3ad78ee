// The tensor cores' product: which kernel computes it. All have the same bits (product.cuh).
#include <algorithm>

#include "backends/cuda/product.cuh"

namespace vitrine::cuda {
namespace {

constexpr std::int64_t kMostDecoded = 16;    // rows that fewRowsProduct() takes at a time
constexpr std::int64_t kMostFromCodes = 64;  // rows for which codes become numbers where they are multiplied

// Whether warpgroupProduct() takes so many rows.
bool fitsWarpgroups(std::int64_t rows, std::int64_t inputs, const Gpu& gpu) {
  return gpu.hasWarpgroups && rows > kMostDecoded && inputs % (2 * kTileInputs) == 0;
}

// Whether tiledProduct() takes them.
bool fitsTiles(std::int64_t rows, std::int64_t outputs, const Gpu& gpu) {
  constexpr std::int64_t kSquareSide = 64;
  const std::int64_t squares =
      (rows + kSquareSide - 1) / kSquareSide * ((outputs + kSquareSide - 1) / kSquareSide);
  return gpu.hasMma16 && rows > kSquareSide && squares >= gpu.multiprocessors;
}

template <class T, class Out, Finish finish>
void choose(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
            const Queue& queue) {
  if (product.isAligned && fitsWarpgroups(product.rows, product.inputs, gpu))
    return warpgroupProduct(product, finishing, gpu, queue);
  if constexpr (finish != Finish::kGate)
    if (product.isAligned && fitsTiles(product.rows, product.outputs, gpu))
      return tiledProduct(product, finishing, gpu, queue);
  fewRowsProduct(product, finishing, gpu, queue);
}

// Whether a product of codes reads each of them so often that they become numbers first.
template <class T>
bool expands(const Product<T>& product, const Gpu& gpu) {
  return product.format != TileFormat::kNumbers && product.rows > kMostFromCodes && product.isAligned &&
         (fitsWarpgroups(product.rows, product.inputs, gpu) || fitsTiles(product.rows, product.outputs, gpu));
}

// Some outputs after others: their codes become numbers, as many as there is room for and the second-level
// cache holds, and a kernel for numbers multiplies by them. Of a gate, as many of each half.
template <class T, class Out, Finish finish>
void multiplyExpanded(const Product<T>& product, const Finishing<T, Out, finish>& finishing,
                      const PackedMatrix& matrix, const Gpu& gpu, const Queue& queue) {
  constexpr std::int64_t kParts = finish == Finish::kGate ? 2 : 1;
  constexpr std::int64_t kEven = 16;  // output tiles that a block of threads takes
  const std::int64_t tileElements = std::int64_t{product.depth()} * kTileOutputs * kTileInputs,
                     room = kExpansionBytes / static_cast<std::int64_t>(sizeof(T)) / (kParts * tileElements),
                     most = room < kEven ? room : room / kEven * kEven, all = product.outputTiles() / kParts;
  VITRINE_CHECK(most > 0);
  const Queue afterThem{queue.stream, false};  // what the kernel in front writes must not be fetched early
  for (std::int64_t first = 0; first < all; first += most) {
    const std::int64_t tiles = std::min(most, all - first), output = first * kTileOutputs;
    T* const numbers = static_cast<T*>(matrix.expansion);
    for (std::int64_t part = 0; part < kParts; ++part)
      expandTiles(matrix, part * all + first, tiles, numbers + part * tiles * tileElements, queue);
    Product<T> some = product;
    some.tiles = numbers;
    some.format = TileFormat::kNumbers;
    some.outputs = std::min(kParts * tiles * kTileOutputs, product.outputs - output);
    Finishing<T, Out, finish> into = finishing;
    into.out.data += output;
    if (into.bias != nullptr) into.bias += output;
    choose(some, into, gpu, afterThem);
  }
}

}  // namespace

bool gatesInProduct(const PackedMatrix& matrix, std::int64_t rows, const Gpu& gpu) {
  constexpr std::int64_t kMostRows = 64;
  return matrix.type != DType::kF32 && matrix.outputs % (2 * kTileOutputs) == 0 &&
         (rows <= kMostRows || fitsWarpgroups(rows, matrix.inputs, gpu));
}

// So wide that norm.cu takes as many threads as the product has.
bool normsInProduct(const PackedMatrix& matrix, std::int64_t rows) {
  return matrix.type != DType::kF32 && rows <= kMostNormedRows && matrix.inputs > kNarrowNorm;
}

void tensorCoreProduct(const TensorView& x, const ResidualNorm* norm, const PackedMatrix& matrix,
                       const TensorView& bias, const TensorView& out, Finish finish, const Gpu& gpu,
                       const Queue& queue) {
  const auto run = [&](auto element, auto result, auto kind) {
    using T = decltype(element);
    using Out = decltype(result);
    const bool isAligned = matrix.inputs % kTileInputs == 0 && isInVectors(x, 8);
    InputNorm input = {};
    if (norm != nullptr) input = {rowsOf<const float>(norm->residual), norm->weight.f32(), norm->eps};
    const Product<T> product{rowsOf<const T>(x), input,       static_cast<const T*>(matrix.data),
                             matrix.format,      x.extent(0), matrix.inputs,
                             matrix.outputs,     isAligned};
    const Finishing<T, Out, kind()> finishing{rowsOf<Out>(out), bias.empty() ? nullptr : bias.f32(),
                                              matrix.outputs};
    if (expands(product, gpu))
      multiplyExpanded(product, finishing, matrix, gpu, queue);
    else if (product.format != TileFormat::kNumbers)
      fewRowsProduct(product, finishing, gpu, queue);
    else
      choose(product, finishing, gpu, queue);
  };
  const auto runType = [&](auto element) {
    if (finish == Finish::kGate)
      run(element, element, std::integral_constant<Finish, Finish::kGate>());
    else if (finish == Finish::kAdd)
      run(element, float{}, std::integral_constant<Finish, Finish::kAdd>());
    else if (out.type() == DType::kF32)
      run(element, float{}, std::integral_constant<Finish, Finish::kStore>());
    else
      run(element, element, std::integral_constant<Finish, Finish::kStore>());
  };
  VITRINE_CHECK(x.type() == matrix.type && (out.type() == matrix.type || out.type() == DType::kF32));
  if (matrix.type == DType::kBf16)
    runType(Bf16{});
  else
    runType(F16{});
}

}  // namespace vitrine::cuda
