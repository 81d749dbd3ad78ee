// Tokens of an answer as bytes: for each its id as a varint (LEB128) and its log-probability as four bytes,
// little-endian: 6 or 7 bytes a token. The bytes of two pieces behind one another are those of both.
//
// Thread: any.
#pragma once

#include <QByteArray>
#include <vector>

#include "chat_record.h"

namespace vitrine {

QByteArray packTokens(const std::vector<AnswerToken>& tokens);
// As many as are whole: bytes that are damaged give fewer tokens, never an error.
std::vector<AnswerToken> unpackTokens(const QByteArray& bytes);

}  // namespace vitrine
