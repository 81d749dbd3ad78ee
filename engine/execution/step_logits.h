// StepLogits: the rows of logits of a step's forward, and what of them is on the host.
//
// A backend that digests rows where they lie leaves most of them there: a row is fetched when it is asked
// for. A backend that does not has all of them downloaded. Invariant: a row that is not on the host is still
// in the decoder's memory: the decoder says so before it overwrites them, as in Engine::examine() or in a
// step of another engine with the same decoder, and then all are fetched. Errors: EngineError of the backend,
// and kFileCorrupt for logits that are not finite. Thread: the engine's. Read next: core/logits_row.h.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/logits_row.h"
#include "models/decoder.h"

namespace vitrine {

// Throws EngineError(kFileCorrupt) for logits that are not finite numbers.
void requireNumbers(std::span<const float> logits);

class StepLogits final : private LogitsReader {
 public:
  // Both must outlive the rows.
  StepLogits(Backend& backend, Decoder& decoder) : m_backend(backend), m_decoder(decoder) {}
  ~StepLogits();
  StepLogits(const StepLogits&) = delete;
  StepLogits& operator=(const StepLogits&) = delete;

  // The decoder's last logits [R, vocabulary], with a wish for each row. They replace those before.
  void take(const TensorView& logits, std::span<const RowWish> wishes);
  // No row is asked for any more.
  void drop();

  // Rows [count, vocabulary] from the i-th. Good until the next take().
  std::span<const float> whole(std::size_t i, std::size_t count = 1);
  LogitsRow row(std::size_t i);

 private:
  void beforeOverwrite() override { fetch(0, m_isHere.size()); }
  void fetch(std::size_t first, std::size_t count);
  void download(std::size_t first, std::size_t count);

  Backend& m_backend;
  Decoder& m_decoder;
  TensorView m_device;              // [R, vocabulary]
  std::unique_ptr<float[]> m_host;  // the same; pages of rows that are never fetched are never touched
  std::size_t m_room = 0, m_width = 0;
  std::vector<bool> m_isHere;           // [R]
  std::vector<LogitsDigest> m_digests;  // of those that are not; a step with fewer rows keeps the memory
};

}  // namespace vitrine
