#include "vitrine/prose/request_mark.h"

namespace vitrine::prose {

RequestMark requestMark(RequestId request) {
  if (request < 1) return {"?"};
  std::string letter;
  for (int rest = request; rest > 0; rest = (rest - 1) / 26)
    letter.insert(letter.begin(), static_cast<char>('A' + (rest - 1) % 26));
  return {letter, (request - 1) % kRequestColours, (request - 1) % kRequestHatches};
}

std::string sequenceLetter(RequestId request, int index, int sequences) {
  const std::string letter = requestMark(request).letter;
  return sequences > 1 ? letter + std::to_string(index + 1) : letter;
}

}  // namespace vitrine::prose
