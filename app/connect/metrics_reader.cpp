#include "connect/metrics_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "vitrine/error.h"

namespace vitrine::connect {
namespace {

// What is left of a line. Each take...() is false, or none, where something else comes.
class MetricLine {
 public:
  explicit MetricLine(std::string_view line) : m_rest(line) { skipBlanks(); }

  // Something that is neither a comment nor an exemplar.
  bool hasMore() const { return !m_rest.empty() && m_rest.front() != '#'; }

  std::optional<MetricSample> takeSample() {
    MetricSample sample;
    sample.name = takeName(true);
    if (sample.name.empty()) return {};
    const bool hasBlank = skipBlanks(), hasLabels = take('{');
    if (hasLabels && !takeLabels(sample)) return {};
    if (!skipBlanks() && !hasBlank && !hasLabels) return {};
    if (!takeNumber(sample.value)) return {};
    double time = 0;  // in milliseconds or, of OpenMetrics, in seconds
    if (hasMore() && !takeNumber(time)) return {};
    if (hasMore()) return {};
    return sample;
  }

 private:
  static bool isBlank(char c) { return c == ' ' || c == '\t'; }
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  bool skipBlanks() {
    const auto blanks = std::ranges::find_if_not(m_rest, isBlank) - m_rest.begin();
    m_rest.remove_prefix(static_cast<std::size_t>(blanks));
    return blanks > 0;
  }

  bool take(char wanted) {
    if (!m_rest.starts_with(wanted)) return false;
    m_rest.remove_prefix(1);
    return true;
  }

  // Empty: there is none.
  std::string_view takeName(bool mayHaveColons) {
    std::size_t size = 0;
    while (size < m_rest.size() && (isLetter(m_rest[size]) || (mayHaveColons && m_rest[size] == ':') ||
                                    (size > 0 && isDigit(m_rest[size]))))
      ++size;
    const std::string_view name = m_rest.substr(0, size);
    m_rest.remove_prefix(size);
    return name;
  }

  // From behind '{' to behind '}'. A comma may end them.
  bool takeLabels(MetricSample& sample) {
    for (;;) {
      skipBlanks();
      if (take('}')) return true;
      auto& [name, value] = sample.labels.emplace_back(takeName(false), std::string());
      skipBlanks();
      if (name.empty() || !take('=')) return false;
      skipBlanks();
      if (!takeQuoted(value)) return false;
      skipBlanks();
      if (!take(',')) return take('}');
    }
  }

  bool takeQuoted(std::string& value) {
    if (!take('"')) return false;
    for (;;) {
      const std::size_t size = m_rest.find_first_of("\"\\");
      if (size == std::string_view::npos) return false;
      value += m_rest.substr(0, size);
      m_rest.remove_prefix(size);
      if (take('"')) return true;
      if (m_rest.size() < 2) return false;
      addEscaped(m_rest[1], value);
      m_rest.remove_prefix(2);
    }
  }

  // A backslash that escapes nothing is one.
  static void addEscaped(char c, std::string& value) {
    if (c != '\\' && c != '"' && c != 'n') value += '\\';
    value += c == 'n' ? '\n' : c;
  }

  // To the next blank, and the blanks behind it.
  bool takeNumber(double& number) {
    std::string_view word = m_rest.substr(0, m_rest.find_first_of(" \t"));
    m_rest.remove_prefix(word.size());
    skipBlanks();
    if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return !word.empty() && error == std::errc() && end == word.data() + word.size();
  }

  std::string_view m_rest;
};

}  // namespace

const std::string* MetricSample::label(std::string_view labelName) const {
  const auto found = std::ranges::find(labels, labelName, &std::pair<std::string, std::string>::first);
  return found == labels.end() ? nullptr : &found->second;
}

std::vector<MetricSample> readMetrics(std::string_view text) {
  const auto refuse = [](const std::string& why) {
    throw EngineError(ErrorCode::kFileCorrupt, "the server's metrics " + why);
  };
  if (text.size() > kMostMetricBytes) refuse("are too large");
  std::vector<MetricSample> samples;
  std::size_t labels = 0;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    MetricLine line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.hasMore()) continue;
    std::optional<MetricSample> sample = line.takeSample();
    if (!sample) refuse("have a line that is no sample: line " + std::to_string(number));
    labels += sample->labels.size();
    if (samples.size() == kMostMetricSamples || labels > kMostMetricLabels)
      refuse("have too many samples: line " + std::to_string(number));
    samples.push_back(std::move(*sample));
  }
  return samples;
}

}  // namespace vitrine::connect
