// StepLogits: the rows of logits of a step's forward, and what of them is on the host.
//
// A backend that digests rows where they lie leaves most of them there: a row is fetched when it is asked
// for. A backend that does not has all of them downloaded. Digests are begun and waited for apart, so that
// the forward of the next step can be begun in between: its digests are kept beside those of this step, and
// of both steps' rows nothing but the digests is known. Invariant: otherwise a row that is not on the host is
// still in the decoder's memory: the decoder says so before it overwrites them, as in Engine::examine() or in
// a step of another engine with the same decoder, and then all are fetched. Errors: EngineError of the
// backend, and kFileCorrupt for logits that are not finite. Thread: the engine's. Read next:
// core/logits_row.h, step_ahead.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
  StepLogits(Backend& backend, Decoder& decoder);
  ~StepLogits();
  StepLogits(const StepLogits&) = delete;
  StepLogits& operator=(const StepLogits&) = delete;

  // The decoder's last logits [R, vocabulary], with a wish for each row. They replace those before.
  void take(const TensorView& logits, std::span<const RowWish> wishes);
  // Waits for what has been taken, before rows are asked for.
  void await();
  // No whole row is asked for any more; forget(): nor a digest.
  void drop();
  void forget();

  // Whether rows are digested where they lie, so that a next step can be begun.
  bool digests() const { return m_digesting.front() != nullptr; }
  // Rows [count, vocabulary] from the i-th. Good until the next take().
  std::span<const float> whole(std::size_t i, std::size_t count = 1);
  LogitsRow row(std::size_t i);

  // The next step is begun in this order. Its forward reads the most likely token of row i, taken and not
  // wished whole, as id nextToken(i); drop() came before it.
  std::int32_t nextToken(std::size_t i) const { return -1 - m_rowOf[i]; }
  void giveTokens() { m_digesting[m_step]->giveTokens(); }
  // Its logits, all with the same wish for a digest.
  void begin(const TensorView& logits);
  // The same token on the host, once it has been waited for.
  TokenId mostLikely(std::size_t i) const {
    return m_digests[static_cast<std::size_t>(m_rowOf[i])].mostLikely;
  }
  // In place of take(): row i is row rows[i] of what was begun.
  void takeBegun(std::span<const std::int32_t> rows);

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
  std::vector<std::int32_t> m_rowOf;    // [R] the digested row
  std::vector<RowWish> m_wishes;        // of digested rows
  std::vector<LogitsDigest> m_digests;  // of those that are not; a step with fewer rows keeps the memory
  // Of this step and of the one that is begun; null: this backend digests nothing.
  std::array<std::unique_ptr<LogitsDigests>, 2> m_digesting;
  std::size_t m_step = 0;   // this step's
  bool m_isAwaited = true;  // there is nothing to wait for
  std::vector<RowWish> m_begunWishes;
};

}  // namespace vitrine
