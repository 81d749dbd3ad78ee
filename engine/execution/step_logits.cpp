#include "execution/step_logits.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

#include "core/check.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

[[noreturn]] void refuse() {
  throw EngineError(ErrorCode::kFileCorrupt, "the model computes logits that are not finite numbers",
                    "Its weights are damaged or do not belong to its config.json; download it again.");
}

}  // namespace

// Weights that are numbers may still be so large that a sum overflows; what follows from that is no answer.
// All ones in the exponent say so, and looking for them costs next to nothing beside a forward.
void requireNumbers(std::span<const float> logits) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  bool numbers = true;
  for (const float logit : logits) numbers &= (std::bit_cast<std::uint32_t>(logit) & kExponent) != kExponent;
  if (!numbers) refuse();
}

StepLogits::StepLogits(Backend& backend, Decoder& decoder) : m_backend(backend), m_decoder(decoder) {
  for (std::unique_ptr<LogitsDigests>& digests : m_digesting) digests = backend.makeDigests();
}

StepLogits::~StepLogits() { drop(); }

void StepLogits::drop() {
  if (m_decoder.reader() == this) m_decoder.setReader(nullptr);
}

void StepLogits::forget() {
  drop();
  m_isHere.clear();
  m_isAwaited = true;
}

void StepLogits::take(const TensorView& logits, std::span<const RowWish> wishes) {
  drop();
  const std::size_t rows = wishes.size();
  VITRINE_CHECK(rows > 0 && logits.extent(0) == std::ssize(wishes));
  m_device = logits;
  m_width = static_cast<std::size_t>(logits.extent(1));
  m_isHere.assign(rows, false);
  m_isAwaited = true;
  if (rows * m_width > m_room) {
    m_room = 0;
    m_host = std::make_unique_for_overwrite<float[]>(rows * m_width);
    m_room = rows * m_width;
  }
  if (!digests() || std::ranges::all_of(wishes, &RowWish::isWhole)) return download(0, rows);
  m_wishes.assign(wishes.begin(), wishes.end());
  m_rowOf.resize(rows);
  std::iota(m_rowOf.begin(), m_rowOf.end(), 0);
  m_digesting[m_step]->begin(logits, m_wishes);
  m_isAwaited = false;
  m_decoder.setReader(this);
}

void StepLogits::await() {
  if (m_isAwaited) return;
  m_isAwaited = true;
  if (m_digests.size() < m_wishes.size()) m_digests.resize(m_wishes.size());
  m_digesting[m_step]->finish(std::span(m_digests).first(m_wishes.size()));
  const std::size_t rows = m_isHere.size();
  for (std::size_t i = 0; i < rows; ++i) {
    const auto digested = static_cast<std::size_t>(m_rowOf[i]);
    if (!m_wishes[digested].isWhole() && !m_digests[digested].isFinite) refuse();
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (!m_wishes[static_cast<std::size_t>(m_rowOf[i])].isWhole()) continue;
    std::size_t end = i + 1;
    while (end < rows && m_wishes[static_cast<std::size_t>(m_rowOf[end])].isWhole()) ++end;
    fetch(i, end - i);
    i = end;
  }
}

void StepLogits::begin(const TensorView& logits) {
  m_begunWishes.assign(static_cast<std::size_t>(logits.extent(0)), RowWish());
  m_digesting[1 - m_step]->begin(logits, m_begunWishes);
}

// Their logits may be overwritten by now: no whole row can be asked for.
void StepLogits::takeBegun(std::span<const std::int32_t> rows) {
  drop();
  m_step = 1 - m_step;
  m_wishes.swap(m_begunWishes);
  m_rowOf.assign(rows.begin(), rows.end());
  m_isHere.assign(rows.size(), false);
  m_isAwaited = false;
}

// Rows beside each other in one piece.
void StepLogits::fetch(std::size_t first, std::size_t count) {
  const std::size_t end = first + count;
  for (std::size_t i = first; i < end; ++i) {
    if (m_isHere[i]) continue;
    VITRINE_CHECK(m_decoder.reader() == this);
    std::size_t behind = i + 1;
    while (behind < end && !m_isHere[behind]) ++behind;
    download(i, behind - i);
    i = behind;
  }
}

void StepLogits::download(std::size_t first, std::size_t count) {
  float* const host = m_host.get() + first * m_width;
  m_backend.download(m_device.rows(static_cast<std::int64_t>(first), static_cast<std::int64_t>(count)), host);
  requireNumbers({host, count * m_width});
  std::fill_n(m_isHere.begin() + static_cast<std::ptrdiff_t>(first), count, true);
}

std::span<const float> StepLogits::whole(std::size_t i, std::size_t count) {
  VITRINE_CHECK(i + count <= m_isHere.size());
  fetch(i, count);
  return {m_host.get() + i * m_width, count * m_width};
}

LogitsRow StepLogits::row(std::size_t i) {
  VITRINE_CHECK(i < m_isHere.size());
  VITRINE_CHECK(m_isAwaited);
  if (m_isHere[i]) return whole(i);
  return {m_digests[static_cast<std::size_t>(m_rowOf[i])], m_width, [this, i] { return whole(i); }};
}

}  // namespace vitrine
