// The tensor cores' product: which kernel computes it. All have the same bits (product.cuh).
#include "backends/cuda/product.cuh"

namespace vitrine::cuda {
namespace {

constexpr std::int64_t kMostDecoded = 16;  // rows that fewRowsProduct() takes at a time

// Whether warpgroupProduct() takes so many rows.
bool fitsWarpgroups(std::int64_t rows, std::int64_t inputs, const Gpu& gpu) {
  return gpu.hasWarpgroups && rows > kMostDecoded && inputs % (2 * kTileInputs) == 0;
}

template <class T, class Out, Finish finish>
void choose(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
            const Queue& queue) {
  if (product.isAligned && fitsWarpgroups(product.rows, product.inputs, gpu))
    return warpgroupProduct(product, finishing, gpu, queue);
  if constexpr (finish != Finish::kGate) {
    constexpr std::int64_t kSquareSide = 64;
    const std::int64_t squares =
        (product.rows + kSquareSide - 1) / kSquareSide * ((product.outputs + kSquareSide - 1) / kSquareSide);
    if (product.isAligned && product.rows > kSquareSide && gpu.hasMma16 && squares >= gpu.multiprocessors)
      return tiledProduct(product, finishing, gpu, queue);
  }
  fewRowsProduct(product, finishing, gpu, queue);
}

}  // namespace

bool gatesInProduct(const PackedMatrix& matrix, std::int64_t rows, const Gpu& gpu) {
  constexpr std::int64_t kMostRows = 64;
  return matrix.type != DType::kF32 && matrix.outputs % (2 * kTileOutputs) == 0 &&
         (rows <= kMostRows || fitsWarpgroups(rows, matrix.inputs, gpu));
}

// As wide as norm.cu takes with as many threads as the product has.
bool normsInProduct(const PackedMatrix& matrix, std::int64_t rows) {
  constexpr std::int64_t kLeastWidth = 257;
  return matrix.type != DType::kF32 && rows <= kMostNormedRows && matrix.inputs >= kLeastWidth;
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
    const Product<T> product{rowsOf<const T>(x), input,         static_cast<const T*>(matrix.data),
                             x.extent(0),        matrix.inputs, matrix.outputs,
                             isAligned};
    const Finishing<T, Out, kind()> finishing{rowsOf<Out>(out), bias.empty() ? nullptr : bias.f32(),
                                              matrix.outputs};
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
