// refusal(): what an EngineError says when something is refused, for tests that ask for code and words.
#pragma once

#include <string>

#include "vitrine/error.h"

namespace vitrine::test {

inline constexpr const char* kBeforeHint = " | ";

// "code: message | hint" of the EngineError that `act` throws; "nothing was refused" when it throws none.
template <typename Act>
std::string refusal(Act&& act) {
  try {
    act();
  } catch (const EngineError& error) {
    return std::string(errorCodeName(error.code())) + ": " + error.what() + kBeforeHint + error.hint();
  }
  return "nothing was refused";
}

}  // namespace vitrine::test

// Refused with this code, and in the message a word that names the thing.
#define VERIFY_REFUSED(act, code, word)                                                          \
  do {                                                                                           \
    const std::string refused_ = vitrine::test::refusal([&] { static_cast<void>(act); });        \
    QVERIFY2(refused_.starts_with(std::string(code).append(": ")), refused_.c_str());            \
    QVERIFY2(refused_.find(word) < refused_.find(vitrine::test::kBeforeHint), refused_.c_str()); \
  } while (false)
