// Any bytes as what a second start says: refused, incomplete, or the one form of a request; and as an answer.
#include <cstdint>
#include <cstdlib>

#include "instance/start_message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vitrine;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bool taken = false;
  if (readStartAnswer(bytes, taken) == StartReading::kWhole && startAnswer(taken) != bytes) std::abort();
  StartRequest request;
  const StartReading reading = readStartMessage(bytes, request);
  if (reading != StartReading::kWhole) {
    if (request != StartRequest{}) std::abort();
    return 0;
  }
  if (toStartMessage(request) != bytes) std::abort();
  // Whatever comes before its end is no message, and no refusal.
  for (const std::size_t cut : {std::size_t{0}, size / 2, size - 1})
    if (readStartMessage(bytes.substr(0, cut), request) != StartReading::kMore) std::abort();
  return 0;
}
