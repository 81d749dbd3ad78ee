// A strict reader of Prometheus' text format 0.0.4, as its documentation has it: what it does not take, a
// scraper might refuse.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::test {

struct MetricSample {
  std::string name;
  std::map<std::string, std::string> labels;
  double value = 0;
};

struct MetricsPage {
  std::string error;                         // empty: the text is right
  std::map<std::string, std::string> types;  // of families
  std::vector<MetricSample> samples;

  explicit MetricsPage(std::string_view text) {
    if (text.empty() || text.back() != '\n') error = "no line break at the end";
    while (!text.empty() && error.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end + 1);
      readLine(line);
      if (!error.empty()) error += " in: " + std::string(line);
    }
    for (const auto& [name, type] : types)
      if (error.empty() && type == "histogram") checkHistogram(name);
  }

  // NaN where there is no such sample, or more than one. Labels: those that it must have.
  double value(const std::string& name, const std::map<std::string, std::string>& labels = {}) const {
    double found = std::numeric_limits<double>::quiet_NaN();
    int count = 0;
    for (const MetricSample& sample : samples) {
      bool fits = sample.name == name;
      for (const auto& [label, text] : labels) {
        const auto place = sample.labels.find(label);
        fits = fits && place != sample.labels.end() && place->second == text;
      }
      if (fits && ++count == 1) found = sample.value;
    }
    return count == 1 ? found : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  static bool isName(std::string_view text, bool colons) {
    const auto isLetter = [&](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (colons && c == ':');
    };
    if (text.empty() || !isLetter(text.front())) return false;
    for (char c : text)
      if (!isLetter(c) && !(c >= '0' && c <= '9')) return false;
    return true;
  }

  void readLine(std::string_view line) {
    if (line.starts_with("# HELP ")) {
      const std::string_view rest = line.substr(7);
      m_helped = rest.substr(0, rest.find(' '));
      if (!isName(m_helped, true) || m_helped.size() + 1 >= rest.size()) error = "no name or no help";
      if (rest.find('\\') != std::string_view::npos) error = "an escape in a help";
    } else if (line.starts_with("# TYPE ")) {
      const std::string_view rest = line.substr(7);
      const std::string name(rest.substr(0, rest.find(' ')));
      const std::string type(rest.substr(std::min(name.size() + 1, rest.size())));
      if (name != m_helped) error = "no help before the type";
      if (type != "counter" && type != "gauge" && type != "histogram") error = "an unknown type";
      if (!types.emplace(name, type).second) error = "a family twice";
      m_family = name;
    } else {
      readSample(line);
    }
  }

  void readSample(std::string_view line) {
    MetricSample sample;
    sample.name = line.substr(0, line.find_first_of("{ "));
    line.remove_prefix(sample.name.size());
    if (!isName(sample.name, true)) error = "no name";
    const bool isPart = types[m_family] == "histogram" && sample.name.starts_with(m_family);
    const std::string part = isPart ? sample.name.substr(m_family.size()) : "";
    if (isPart ? part != "_bucket" && part != "_sum" && part != "_count" : sample.name != m_family)
      error = "a sample outside of its family";
    if (line.starts_with('{')) readLabels(line, sample);
    if (!error.empty()) return;
    if (!line.starts_with(' ')) return void(error = "no blank before the value");
    const std::string value(line.substr(1));
    std::size_t used = 0;
    try {
      sample.value = std::stod(value, &used);
    } catch (const std::exception&) {
    }
    if (used == 0 || used != value.size() || !std::isfinite(sample.value)) error = "no number";
    for (const MetricSample& other : samples)
      if (other.name == sample.name && other.labels == sample.labels) error = "a sample twice";
    samples.push_back(std::move(sample));
  }

  // From '{' to behind '}'.
  void readLabels(std::string_view& line, MetricSample& sample) {
    do {
      line.remove_prefix(1);
      const std::size_t equals = line.find("=\"");
      if (equals == std::string_view::npos) return void(error = "a label without a value");
      const std::string name(line.substr(0, equals));
      if (!isName(name, false)) error = "a wrong name of a label";
      std::string value;
      std::size_t at = equals + 2;
      for (; at < line.size() && line[at] != '"'; ++at) {
        char c = line[at];
        if (c == '\\') {
          c = ++at < line.size() ? line[at] : ' ';
          if (c != '\\' && c != '"' && c != 'n') error = "an unknown escape";
          if (c == 'n') c = '\n';
        }
        value += c;
      }
      if (at >= line.size()) return void(error = "a label without an end");
      if (!sample.labels.emplace(name, value).second) error = "a label twice";
      line.remove_prefix(at + 1);
    } while (line.starts_with(','));
    if (!line.starts_with('}')) return void(error = "labels without an end");
    line.remove_prefix(1);
  }

  // Of one series: bounds and counts grow, the last bound is infinite and has all.
  void checkHistogram(const std::string& name) {
    double bound = -1, count = 0;
    for (const MetricSample& sample : samples)
      if (sample.name == name + "_bucket") {
        const auto le = sample.labels.find("le");
        if (le == sample.labels.end()) return void(error = "a bucket without a bound: " + name);
        const double next =
            le->second == "+Inf" ? std::numeric_limits<double>::infinity() : std::stod(le->second);
        if (!(next > bound)) error = "bounds that do not grow: " + name;
        if (sample.value < count) error = "counts that shrink: " + name;
        bound = next;
        count = sample.value;
      }
    if (!std::isinf(bound)) error = "no last bound: " + name;
    if (value(name + "_count") != count) error = "another count than that of the last bucket: " + name;
    if (std::isnan(value(name + "_sum"))) error = "no sum: " + name;
  }

  std::string m_family, m_helped;
};

}  // namespace vitrine::test
