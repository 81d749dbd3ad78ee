// refusal(): what an EngineError says when something is refused, for tests that ask for code and words.
#pragma once

#include <string>

#include "vitrine/error.h"

namespace vitrine::test {

// "code: message [hint]" of the EngineError that `act` throws; "nothing was refused" when it throws none.
template <typename Act>
std::string refusal(Act&& act) {
  try {
    act();
  } catch (const EngineError& error) {
    return std::string(errorCodeName(error.code())) + ": " + error.what() + " [" + error.hint() + "]";
  }
  return "nothing was refused";
}

}  // namespace vitrine::test

// Refused with this code, and in the message a word that names the thing.
#define VERIFY_REFUSED(act, code, word)                                                          \
  do {                                                                                           \
    const std::string said = vitrine::test::refusal([&] { static_cast<void>(act); });            \
    QVERIFY2(said.starts_with(std::string(code) + ": "), said.c_str());                          \
    QVERIFY2(said.find(word) < said.find(" ["), said.c_str());                                   \
  } while (false)
