#include "text/bpe_model.h"

#include <queue>

#include "text/utf8.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

std::uint64_t pairKey(TokenId left, TokenId right) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) |
         static_cast<std::uint32_t>(right);
}

std::string byteToken(unsigned byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + ">";
}

// A hundred thousand entries and more: the field that can complain is made only for one that is wrong.
Vocabulary readVocabulary(const JsonField& field) {
  Vocabulary vocabulary;
  vocabulary.reserve(field.mustBeObject().size());
  for (const auto& [text, id] : field.value().items()) {
    const bool sound = id.is_number_unsigned() && id.get<std::uint64_t>() < Vocabulary::kMostIds;
    if (!sound)
      JsonField(id, field.file(), "model.vocab[\"" + text + "\"]").integer(0, Vocabulary::kMostIds - 1);
    vocabulary.add(text, id.get<TokenId>());
  }
  return vocabulary;
}

struct MergeParts {
  std::string_view left, right;
};
std::optional<MergeParts> partsOf(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos) return {};
  return MergeParts{line.substr(0, space), line.substr(space + 1)};
}

BpeModel::Options readOptions(const JsonField& description) {
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!description.stringOr(key, "").empty()) description.refuse(std::string("BPE with a ") + key);
  }
  return {description.stringOr("unk_token", ""), description.booleanOr("fuse_unk", false),
          description.booleanOr("byte_fallback", false), description.booleanOr("ignore_merges", false)};
}

}  // namespace

BpeModel::BpeModel(Vocabulary vocabulary, Options options)
    : m_vocabulary(std::move(vocabulary)), m_options(std::move(options)), m_bytes(256) {
  if (!m_options.unknownToken.empty()) m_unknown = m_vocabulary.find(m_options.unknownToken);
  for (unsigned byte = 0; byte < 256; ++byte) m_bytes[byte] = m_vocabulary.find(byteToken(byte));
}

BpeModel::BpeModel(const JsonField& description)
    : BpeModel(readVocabulary(description.at("vocab")), readOptions(description)) {
  readMerges(description.at("merges").mustBeArray());
}

// A merge is "a b" in older files and ["a", "b"] in newer ones, where a part may hold a space.
void BpeModel::readMerges(const JsonField& merges) {
  m_merges.reserve(merges.size());
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const nlohmann::json& entry = merges.value()[i];
    std::optional<MergeParts> parts;
    if (entry.is_string()) {
      const std::string_view line = entry.get_ref<const std::string&>();
      if (line.starts_with("#version")) continue;
      parts = partsOf(line);
      if (!parts) merges[i].fail("should be two tokens with a space between");
    } else if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string()) {
      parts = {entry[0].get_ref<const std::string&>(), entry[1].get_ref<const std::string&>()};
    } else {
      merges[i].fail("should be a pair of tokens");
    }
    if (!addMerge(parts->left, parts->right)) merges[i].fail("names a token that is not in the vocabulary");
  }
}

std::optional<std::size_t> BpeModel::addMerges(std::span<const std::string> lines) {
  m_merges.reserve(m_merges.size() + lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto parts = partsOf(lines[i]);
    if (!parts || !addMerge(parts->left, parts->right)) return i;
  }
  return {};
}

bool BpeModel::addMerge(std::string_view left, std::string_view right) {
  m_joined.assign(left).append(right);
  const auto leftId = m_vocabulary.find(left), rightId = m_vocabulary.find(right),
             merged = m_vocabulary.find(m_joined);
  if (!leftId || !rightId || !merged) return false;
  m_merges.insert_or_assign(pairKey(*leftId, *rightId), Merge{m_nextRank++, *merged});
  return true;
}

const BpeModel::Merge* BpeModel::mergeOf(TokenId left, TokenId right) const {
  const auto found = m_merges.find(pairKey(left, right));
  return found == m_merges.end() ? nullptr : &found->second;
}

TokenId BpeModel::unknownId() const {
  if (m_unknown) return *m_unknown;
  throw EngineError(
      ErrorCode::kFileCorrupt,
      "the tokenizer's unknown token \"" + m_options.unknownToken + "\" is not in its vocabulary",
      "The tokenizer file is damaged; fetch it again.");
}

bool BpeModel::addBytes(std::string_view character, std::vector<Symbol>& symbols) const {
  for (const char byte : character) {
    if (!m_bytes[static_cast<unsigned char>(byte)]) return false;
  }
  for (const char byte : character) symbols.push_back({*m_bytes[static_cast<unsigned char>(byte)], -1, -1});
  return true;
}

// An unknown character waits until the next known one, in case the next one is unknown too. Byte tokens in
// between do not end the wait: the reference has that order.
std::vector<BpeModel::Symbol> BpeModel::symbolsOf(std::string_view word) const {
  std::vector<Symbol> symbols;
  symbols.reserve(word.size());
  bool pendingUnknown = false;
  while (!word.empty()) {
    const std::string_view character = word.substr(0, utf8::decode(word).length);
    word.remove_prefix(character.size());
    if (const auto id = m_vocabulary.find(character)) {
      if (pendingUnknown) symbols.push_back({unknownId(), -1, -1});
      pendingUnknown = false;
      symbols.push_back({*id, -1, -1});
    } else if (!(m_options.byteFallback && addBytes(character, symbols)) && !m_options.unknownToken.empty()) {
      if (pendingUnknown && !m_options.fuseUnknown) symbols.push_back({unknownId(), -1, -1});
      pendingUnknown = true;
    }
  }
  if (pendingUnknown) symbols.push_back({unknownId(), -1, -1});
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    symbols[i].previous = static_cast<int>(i) - 1;
    symbols[i].next = i + 1 < symbols.size() ? static_cast<int>(i) + 1 : -1;
  }
  return symbols;
}

void BpeModel::mergeAll(std::vector<Symbol>& symbols) const {
  struct Candidate {
    std::uint32_t rank;
    int position;
    TokenId merged;
    bool operator>(const Candidate& other) const {
      return rank != other.rank ? rank > other.rank : position > other.position;
    }
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto consider = [&](int position) {
    if (position < 0 || symbols[static_cast<std::size_t>(position)].next < 0) return;
    const Symbol& left = symbols[static_cast<std::size_t>(position)];
    const Merge* merge = mergeOf(left.id, symbols[static_cast<std::size_t>(left.next)].id);
    if (merge) queue.push({merge->rank, position, merge->merged});
  };
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) consider(static_cast<int>(i));
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbols[static_cast<std::size_t>(best.position)];
    if (left.gone || left.next < 0) continue;
    Symbol& right = symbols[static_cast<std::size_t>(left.next)];
    const Merge* merge = mergeOf(left.id, right.id);
    if (!merge || merge->merged != best.merged) continue;  // the pair has changed since it was queued
    left.id = best.merged;
    left.next = right.next;
    right.gone = true;
    if (right.next >= 0) symbols[static_cast<std::size_t>(right.next)].previous = best.position;
    consider(left.previous);
    consider(best.position);
  }
}

void BpeModel::encode(std::string_view word, std::vector<TokenId>& ids) const {
  if (word.empty()) return;
  if (m_options.ignoreMerges) {
    if (const auto id = m_vocabulary.find(word)) {
      ids.push_back(*id);
      return;
    }
  }
  std::vector<Symbol> symbols = symbolsOf(word);
  mergeAll(symbols);
  for (const Symbol& symbol : symbols) {
    if (!symbol.gone) ids.push_back(symbol.id);
  }
}

}  // namespace vitrine
