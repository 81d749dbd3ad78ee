#include "sampling/candidates.h"

#include <cmath>
#include <limits>

#include "core/check.h"

namespace vitrine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool isNumber(float logit) { return logit > -kInfinity; }  // false for NaN too

}  // namespace

void Candidates::reset(std::span<const float> logits) {
  m_logits = logits;
  m_filled = false;
  m_ordered = 0;
  m_scale = 1;
  m_total = -1;
}

std::span<float> Candidates::editLogits() {
  if (m_logits.data() != m_edited.data()) m_edited.assign(m_logits.begin(), m_logits.end());
  reset(m_edited);
  return m_edited;
}

void Candidates::fill() {
  if (m_filled) return;
  m_filled = true;
  m_entries.clear();
  m_max = maxLogit(m_logits);
  m_even = !std::isfinite(m_max);
  if (!m_even) {
    m_entries.resize(m_logits.size());
    std::size_t kept = 0;  // written whether kept or not: no branch to guess wrong
    for (std::size_t i = 0; i < m_logits.size(); ++i) {
      m_entries[kept] = {m_logits[i], static_cast<TokenId>(i)};
      kept += isNumber(m_logits[i]) ? 1 : 0;
    }
    m_entries.resize(kept);
    return;
  }
  for (std::size_t i = 0; i < m_logits.size(); ++i)
    if (m_max == kInfinity && m_logits[i] == kInfinity) m_entries.push_back({0, static_cast<TokenId>(i)});
  if (m_entries.empty()) m_entries.push_back({0, 0});
  m_max = 0;
}

void Candidates::setScale(float scale) {
  fill();
  m_scale = scale;
  m_total = -1;
}

std::size_t Candidates::size() {
  fill();
  return m_entries.size();
}

double Candidates::total() {
  fill();
  if (m_total < 0)
    m_total = m_even ? static_cast<double>(m_entries.size()) : sumOfExponentials(m_logits, m_max, m_scale);
  return m_total;
}

void Candidates::order(std::size_t count) {
  fill();
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
  order(m_entries.size());
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
  m_total = total;
}

void Candidates::keepRange(std::size_t begin, std::size_t end) {
  VITRINE_CHECK(begin < end && end <= m_ordered);
  m_entries.resize(end);
  m_entries.erase(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(begin));
  m_ordered = end - begin;
  orderAndSum();
}

}  // namespace vitrine
