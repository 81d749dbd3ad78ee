#include "text/pre_tokenizer.h"

#include <string_view>

#include "text/byte_level.h"
#include "text/normalizer.h"
#include "text/unicode.h"

namespace vitrine {
namespace {

// How GPT-2 cuts a text: contractions, words, numbers, signs, each with the one space before it.
const Regex& gpt2Pattern() {
  static const Regex pattern(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
  return pattern;
}

const Regex& wordsAndSigns() {
  static const Regex pattern(
      R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\s]+)");
  return pattern;
}

SplitBehavior readBehavior(const JsonField& field) {
  const std::string& name = field.string();
  if (name == "Removed") return SplitBehavior::kRemoved;
  if (name == "Isolated") return SplitBehavior::kIsolated;
  if (name == "MergedWithPrevious") return SplitBehavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return SplitBehavior::kMergedWithNext;
  if (name == "Contiguous") return SplitBehavior::kContiguous;
  field.fail("is \"" + name + "\", which is no way to split");
}

void cut(const Piece& piece, const std::vector<Stretch>& stretches, std::vector<Piece>& out) {
  for (const Stretch& stretch : stretches) {
    if (stretch.begin == stretch.end) continue;
    out.push_back({piece.text.substr(stretch.begin, stretch.end - stretch.begin), -1,
                   piece.atStart && stretch.begin == 0});
  }
}

}  // namespace

PrependScheme readPrependScheme(const JsonField& description) {
  const std::string name = description.stringOr("prepend_scheme", "always");
  const bool prefix = description.booleanOr("add_prefix_space", true);
  if (!prefix && name != "never" && description.get("prepend_scheme"))
    description.fail("has an add_prefix_space that contradicts its prepend_scheme");
  if (!prefix || name == "never") return PrependScheme::kNever;
  if (name == "first") return PrependScheme::kFirst;
  if (name == "always") return PrependScheme::kAlways;
  description.fail("has the prepend_scheme \"" + name + "\", which does not exist");
}

PreTokenizer::PreTokenizer(const JsonField& description) { add(description, 0); }

void PreTokenizer::add(const JsonField& description, int depth) {
  description.mustBeShallow(depth);
  requireFewSteps(m_steps.size() + 1, description);
  const std::string& kind = description.at("type").string();
  if (kind == "Sequence") {
    const JsonField list = description.at("pretokenizers").mustBeArray();
    for (std::size_t i = 0; i < list.size(); ++i) add(list[i], depth + 1);
  } else if (kind == "ByteLevel") {
    m_steps.emplace_back(
        ByteLevel{description.at("add_prefix_space").boolean(), description.booleanOr("use_regex", true)});
  } else if (kind == "Metaspace") {
    const std::string& replacement = description.at("replacement").string();
    if (utf8::decode(replacement).length != replacement.size() || replacement.empty())
      description.fail("should have one character as its replacement");
    m_steps.emplace_back(
        Metaspace{replacement, readPrependScheme(description), description.booleanOr("split", true)});
  } else if (kind == "Split") {
    m_steps.emplace_back(ByPattern{readPattern(description.at("pattern")),
                                   readBehavior(description.at("behavior")),
                                   description.at("invert").boolean()});
  } else if (kind == "Digits") {
    const bool single = description.at("individual_digits").boolean();
    m_steps.emplace_back(
        ByCharacter{CharacterTest::kNumeric, single ? SplitBehavior::kIsolated : SplitBehavior::kContiguous});
  } else if (kind == "Punctuation") {
    const auto behavior = description.get("behavior");
    m_steps.emplace_back(ByCharacter{CharacterTest::kPunctuation,
                                     behavior ? readBehavior(*behavior) : SplitBehavior::kIsolated});
  } else if (kind == "WhitespaceSplit") {
    m_steps.emplace_back(ByCharacter{CharacterTest::kWhitespace, SplitBehavior::kRemoved});
  } else if (kind == "Whitespace") {
    m_steps.emplace_back(ByPattern{wordsAndSigns(), SplitBehavior::kRemoved, true});
  } else {
    description.refuse("a pre-tokenizer of the kind " + kind);
  }
}

void PreTokenizer::applyStep(const ByteLevel& step, Piece piece, std::vector<Piece>& out, WorkLimit& limit) {
  if (step.addPrefixSpace && piece.text.front() != ' ') piece.text.insert(piece.text.begin(), ' ');
  const std::size_t first = out.size();
  if (step.useRegex) {
    cut(piece, gpt2Pattern().stretches(piece.text, limit), out);
  } else {
    out.push_back(std::move(piece));
  }
  for (std::size_t i = first; i < out.size(); ++i) out[i].text = byte_level::encoded(out[i].text);
}

void PreTokenizer::applyStep(const Metaspace& step, Piece piece, std::vector<Piece>& out, WorkLimit&) {
  piece.text = Replacement(" ", step.replacement).apply(piece.text);
  const bool wanted =
      step.scheme == PrependScheme::kAlways || (step.scheme == PrependScheme::kFirst && piece.atStart);
  if (wanted && piece.text.compare(0, step.replacement.size(), step.replacement) != 0)
    piece.text = std::string(step.replacement).append(piece.text);
  if (!step.split) {
    out.push_back(std::move(piece));
    return;
  }
  cut(piece, applyBehavior(stretchesOfLiteral(piece.text, step.replacement), SplitBehavior::kMergedWithNext),
      out);
}

void PreTokenizer::applyStep(const ByCharacter& step, const Piece& piece, std::vector<Piece>& out,
                             WorkLimit&) {
  const auto test = step.test == CharacterTest::kNumeric       ? unicode::isNumeric
                    : step.test == CharacterTest::kPunctuation ? unicode::isPunctuation
                                                               : unicode::isWhitespace;
  cut(piece, applyBehavior(stretchesOf(piece.text, test), step.behavior), out);
}

void PreTokenizer::applyStep(const ByPattern& step, const Piece& piece, std::vector<Piece>& out,
                             WorkLimit& limit) {
  auto stretches = std::holds_alternative<Regex>(step.pattern)
                       ? std::get<Regex>(step.pattern).stretches(piece.text, limit)
                       : stretchesOfLiteral(piece.text, std::get<std::string>(step.pattern));
  if (step.invert) {
    for (Stretch& stretch : stretches) stretch.isMatch = !stretch.isMatch;
  }
  cut(piece, applyBehavior(std::move(stretches), step.behavior), out);
}

void PreTokenizer::apply(std::vector<Piece>& pieces, WorkLimit& limit) const {
  for (const Step& step : m_steps) {
    std::vector<Piece> cutPieces;
    cutPieces.reserve(pieces.size());
    for (Piece& piece : pieces) {
      if (!piece.isText()) {
        cutPieces.push_back(std::move(piece));
      } else if (!piece.text.empty()) {
        std::visit([&](const auto& kind) { applyStep(kind, std::move(piece), cutPieces, limit); }, step);
      }
    }
    pieces = std::move(cutPieces);
  }
}

}  // namespace vitrine
