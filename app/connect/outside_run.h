// OutsideRun: what is seen of another program's engine, as the events of a run, so that all views show it as
// they show one of ours (EngineLoaded::isFromOutside()).
//
// A step is what came at once: the tokens of one chunk of an answer, or a batch of the prefix cache's events.
// A token has a number below 0, one for each text, since the vocabulary is not known. A
// request waits until its first token comes: whether it queued or its prompt was computed cannot be seen.
// Requires a clock that does not run backwards. Thread: one. Read next: chat_stream.h,
// vitrine/machine_state.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "connect/chat_stream.h"
#include "connect/kv_events.h"
#include "vitrine/event.h"
#include "vitrine/machine_state.h"

namespace vitrine::connect {

struct SeenEngine {
  std::string server;  // "http://10.0.0.5:8000"
  std::string kind;    // "vLLM"
  std::string model;
  int contextLength = 0;  // tokens; 0: not told
  int blockSize = 0;      // tokens of a KV block; 0: not told
};

class OutsideRun {
 public:
  using Clock = std::function<std::int64_t()>;  // ns since the run began

  OutsideRun(const SeenEngine& engine, Clock clock);

  // The events since the last time, the oldest first. The first is the EngineLoaded.
  std::vector<Event> take() { return std::exchange(m_events, {}); }
  const MachineState& state() const { return m_state; }  // behind the last of them

  // The request's text is all that is seen of its prompt.
  RequestId submit(Request asked);
  // Requires a request that has not ended.
  void add(RequestId request, const ChatChunk& chunk);
  // As the server has told; without a word of it the answer has failed.
  void end(RequestId request, std::optional<FinishReason> why = {});
  // What the server tells of its prefix cache, as one step. Blocks that it keeps elsewhere than in the memory
  // of its device are left out. A block's number is its place here, none of the server's. Throws
  // EngineError(kUnsupported) for more than a pool can have.
  void add(const KvEventBatch& batch);
  void forgetBlocks();  // they are not there any more, or are not known to be
  bool hasEnd(RequestId request) const { return m_answers.at(request).end.has_value(); }  // it was told
  bool isUnderWay(RequestId request) const { return m_answers.contains(request); }

 private:
  struct Answer {
    SequenceId sequence = 0;
    int tokens = 0;
    bool thinks = false, hasThought = false;
    std::int64_t submittedNs = 0, firstNs = -1;
    ChatUsage usage = {};
    std::optional<FinishReason> end = {};  // as told
  };

  void publish(EventBody body);
  void beginStep();
  void endStep(int tokens);
  void admit(const Answer& answer);
  void addText(Answer& answer, std::string_view text, const std::vector<ChatToken>& tokens);
  void addToken(Answer& answer, const ChatToken* told, std::string text);
  TokenCandidates candidatesOf(const Answer& answer, const TokenSampled& sampled, const ChatToken& told);
  TokenId idOf(const std::string& text);
  void add(const KvStored& stored);
  void add(const KvRemoved& removed);
  void add(const KvCleared&) { forgetBlocks(); }
  void store(std::uint64_t hash, std::uint64_t parent);
  void remove(std::uint64_t hash);

  Clock m_clock;
  const std::int32_t m_run = nextRun();
  std::int64_t m_number = 0;
  MachineState m_state;
  std::vector<Event> m_events;
  std::map<RequestId, Answer> m_answers;  // that have not ended
  std::unordered_map<std::string, TokenId> m_ids;
  std::map<std::uint64_t, BlockId> m_blocks;  // in the prefix cache, by hash
  std::set<BlockId> m_places;                 // of blocks that were removed
  RequestId m_lastRequest = 0;
  SequenceId m_lastSequence = 0;
};

}  // namespace vitrine::connect
