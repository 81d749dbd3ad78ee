// Words and numbers that sentences and views share: durations, sizes, phases, reasons.
//
// Thread: any. Read next: event_prose.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vitrine/event.h"
#include "vitrine/machine_roof.h"
#include "vitrine/prose/language.h"

namespace vitrine::prose {

std::string duration(std::int64_t ns, const Language& language = english());     // 850 µs, 12.3 ms, 4.20 s
std::string percent(double share, const Language& language = english());         // 0.283: 28.3 %
std::string byteSize(std::int64_t bytes, const Language& language = english());  // 512 bytes, 24.0 MiB
std::string shortHash(std::uint64_t hash);  // the first eight of its sixteen hexadecimal digits

// UTF-8 with blanks, line ends, control characters and marks of direction made visible: "␣the↵". Bytes that
// are not UTF-8 are kept.
std::string visibleText(std::string_view text);

std::string phaseName(Phase phase, const Language& language = english());  // "Admit"
std::string operationName(Operation operation,
                          const Language& language = english());                   // "gate-up", "store KV"
std::string memoryLevel(MemoryLevel level, const Language& language = english());  // "third-level cache"
std::string roofPeak(RoofPeak peak, const Language& language = english());         // "float32 multiply-adds"
// The same with the instructions: "int8 multiply-adds (AVX-512 VNNI)".
std::string roofCeiling(const RoofCeiling& ceiling, const Language& language = english());
std::string arithmeticName(Compute arithmetic, const Language& language = english());  // "float32", "int8"
// What a roof is the roof of: "AVX-512, 2 threads", or a GPU's name.
std::string roofDevice(const MachineRoof& roof, const Language& language = english());
// A bandwidth with what it was measured with, and where as much lies: "61.2 GB/s at 12.3 MiB (third-level
// cache)".
std::string roofLine(const RoofLine& line, const Language& language = english());
std::string finishReason(FinishReason reason,
                         const Language& language = english());  // "length limit"
// Why a sequence is not admitted, to follow "waits: ": "needs 4 blocks, free 2 at Admit".
std::string waitReason(const SequenceWaiting& waiting, const Language& language = english());
// One or two sentences: which tensors of a model's files are not used, and what they are.
std::string ignoredTensors(const IgnoredTensors& ignored, const Language& language = english());

}  // namespace vitrine::prose
