// readKvEvents(): the changes of a server's KV cache, as vLLM and SGLang publish them: one batch of msgpack.
//
// The format is that of vLLM's vllm/distributed/kv_events.py, in both of its forms. The older writes a batch
// and each event as a list, [time, [["BlockRemoved", [7], "GPU"], ...], rank]; the newer as maps with the
// fields' names, and without what has its default. Reads bytes from outside: tests/fuzz/fuzz_kv_events.
// Thread: any. Read next: kv_feed.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vitrine::connect {

// A block's hash as 64 bits. A server writes integers, or the bytes of a longer hash, of which these are the
// first eight, big-endian: any 64 bits of a good hash tell as many blocks apart as a cache has. The chance
// that two of a million blocks share theirs is one in thirty million.
using KvHash = std::uint64_t;

// Full blocks that a cache holds from now on, each the next one's parent.
struct KvStored {
  std::vector<KvHash> hashes;
  std::optional<KvHash> parent;  // of the first; none: it begins a text
  // Of all blocks, one after another: mostly hashes.size() * blockSize. A store in the host's memory may come
  // without them, and a server may cut them otherwise, so any number is taken.
  std::vector<std::int32_t> tokenIds;
  int blockSize = 0;     // in tokens; may be 0 where there are no token ids
  std::string medium;    // "GPU", "CPU"; empty: not said
  std::string loraName;  // empty: no adapter. Older servers have a number, whose digits stand here
  int group = 0;         // of layers with one kind of cache
};

struct KvRemoved {
  std::vector<KvHash> hashes;
  std::string medium;  // empty: not said
  int group = 0;
};

struct KvCleared {};  // the cache is empty

using KvEvent = std::variant<KvStored, KvRemoved, KvCleared>;

struct KvEventBatch {
  double time = 0;  // seconds since 1970
  std::vector<KvEvent> events;
  std::optional<int> rank;  // of the server's parallel copies of the model
  int unknown = 0;          // events of a type that this program does not know, which are left out
};

// Throws EngineError(kFileCorrupt) for bytes that are no such batch, or larger than any real one.
KvEventBatch readKvEvents(std::string_view payload);

}  // namespace vitrine::connect
