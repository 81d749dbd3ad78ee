#include "text/sentencepiece_model.h"

#include <cmath>
#include <cstring>
#include <unordered_set>

#include "text/protobuf.h"
#include "text/utf8.h"
#include "text/vocabulary.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

constexpr std::size_t kLongestPiece = 512;

// Field numbers of sentencepiece_model.proto.
namespace model_field {
constexpr std::uint32_t kPieces = 1, kTrainer = 2, kNormalizer = 3;
}
namespace piece_field {
constexpr std::uint32_t kText = 1, kScore = 2, kKind = 3;
}
namespace trainer_field {
constexpr std::uint32_t kAlgorithm = 3, kByteFallback = 35, kUnknownId = 40, kBosId = 41, kEosId = 42,
                        kPadId = 43, kUnknownSurface = 44, kUnknownPiece = 45;
}
namespace normalizer_field {
constexpr std::uint32_t kCharacterMap = 2, kAddDummyPrefix = 3, kRemoveExtraWhitespace = 4,
                        kEscapeWhitespace = 5;
}

class Parser {
 public:
  explicit Parser(const std::string& file) : m_file(file) {}

  SentencePieceModel run(std::string_view bytes) {
    forEach(bytes, [&](const protobuf::Field& field) {
      if (field.number == model_field::kPieces) readPiece(message(field));
      if (field.number == model_field::kTrainer) readTrainer(message(field));
      if (field.number == model_field::kNormalizer) readNormalizer(message(field));
    });
    check();
    return std::move(m_model);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw EngineError(ErrorCode::kFileCorrupt, m_file + ": " + problem,
                      "The file is damaged or no SentencePiece model; fetch it again.");
  }

  template <typename Use>
  void forEach(std::string_view bytes, Use use) const {
    protobuf::Reader reader(bytes);
    for (protobuf::Field field; reader.next(field);) use(field);
    if (!reader.ok()) fail("is not a SentencePiece model, or cut short");
  }

  std::string_view message(const protobuf::Field& field) const {
    if (!field.isBytes) fail("is not a SentencePiece model");
    return field.bytes;
  }

  void readPiece(std::string_view bytes) {
    if (m_model.pieces.size() >= Vocabulary::kMostIds) fail("has too many pieces");
    SentencePieceModel::Entry entry;
    forEach(bytes, [&](const protobuf::Field& field) {
      if (field.number == piece_field::kText) entry.text = message(field);
      if (field.number == piece_field::kScore) entry.score = field.asFloat();
      if (field.number == piece_field::kKind) entry.kind = kindOf(field.varint);
    });
    m_model.pieces.push_back(std::move(entry));
  }

  PieceKind kindOf(std::uint64_t number) const {
    if (number < 1 || number > 6)
      fail("has a piece of the kind " + std::to_string(number) + ", which does not exist");
    return static_cast<PieceKind>(number);
  }

  void readTrainer(std::string_view bytes) {
    forEach(bytes, [&](const protobuf::Field& field) {
      switch (field.number) {
        case trainer_field::kAlgorithm:
          if (field.varint < 1 || field.varint > 4) fail("has a model type that does not exist");
          m_model.algorithm = static_cast<SentencePieceAlgorithm>(field.varint);
          break;
        case trainer_field::kByteFallback:
          m_model.byteFallback = field.varint != 0;
          break;
        case trainer_field::kUnknownId:
          m_model.unknownId = field.asInt();
          break;
        case trainer_field::kBosId:
          m_model.bosId = field.asInt();
          break;
        case trainer_field::kEosId:
          m_model.eosId = field.asInt();
          break;
        case trainer_field::kUnknownSurface:
          m_model.unknownSurface = message(field);
          break;
        default:
          break;
      }
    });
  }

  void readNormalizer(std::string_view bytes) {
    forEach(bytes, [&](const protobuf::Field& field) {
      switch (field.number) {
        case normalizer_field::kCharacterMap:
          m_model.characterMap = message(field);
          break;
        case normalizer_field::kAddDummyPrefix:
          m_model.addDummyPrefix = field.varint != 0;
          break;
        case normalizer_field::kRemoveExtraWhitespace:
          m_model.removeExtraWhitespace = field.varint != 0;
          break;
        case normalizer_field::kEscapeWhitespace:
          m_model.escapeWhitespace = field.varint != 0;
          break;
        default:
          break;
      }
    });
  }

