// A matrix product by a backend, from rows and weights on the host.
#pragma once

#include "workload.h"

namespace vitrine::test {

struct Product {
  std::int64_t in, out;
  WeightFormat format;
  Floats weight, bias;  // [out][in], [out]
};

inline Floats multiply(Backend& backend, const LinearWeight& weight, Floats x, Floats bias) {
  const auto rows = static_cast<std::int64_t>(x.size()) / weight.inFeatures;
  const Tensor in = backend.upload(view(x, {rows, weight.inFeatures}));
  const Tensor added = backend.upload(view(bias, {weight.outFeatures}));
  const Tensor out = backend.allocate(DType::kF32, {rows, weight.outFeatures});
  backend.linear(in.view(), weight, added.view(), out.view());
  return download(backend, out.view());
}

inline Floats multiply(Backend& backend, Product& p, const Floats& x) {
  const TensorView parts[] = {view(p.weight, {p.out, p.in})};
  return multiply(backend, *backend.packLinear(parts, p.format), x, p.bias);
}

// `rows` neighbouring rows of x, from a random one on, and their part of `all`, the product of all of x.
struct SomeRows {
  Floats x, expected;
  SomeRows(const Floats& allX, const Floats& all, std::int64_t in, std::int64_t out, std::int64_t rows,
           Random& random) {
    const auto count = static_cast<std::int64_t>(allX.size()) / in;
    const std::int64_t first = random.between(0, static_cast<int>(count - rows));
    x.assign(allX.begin() + first * in, allX.begin() + (first + rows) * in);
    expected.assign(all.begin() + first * out, all.begin() + (first + rows) * out);
  }
};

}  // namespace vitrine::test
