// Any bytes as a tokenizer.json: either an EngineError or a tokenizer that encodes and decodes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/tokenizer_json.h"
#include "text/utf8.h"
#include "vitrine/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto tokenizer = vitrine::parseTokenizerJson(bytes, "fuzz");
    for (const std::string_view text :
         {std::string_view("Hello  world\n\n it's 1987 <s> é 日本 "), bytes.substr(0, 300)}) {
      if (!vitrine::utf8::isValid(text)) continue;
      const auto ids = tokenizer->encode(text, true);
      for (const auto id : ids) {
        if (id < 0 || id >= tokenizer->vocabularySize()) __builtin_trap();
      }
      if (!vitrine::utf8::isValid(tokenizer->decode(ids, false))) __builtin_trap();
    }
  } catch (const vitrine::EngineError&) {
  }
  return 0;
}
