#include "sampling/candidates.h"

#include <cmath>
#include <limits>

#include "core/check.h"

namespace vitrine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool isNumber(float logit) { return logit > -kInfinity; }  // false for NaN too

}  // namespace

void Candidates::reset(const LogitsRow& row) {
  m_row = row;
  m_filled = false;
  m_ordered = 0;
  m_hidden = 0;
  m_scale = 1;
  m_total = -1;
}

std::span<float> Candidates::editLogits() {
  const std::span<const float> whole = logits();
  if (whole.data() != m_edited.data()) m_edited.assign(whole.begin(), whole.end());
  reset(m_edited);
  return m_edited;
}

void Candidates::fill() {
  if (m_filled) return;
  m_filled = true;
  const LogitsDigest* digest = m_row.digest();
  if (digest == nullptr || digest->top.empty()) return fillWhole();
  m_entries.assign(digest->top.begin(), digest->top.end());
  m_ordered = m_entries.size();
  m_hidden = m_row.size() - m_entries.size();
  m_max = digest->max;
  m_even = false;
}

void Candidates::fillWhole() {
  const std::span<const float> logits = m_row.whole();
  m_entries.clear();
  m_max = maxLogit(logits);
  m_even = !std::isfinite(m_max);
  if (!m_even) {
    m_entries.resize(logits.size());
    std::size_t kept = 0;  // written whether kept or not: no branch to guess wrong
    for (std::size_t i = 0; i < logits.size(); ++i) {
      m_entries[kept] = {logits[i], static_cast<TokenId>(i)};
      kept += isNumber(logits[i]) ? 1 : 0;
    }
    m_entries.resize(kept);
    return;
  }
  for (std::size_t i = 0; i < logits.size(); ++i)
    if (m_max == kInfinity && logits[i] == kInfinity) m_entries.push_back({0, static_cast<TokenId>(i)});
  if (m_entries.empty()) m_entries.push_back({0, 0});
  m_max = 0;
}

// Nothing was filtered yet. Nothing is in order afterwards: the caller asks for what it needs.
void Candidates::reveal() {
  if (m_hidden == 0) return;
  m_hidden = 0;
  m_ordered = 0;
  fillWhole();
}

void Candidates::setScale(float scale) {
  fill();
  m_scale = scale;
  m_total = -1;
}

std::size_t Candidates::size() {
  fill();
  return m_entries.size() + m_hidden;
}

double Candidates::total() {
  fill();
  if (m_total < 0) m_total = m_even ? static_cast<double>(m_entries.size()) : sumOfAll();
  return m_total;
}

double Candidates::sumOfAll() {
  if (const LogitsDigest* digest = m_row.digest()) {
    if (m_scale == 1) return digest->sum;
    if (m_scale == digest->scale) return digest->scaledSum;
  }
  return sumOfExponentials(m_row.whole(), m_max, m_scale);
}

std::span<const Candidates::Entry> Candidates::entries() {
  fill();
  if (m_hidden > 0) {
    const std::size_t ordered = m_ordered;
    reveal();
    order(ordered);
  }
  return m_entries;
}

void Candidates::order(std::size_t count) {
  fill();
  if (count > m_entries.size()) reveal();
  count = std::min(count, m_entries.size());
  if (count <= m_ordered) return;
  const auto before = [](const Entry& a, const Entry& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
  };
  const auto begin = m_entries.begin() + static_cast<std::ptrdiff_t>(m_ordered);
  const auto end = m_entries.begin() + static_cast<std::ptrdiff_t>(count);
  if (end != m_entries.end()) std::nth_element(begin, end, m_entries.end(), before);
  std::sort(begin, end, before);
  m_ordered = count;
}

void Candidates::orderAndSum() {
  order(size());
  m_total = 0;
  for (const Entry& entry : m_entries) m_total += weight(entry);
}

void Candidates::keepMostLikely() {
  order(1);
  keepFirst(1, 1);
}

void Candidates::keepTopAndTies(std::size_t count) {
  VITRINE_CHECK(count > 0);
  if (count < size()) {
    order(count);
    const float least = m_entries[count - 1].logit;
    if (m_hidden > 0 && m_entries.back().logit == least) {  // it may tie with hidden ones
      reveal();
      order(count);
    }
    m_hidden = 0;
    const auto rest = m_entries.begin() + static_cast<std::ptrdiff_t>(count);
    const auto end =
        std::partition(rest, m_entries.end(), [&](const Entry& entry) { return entry.logit == least; });
    m_entries.erase(end, m_entries.end());
    m_ordered = count;
  }
  orderAndSum();
}

void Candidates::keepFirst(std::size_t count, double total) {
  VITRINE_CHECK(count > 0 && count <= m_ordered);
  m_entries.resize(count);
  m_ordered = count;
  m_hidden = 0;
  m_total = total;
}

// A hidden token's logit is not above the last entry's, and its weight is not either, but for the error of
// the exponential.
void Candidates::keepHeavy(double least) {
  constexpr double kError = 1 + 2e-6;
  fill();
  if (m_hidden > 0 && weight(m_entries.back()) * kError >= least) reveal();
  m_hidden = 0;
  const bool ordered = m_ordered == m_entries.size();
  std::erase_if(m_entries, [&](const Entry& entry) { return weight(entry) < least; });
  m_ordered = ordered ? m_entries.size() : 0;
  orderAndSum();
}

void Candidates::keepRange(std::size_t begin, std::size_t end) {
  VITRINE_CHECK(begin < end && end <= m_ordered);
  m_entries.resize(end);
  m_entries.erase(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(begin));
  m_ordered = end - begin;
  orderAndSum();
}

}  // namespace vitrine
