// Any bytes as what a server sends of an answer, in pieces whose size the first byte says: what is read of
// them is a run that a machine's state takes. The same bytes as its list of models, and as its complaint.
#include <cstdint>
#include <string_view>

#include "connect/model_list.h"
#include "connect/outside_run.h"
#include "vitrine/error.h"
#include "vitrine/trace_verifier.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vitrine;
  using namespace vitrine::connect;
  if (size == 0) return 0;
  const std::size_t piece = std::size_t{1} + data[0];
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  errorWords(bytes);
  try {
    modelListOf(bytes);
  } catch (const EngineError&) {
  }
  std::int64_t now = 0;
  OutsideRun run({"http://server", "vLLM", "model", 0, 16}, [&now] { return ++now; });
  const RequestId request = run.submit({});
  ChatStream stream;
  std::vector<ChatChunk> chunks;
  try {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
      stream.take(bytes.substr(0, piece), chunks);
  } catch (const EngineError&) {
  }
  for (const ChatChunk& chunk : chunks) run.add(request, chunk);  // an exception is a fault, here and below
  run.end(request);
  TraceVerifier verifier;
  for (const Event& event : run.take()) verifier.add(event);
  return 0;
}
