#include "support/naive_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

namespace vitrine::test {
namespace {

double widen(const TensorView& t, std::int64_t i) {
  if (t.type() == DType::kF32) return static_cast<const float*>(t.data())[i];
  const std::uint16_t bits = static_cast<const std::uint16_t*>(t.data())[i];
  if (t.type() == DType::kBf16) return std::bit_cast<float>(std::uint32_t{bits} << 16);
  const int exponent = bits >> 10 & 31;
  const double fraction = (bits & 1023) / 1024.0;
  const double size = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return bits >> 15 ? -size : size;
}

struct Reader {
  const ModelConfig& config;
  const WeightSource& source;

  std::vector<double> vector(const std::string& name, std::int64_t n) const {
    const Tensor tensor = source.get(name, {n});
    const TensorView& view = tensor.view();
    std::vector<double> values(n);
    for (std::int64_t i = 0; i < n; ++i) values[i] = widen(view, i);
    return values;
  }
  Matrix matrix(const std::string& name, std::int64_t rows, std::int64_t columns) const {
    const Tensor tensor = source.get(name, {rows, columns});
    const TensorView& view = tensor.view();
    Matrix values(rows, std::vector<double>(columns));
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) values[r][c] = widen(view, r * columns + c);
    return values;
  }
};

Matrix multiply(const Matrix& x, const Matrix& weight, const std::vector<double>& bias = {}) {
  Matrix out(x.size(), std::vector<double>(weight.size()));
  for (std::size_t t = 0; t < x.size(); ++t)
    for (std::size_t o = 0; o < weight.size(); ++o) {
      double sum = bias.empty() ? 0 : bias[o];
      for (std::size_t i = 0; i < x[t].size(); ++i) sum += x[t][i] * weight[o][i];
      out[t][o] = sum;
    }
  return out;
}

Matrix project(const Reader& read, const std::string& name, const Matrix& x, std::int64_t outFeatures,
               bool bias) {
  const auto inFeatures = static_cast<std::int64_t>(x[0].size());
  return multiply(x, read.matrix(name + ".weight", outFeatures, inFeatures),
                  bias ? read.vector(name + ".bias", outFeatures) : std::vector<double>{});
}

void normSlice(std::vector<double>& x, std::size_t begin, const std::vector<double>& weight, double eps) {
  double squares = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) squares += x[begin + i] * x[begin + i];
  const double scale = 1 / std::sqrt(squares / static_cast<double>(weight.size()) + eps);
  for (std::size_t i = 0; i < weight.size(); ++i) x[begin + i] *= scale * weight[i];
}

Matrix normed(Matrix x, const std::vector<double>& weight, double eps) {
  for (auto& row : x) normSlice(row, 0, weight, eps);
  return x;
}

// The angle pair `pair` of a head turns by for each position.
double stretched(const RopeConfig& rope, int headDim, int pair) {
  const double plain = std::pow(rope.theta, -2.0 * pair / headDim), turn = 2 * std::numbers::pi;
  if (rope.kind == RopeKind::kLinear) return plain / rope.factor;
  if (rope.kind == RopeKind::kLongRope)
    return plain / (rope.takesLong ? rope.longFactors : rope.shortFactors)[static_cast<std::size_t>(pair)];
  if (rope.kind == RopeKind::kLlama3) {
    const double turns = rope.originalContextLength * plain / turn;  // within the original context
    if (turns < rope.lowFrequencyFactor) return plain / rope.factor;
    if (turns > rope.highFrequencyFactor) return plain;
    const double blend =
        (turns - rope.lowFrequencyFactor) / (rope.highFrequencyFactor - rope.lowFrequencyFactor);
    return plain * (blend + (1 - blend) / rope.factor);
  }
  if (rope.kind != RopeKind::kYarn) return plain;
  // The pair at which a wave turns r times in the original context: theta^(-2p/d) * L = 2 pi r, solved for p.
  const auto pairAt = [&](double r) {
    return headDim * std::log(rope.originalContextLength / (turn * r)) / (2 * std::log(rope.theta));
  };
  double low = pairAt(rope.betaFast), high = pairAt(rope.betaSlow);
  if (rope.truncate) low = std::floor(low), high = std::ceil(high);
  low = std::max(low, 0.0), high = std::min(high, headDim - 1.0);
  const double ramp = std::clamp((pair - low) / (high == low ? 0.001 : high - low), 0.0, 1.0);
  return plain * (1 - ramp) + plain / rope.factor * ramp;
}

