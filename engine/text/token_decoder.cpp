#include "text/token_decoder.h"

#include <type_traits>

#include "text/byte_level.h"
#include "text/utf8.h"

namespace vitrine {
namespace {

constexpr std::int64_t kMostStripped = 1 << 20;

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string oneCharacter(const JsonField& field) {
  const std::string& text = field.string();
  if (text.empty() || utf8::decode(text).length != text.size()) field.fail("should be one character");
  return text;
}

// A run of bytes is a text as a whole or not at all: one wrong byte turns each of them into U+FFFD.
void flushBytes(std::string& bytes, std::vector<std::string>& out) {
  if (bytes.empty()) return;
  if (utf8::isValid(bytes)) {
    out.push_back(bytes);
  } else {
    for (std::size_t i = 0; i < bytes.size(); ++i) out.emplace_back(utf8::kReplacementText);
  }
  bytes.clear();
}

}  // namespace

int byteOfToken(std::string_view token) {
  if (token.size() != 6 || token.substr(0, 3) != "<0x" || token[5] != '>') return -1;
  const int high = hexDigit(token[3]), low = hexDigit(token[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

TokenDecoder::TokenDecoder(const JsonField& description) : m_joinsBySpaces(false) { add(description, 0); }

TokenDecoder TokenDecoder::byteFallback(bool stripFirstSpace) {
  TokenDecoder decoder;
  decoder.m_joinsBySpaces = false;
  decoder.m_steps = {Replacement("\xE2\x96\x81", " "), ByteFallback{}, Fuse{}};
  if (stripFirstSpace) decoder.m_steps.emplace_back(Strip{" ", 1, 0});
  return decoder;
}

void TokenDecoder::add(const JsonField& description, int depth) {
  description.mustBeShallow(depth);
  requireFewSteps(m_steps.size() + 1, description);
  const std::string& kind = description.at("type").string();
  if (kind == "Sequence") {
    const JsonField list = description.at("decoders").mustBeArray();
    for (std::size_t i = 0; i < list.size(); ++i) add(list[i], depth + 1);
  } else if (kind == "ByteLevel") {
    m_steps.emplace_back(ByteLevel{});
  } else if (kind == "ByteFallback") {
    m_steps.emplace_back(ByteFallback{});
  } else if (kind == "Fuse") {
    m_steps.emplace_back(Fuse{});
  } else if (kind == "Strip") {
    m_steps.emplace_back(Strip{oneCharacter(description.at("content")),
                               static_cast<std::size_t>(description.at("start").integer(0, kMostStripped)),
                               static_cast<std::size_t>(description.at("stop").integer(0, kMostStripped))});
  } else if (kind == "Metaspace") {
    m_steps.emplace_back(Metaspace{oneCharacter(description.at("replacement")),
                                   readPrependScheme(description) != PrependScheme::kNever});
  } else if (kind == "Replace") {
    m_steps.emplace_back(Replacement(description));
  } else {
    description.refuse("a decoder of the kind " + kind);
  }
}

template <typename Texts>
std::string TokenDecoder::undoByteLevel(const Texts& tokens) {
  std::string bytes;
  for (const auto& token : tokens) byte_level::appendDecoded(bytes, token);
  if (!utf8::isValid(bytes)) return utf8::repaired(bytes);
  return bytes;
}

TokenDecoder::Tokens TokenDecoder::applyStep(const ByteLevel&, const Tokens& tokens) {
  return {undoByteLevel(tokens)};
}

TokenDecoder::Tokens TokenDecoder::applyStep(const ByteFallback&, Tokens tokens) {
  Tokens result;
  std::string bytes;
  for (std::string& token : tokens) {
    const int byte = byteOfToken(token);
    if (byte >= 0) {
      bytes.push_back(static_cast<char>(byte));
    } else {
      flushBytes(bytes, result);
      result.push_back(std::move(token));
    }
  }
  flushBytes(bytes, result);
  return result;
}

TokenDecoder::Tokens TokenDecoder::applyStep(const Fuse&, const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return {std::move(text)};
}

TokenDecoder::Tokens TokenDecoder::applyStep(const Strip& step, Tokens tokens) {
  for (std::string& token : tokens) {
    std::string_view rest = token;
    for (std::size_t i = 0; i < step.start && rest.substr(0, step.content.size()) == step.content; ++i)
      rest.remove_prefix(step.content.size());
    for (std::size_t i = 0; i < step.stop && rest.size() >= step.content.size() &&
                            rest.substr(rest.size() - step.content.size()) == step.content;
         ++i)
      rest.remove_suffix(step.content.size());
    token = std::string(rest);
  }
  return tokens;
}

TokenDecoder::Tokens TokenDecoder::applyStep(const Metaspace& step, Tokens tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = Replacement(step.replacement, i == 0 && step.dropsFirst ? "" : " ").apply(tokens[i]);
  return tokens;
}

TokenDecoder::Tokens TokenDecoder::applyStep(const Replacement& step, Tokens tokens, std::size_t mostBytes,
                                             WorkLimit& limit) {
  for (std::string& token : tokens) {
    token = step.apply(token, mostBytes, limit);
    mostBytes -= token.size();
  }
  return tokens;
}

std::string TokenDecoder::decode(std::span<const std::string_view> tokens) const {
  if (m_steps.size() == 1 && std::holds_alternative<ByteLevel>(m_steps.front())) return undoByteLevel(tokens);
  return decode(Tokens(tokens.begin(), tokens.end()));
}

std::string TokenDecoder::decode(Tokens tokens) const {
  std::size_t bytes = 0;
  for (const std::string& token : tokens) bytes += token.size();
  WorkLimit limit(bytes);
  const auto apply = [&](const auto& kind) {
    if constexpr (std::is_same_v<decltype(kind), const Replacement&>) {
      return applyStep(kind, std::move(tokens), WorkLimit::mostBytes(bytes), limit);
    } else {
      return applyStep(kind, std::move(tokens));
    }
  };
  for (const Step& step : m_steps) tokens = std::visit(apply, step);
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && m_joinsBySpaces) text += ' ';
    text += tokens[i];
  }
  return text;
}

}  // namespace vitrine
