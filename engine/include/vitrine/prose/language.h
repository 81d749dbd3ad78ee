// Language: the hook that translates the sentences of this room, and writes their numbers.
//
// A text is English, with the placeholders of Qt: %1, %2, ... for values, %n for a count. One plural rule: in
// a text with %n, "(s)" is nothing for 1 and "s" otherwise, so no verb may depend on the count. A program
// derives its own Language and hands it to each call; there is no global one. lupdate finds the texts of
// engine/prose with -tr-function-alias Q_DECLARE_TR_FUNCTIONS+=VITRINE_PROSE_CONTEXT, all in kContext.
// Thread: any, if the overrides allow it. Read next: event_prose.h.
#pragma once

#include <cstdint>
#include <string>

namespace vitrine::prose {

inline constexpr const char* kContext = "Prose";

// As it stands: English, numbers as C writes them.
class Language {
 public:
  virtual ~Language() = default;

  // The text in this language, its placeholders kept; %n may be replaced already. `count` chooses the plural
  // form, and is -1 for a text without %n. What is not translated is returned as it is.
  virtual std::string translate(const char* text, int count) const;
  virtual std::string number(std::int64_t value) const;         // 12345
  virtual std::string decimal(double value, int digits) const;  // 3.14, with `digits` after the point
};

const Language& english();

}  // namespace vitrine::prose