  void check() const {
    if (m_model.pieces.empty()) fail("has no pieces");
    if (!utf8::isValid(m_model.unknownSurface)) fail("writes unknown text with bytes that are not UTF-8");
    std::unordered_set<std::string_view> seen;
    int unknowns = 0;
    for (std::size_t id = 0; id < m_model.pieces.size(); ++id) {
      const auto& [text, score, kind] = m_model.pieces[id];
      const std::string name = "piece " + std::to_string(id);
      if (text.empty() || !utf8::isValid(text) || text.find('\0') != std::string::npos)
        fail(name + " is not a text");
      if (text.size() > kLongestPiece) fail(name + " has " + std::to_string(text.size()) + " bytes");
      if (!std::isfinite(score)) fail(name + " has no finite score");
      if (!seen.insert(text).second) fail(name + " occurs twice");
      if (kind == PieceKind::kUnknown) ++unknowns;
    }
    if (unknowns != 1) fail("has " + std::to_string(unknowns) + " unknown pieces where there should be one");
    checkCharacterMap();
  }

  // libsentencepiece follows this table without a bounds check. The table is the size of a double array, the
  // array, and the replacements, each ended by a zero; a step from unit p leads to p xor its offset xor a
  // byte.
  void checkCharacterMap() const {
    const std::string& map = m_model.characterMap;
    if (map.empty()) return;
    const auto word = [&](std::size_t at) {
      std::uint32_t value;
      std::memcpy(&value, map.data() + at, sizeof value);
      return value;
    };
    if (map.size() < 8) fail("has a normalizer table cut short");
    const std::size_t arrayBytes = word(0), units = arrayBytes / 4;
    if (arrayBytes % 1024 != 0 || units == 0 || arrayBytes + 4 >= map.size() || map.back() != '\0')
      fail("has a damaged normalizer table");
    const std::size_t textBytes = map.size() - 4 - arrayBytes;
    for (std::size_t p = 0; p < units; ++p) {
      const std::uint32_t unit = word(4 + 4 * p);
      if (unit >> 31) continue;  // the end of a rule, not a place to step from
      const std::size_t base = p ^ (static_cast<std::size_t>(unit >> 10) << ((unit & 0x200u) >> 6));
      if ((base | 0xFF) >= units) fail("has a damaged normalizer table");
      const bool endsRule = (unit >> 8) & 1;
      if (endsRule && (word(4 + 4 * base) & 0x7FFFFFFFu) >= textBytes) fail("has a damaged normalizer table");
    }
    if (!utf8::isValid(std::string_view(map).substr(4 + arrayBytes)))
      fail("has a normalizer table that writes no UTF-8");
  }

  const std::string& m_file;
  SentencePieceModel m_model;
};

}  // namespace

SentencePieceModel SentencePieceModel::parse(std::string_view bytes, const std::string& file) {
  return Parser(file).run(bytes);
}

std::string SentencePieceModel::serialized() const {
  std::string trainer, normalizer, out;
  const auto signedInt = [](int value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  };
  for (const Entry& entry : pieces) {
    std::string piece;
    protobuf::putBytes(piece, piece_field::kText, entry.text);
    protobuf::putFloat(piece, piece_field::kScore, entry.score);
    protobuf::putVarint(piece, piece_field::kKind, static_cast<std::uint64_t>(entry.kind));
    protobuf::putBytes(out, model_field::kPieces, piece);
    if (entry.kind == PieceKind::kUnknown)
      protobuf::putBytes(trainer, trainer_field::kUnknownPiece, entry.text);
  }
  protobuf::putVarint(trainer, trainer_field::kAlgorithm, static_cast<std::uint64_t>(algorithm));
  protobuf::putVarint(trainer, trainer_field::kByteFallback, byteFallback);
  protobuf::putVarint(trainer, trainer_field::kUnknownId, signedInt(unknownId));
  protobuf::putVarint(trainer, trainer_field::kBosId, signedInt(bosId));
  protobuf::putVarint(trainer, trainer_field::kEosId, signedInt(eosId));
  protobuf::putVarint(trainer, trainer_field::kPadId, signedInt(-1));
  protobuf::putBytes(out, model_field::kTrainer, trainer);
  protobuf::putBytes(normalizer, normalizer_field::kCharacterMap, characterMap);
  protobuf::putVarint(normalizer, normalizer_field::kAddDummyPrefix, addDummyPrefix);
  protobuf::putVarint(normalizer, normalizer_field::kRemoveExtraWhitespace, removeExtraWhitespace);
  protobuf::putVarint(normalizer, normalizer_field::kEscapeWhitespace, escapeWhitespace);
  protobuf::putBytes(out, model_field::kNormalizer, normalizer);
  return out;
}

}  // namespace vitrine
