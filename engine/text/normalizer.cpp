#include "text/normalizer.h"

#include "text/utf8.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

constexpr std::size_t kMostSteps = 64;

std::string_view stripped(std::string_view text, bool left, bool right) {
  while (left && !text.empty()) {
    const utf8::Step step = utf8::decode(text);
    if (!unicode::isWhitespace(step.codePoint)) break;
    text.remove_prefix(step.length);
  }
  while (right && !text.empty()) {
    const utf8::Step step = utf8::decodeLast(text);
    if (!unicode::isWhitespace(step.codePoint)) break;
    text.remove_suffix(step.length);
  }
  return text;
}

}  // namespace

std::variant<std::string, Regex> readPattern(const JsonField& description) {
  if (const auto regex = description.get("Regex")) return Regex(regex->string());
  if (const auto literal = description.get("String")) {
    if (literal->string().empty()) literal->fail("should not be empty");
    return literal->string();
  }
  description.fail("should have \"String\" or \"Regex\"");
}

Replacement::Replacement(const JsonField& description)
    : m_pattern(readPattern(description.at("pattern"))), m_content(description.at("content").string()) {}

std::string Replacement::apply(std::string_view text) const {
  WorkLimit limit(text.size());
  return apply(text, WorkLimit::mostBytes(text.size()), limit);
}

void requireFewSteps(std::size_t steps, const JsonField& description) {
  if (steps > kMostSteps)
    description.fail("is one step more than the " + std::to_string(kMostSteps) + " a tokenizer may have");
}

void requireLength(std::size_t bytes, std::size_t mostBytes) {
  if (bytes <= mostBytes) return;
  throw EngineError(ErrorCode::kFileCorrupt,
                    "the tokenizer's replacements make a text of " + std::to_string(bytes) +
                        " bytes where at most " + std::to_string(mostBytes) + " make sense",
                    "Use the tokenizer file the model was published with.");
}

std::string Replacement::apply(std::string_view text, std::size_t mostBytes, WorkLimit& limit) const {
  const auto stretches = std::holds_alternative<Regex>(m_pattern)
                             ? std::get<Regex>(m_pattern).stretches(text, limit)
                             : stretchesOfLiteral(text, std::get<std::string>(m_pattern));
  std::size_t length = 0;
  for (const Stretch& stretch : stretches)
    length += stretch.isMatch ? m_content.size() : stretch.end - stretch.begin;
  requireLength(length, mostBytes);
  std::string result;
  result.reserve(length);
  for (const Stretch& stretch : stretches) {
    if (stretch.isMatch) {
      result += m_content;
    } else {
      result += text.substr(stretch.begin, stretch.end - stretch.begin);
    }
  }
  return result;
}

Normalizer::Normalizer(const JsonField& description) { add(description, 0); }

void Normalizer::add(const JsonField& description, int depth) {
  description.mustBeShallow(depth);
  requireFewSteps(m_steps.size() + 1, description);
  const std::string& kind = description.at("type").string();
  if (kind == "Sequence") {
    const JsonField list = description.at("normalizers").mustBeArray();
    for (std::size_t i = 0; i < list.size(); ++i) add(list[i], depth + 1);
  } else if (kind == "NFC") {
    m_steps.emplace_back(unicode::Form::kNfc);
  } else if (kind == "NFD") {
    m_steps.emplace_back(unicode::Form::kNfd);
  } else if (kind == "NFKC") {
    m_steps.emplace_back(unicode::Form::kNfkc);
  } else if (kind == "NFKD") {
    m_steps.emplace_back(unicode::Form::kNfkd);
  } else if (kind == "Lowercase") {
    m_steps.emplace_back(Lowercase{});
  } else if (kind == "Prepend") {
    m_steps.emplace_back(Prepend{description.at("prepend").string()});
  } else if (kind == "Strip") {
    m_steps.emplace_back(
        Strip{description.at("strip_left").boolean(), description.at("strip_right").boolean()});
  } else if (kind == "Replace") {
    m_steps.emplace_back(Replacement(description));
  } else {
    description.refuse("a normalizer of the kind " + kind);
  }
}

std::string Normalizer::applyStep(const Step& step, std::string_view text, std::size_t mostBytes,
                                  WorkLimit& limit) {
  if (const auto* form = std::get_if<unicode::Form>(&step)) return unicode::normalized(text, *form);
  if (std::holds_alternative<Lowercase>(step)) return unicode::lowercased(text);
  if (const auto* strip = std::get_if<Strip>(&step))
    return std::string(stripped(text, strip->left, strip->right));
  if (const auto* prepend = std::get_if<Prepend>(&step)) {
    if (text.empty()) return {};
    requireLength(prepend->text.size() + text.size(), mostBytes);
    return prepend->text + std::string(text);
  }
  return std::get<Replacement>(step).apply(text, mostBytes, limit);
}

std::string Normalizer::apply(std::string_view text, WorkLimit& limit) const {
  const std::size_t mostBytes = WorkLimit::mostBytes(text.size());
  std::string result(text);
  for (const Step& step : m_steps) result = applyStep(step, result, mostBytes, limit);
  return result;
}

}  // namespace vitrine
