#include "token_bytes.h"

#include <QtEndian>

namespace vitrine {

QByteArray packTokens(const std::vector<AnswerToken>& tokens) {
  QByteArray bytes("", 0);  // a null one would be SQL's NULL
  bytes.reserve(static_cast<qsizetype>(7 * tokens.size()));
  for (const AnswerToken& token : tokens) {
    for (auto rest = static_cast<std::uint32_t>(token.id);; rest >>= 7) {
      if (rest < 0x80) {
        bytes.append(static_cast<char>(rest));
        break;
      }
      bytes.append(static_cast<char>(0x80 | (rest & 0x7f)));
    }
    char logprob[4];
    qToLittleEndian(token.logprob, logprob);
    bytes.append(logprob, sizeof logprob);
  }
  return bytes;
}

std::vector<AnswerToken> unpackTokens(const QByteArray& bytes) {
  std::vector<AnswerToken> tokens;
  for (qsizetype at = 0; at < bytes.size();) {
    std::uint64_t id = 0;
    int shift = 0;
    bool more = true;
    for (; more && shift < 35 && at < bytes.size(); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes.at(at++));
      id |= std::uint64_t{byte & 0x7fU} << shift;
      more = (byte & 0x80) != 0;
    }
    if (more || bytes.size() - at < 4) break;
    tokens.push_back({static_cast<std::int32_t>(id), qFromLittleEndian<float>(bytes.constData() + at)});
    at += 4;
  }
  return tokens;
}

}  // namespace vitrine