double frequency(const RopeConfig& rope, int headDim, int pair) {
  const double plain = stretched(rope, headDim, pair);
  return rope.frequencyFactors.empty() ? plain
                                       : plain / rope.frequencyFactors[static_cast<std::size_t>(pair)];
}

double amplitude(const RopeConfig& rope) {
  if (rope.kind != RopeKind::kYarn && rope.kind != RopeKind::kLongRope) return 1;
  if (rope.attentionFactor != 0) return rope.attentionFactor;
  if (rope.kind == RopeKind::kLongRope)
    return std::sqrt(1 + std::log(std::max(rope.factor, 1.0)) / std::log(rope.originalContextLength));
  const double stretch = rope.factor > 1 ? 0.1 * std::log(rope.factor) : 0;
  if (rope.mscale != 0 && rope.mscaleAllDim != 0)
    return (1 + rope.mscale * stretch) / (1 + rope.mscaleAllDim * stretch);
  return 1 + stretch;
}

void rotate(const ModelConfig& config, Matrix& x, int heads) {
  const int half = config.headDim / 2;
  for (std::size_t position = 0; position < x.size(); ++position)
    for (int head = 0; head < heads; ++head)
      for (int pair = 0; pair < half; ++pair) {
        const double angle = static_cast<double>(position) * frequency(config.rope, config.headDim, pair);
        const double c = amplitude(config.rope) * std::cos(angle),
                     s = amplitude(config.rope) * std::sin(angle);
        double& a = x[position][head * config.headDim + pair];
        double& b = x[position][head * config.headDim + pair + half];
        const double a2 = a * c - b * s, b2 = b * c + a * s;
        a = a2, b = b2;
      }
}

std::vector<double> attendOne(const ModelConfig& config, const Matrix& q, const Matrix& k, const Matrix& v,
                              std::size_t position, int head, bool slides) {
  const int n = config.headDim, kvHead = head / (config.heads / config.kvHeads);
  std::vector<double> weights(position + 1, 0.0), out(n, 0.0);
  double largest = -INFINITY, total = 0;
  const auto visible = [&](std::size_t past) {
    return !slides || position - past < static_cast<std::size_t>(config.slidingWindow);
  };
  for (std::size_t past = 0; past <= position; ++past) {
    for (int i = 0; i < n; ++i) weights[past] += q[position][head * n + i] * k[past][kvHead * n + i];
    weights[past] /= std::sqrt(static_cast<double>(n));
    if (visible(past)) largest = std::max(largest, weights[past]);
  }
  for (std::size_t past = 0; past <= position; ++past) {
    weights[past] = visible(past) ? std::exp(weights[past] - largest) : 0;
    total += weights[past];
  }
  for (std::size_t past = 0; past <= position; ++past)
    for (int i = 0; i < n; ++i) out[i] += weights[past] / total * v[past][kvHead * n + i];
  return out;
}

// One head of one row, turned by `position`.
std::vector<double> turned(const ModelConfig& config, const std::vector<double>& row, int head,
                           int position) {
  const int n = config.headDim, half = n / 2;
  std::vector<double> out(row.begin() + head * n, row.begin() + (head + 1) * n);
  for (int pair = 0; pair < half; ++pair) {
    const double angle = position * frequency(config.rope, n, pair), size = amplitude(config.rope);
    const double a = out[pair], b = out[pair + half];
    out[pair] = size * (a * std::cos(angle) - b * std::sin(angle));
    out[pair + half] = size * (b * std::cos(angle) + a * std::sin(angle));
  }
  return out;
}

// q and k as they were before RoPE; a place in `seen` is a position.
std::vector<double> attendSeen(const ModelConfig& config, const Matrix& q, const Matrix& k, const Matrix& v,
                               const std::vector<int>& seen, int head, std::vector<double>& given) {
  const int n = config.headDim, kvHead = head / (config.heads / config.kvHeads);
  const auto query = turned(config, q[seen.back()], head, static_cast<int>(seen.size()) - 1);
  std::vector<double> weights, out(n, 0.0);
  double total = 0;
  for (std::size_t place = 0; place < seen.size(); ++place) {
    const auto key = turned(config, k[seen[place]], kvHead, static_cast<int>(place));
    double score = 0;
    for (int i = 0; i < n; ++i) score += query[i] * key[i];
    weights.push_back(score / std::sqrt(static_cast<double>(n)));
  }
  const double largest = *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) total += weight = std::exp(weight - largest);
  given.resize(seen.size());
  for (std::size_t place = 0; place < seen.size(); ++place) given[place] += weights[place] / total;
  for (std::size_t place = 0; place < seen.size(); ++place)
    for (int i = 0; i < n; ++i) out[i] += weights[place] / total * v[seen[place]][kvHead * n + i];
  return out;
}

Matrix attention(const Reader& read, const std::string& name, const Matrix& x, bool slides, const Seen& seen,
                 Matrix& given) {
  const ModelConfig& c = read.config;
  Matrix q = project(read, name + "q_proj", x, c.heads * c.headDim, c.attentionBias);
  Matrix k = project(read, name + "k_proj", x, c.kvHeads * c.headDim, c.attentionBias);
  const Matrix v = project(read, name + "v_proj", x, c.kvHeads * c.headDim, c.attentionBias);
  if (c.qkNorm) {
    const auto qNorm = read.vector(name + "q_norm.weight", c.headDim);
    const auto kNorm = read.vector(name + "k_norm.weight", c.headDim);
    for (std::size_t t = 0; t < x.size(); ++t) {
      for (int h = 0; h < c.heads; ++h) normSlice(q[t], h * c.headDim, qNorm, c.rmsNormEps);
      for (int h = 0; h < c.kvHeads; ++h) normSlice(k[t], h * c.headDim, kNorm, c.rmsNormEps);
    }
  }
  if (seen.empty()) {
    rotate(c, q, c.heads);
    rotate(c, k, c.kvHeads);
  }
  Matrix joined(x.size());
  for (std::size_t t = 0; t < x.size(); ++t)
    for (int h = 0; h < c.heads; ++h) {
      const auto one =
          seen.empty() ? attendOne(c, q, k, v, t, h, slides) : attendSeen(c, q, k, v, seen[t], h, given[t]);
      joined[t].insert(joined[t].end(), one.begin(), one.end());
    }
  return project(read, name + "o_proj", joined, c.hiddenSize, c.outputBias);
}

Matrix feedForward(const Reader& read, const std::string& name, const Matrix& x) {
  const ModelConfig& c = read.config;
  Matrix gate = project(read, name + "gate_proj", x, c.intermediateSize, c.mlpBias);
  const Matrix up = project(read, name + "up_proj", x, c.intermediateSize, c.mlpBias);
  for (std::size_t t = 0; t < x.size(); ++t)
    for (std::size_t i = 0; i < gate[t].size(); ++i)
      gate[t][i] = gate[t][i] / (1 + std::exp(-gate[t][i])) * up[t][i];
  return project(read, name + "down_proj", gate, c.hiddenSize, c.mlpBias);
}

void addTo(Matrix& x, const Matrix& delta) {
  for (std::size_t t = 0; t < x.size(); ++t)
    for (std::size_t i = 0; i < x[t].size(); ++i) x[t][i] += delta[t][i];
}

}  // namespace

NaiveResult runNaive(const ModelConfig& config, const WeightSource& weights,
                     const std::vector<std::int32_t>& tokens, const Seen& seen) {
  const Reader read{config, weights};
  const std::int64_t hidden = config.hiddenSize;
  const Matrix table = read.matrix("model.embed_tokens.weight", config.vocabularySize, hidden);
  Matrix x;
  for (const std::int32_t token : tokens) x.push_back(table.at(token));
  NaiveResult result;
  result.given.resize(tokens.size());
  result.hidden.push_back(x);
  for (int layer = 0; layer < config.layers; ++layer) {
    const std::string name = "model.layers." + std::to_string(layer) + ".";
    const auto before = read.vector(name + "input_layernorm.weight", hidden);
    addTo(x, attention(read, name + "self_attn.", normed(x, before, config.rmsNormEps),
                       config.layerSlides[layer], seen, result.given));
    const auto between = read.vector(name + "post_attention_layernorm.weight", hidden);
    addTo(x, feedForward(read, name + "mlp.", normed(x, between, config.rmsNormEps)));
    result.hidden.push_back(x);
  }
  x = normed(x, read.vector("model.norm.weight", hidden), config.rmsNormEps);
  result.hidden.back() = x;
  result.logits = multiply(
      x, config.tiedEmbeddings ? table : read.matrix("lm_head.weight", config.vocabularySize, hidden));
  return result;
}

std::vector<std::int32_t> greedyNaive(const ModelConfig& config, const WeightSource& weights,
                                      std::vector<std::int32_t> tokens, int count) {
  const std::size_t prompt = tokens.size();
  for (int i = 0; i < count; ++i) {
    const auto last = runNaive(config, weights, tokens).logits.back();
    tokens.push_back(static_cast<std::int32_t>(std::max_element(last.begin(), last.end()) - last.begin()));
  }
  return {tokens.begin() + static_cast<std::ptrdiff_t>(prompt), tokens.end()};
}

}  // namespace vitrine::test
