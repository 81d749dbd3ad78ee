#include "vitrine/prose/words.h"

#include <array>
#include <cstdio>

#include "prose/speaker.h"

namespace vitrine::prose {
namespace {

class Words : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  explicit Words(const Language& language) : Speaker(kNoNames, language) {}

  String duration(std::int64_t ns) const {
    const double us = static_cast<double>(ns) / 1e3;
    if (us < 1000) return tr("%1 µs").arg(decimal(us, 0));
    if (us < 1e6) return tr("%1 ms").arg(decimal(us / 1e3, us < 1e5 ? 1 : 0));
    return tr("%1 s").arg(decimal(us / 1e6, us < 1e8 ? 2 : 0));
  }

  String percent(double share) const {
    const double value = share * 100;
    if (value > 0 && value < 0.05) return tr("< %1 %").arg(decimal(0.1, 1));
    return tr("%1 %").arg(decimal(value, 1));
  }

  String byteSize(std::int64_t bytes) const {
    if (bytes < 1024) return tr("%n byte(s)", nullptr, static_cast<int>(bytes));
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    const std::array units = {tr("%1 KiB"), tr("%1 MiB"), tr("%1 GiB"), tr("%1 TiB")};
    for (value /= 1024; value >= 1024 && unit + 1 < units.size(); value /= 1024) ++unit;
    return units[unit].arg(decimal(value, 1));
  }

  String ignored(const IgnoredTensors& ignored) const {
    if (!ignored.tieIgnored) return ignored.count > 0 ? unusedTensors(ignored) : String();
    const String tie =
        tr("config.json of %1 says that its head is the embedding, but its files hold another head "
           "(lm_head.weight). The head of the files is used.")
            .arg(ignored.model);
    return ignored.count > 0 ? tr("%1 %2").arg(unusedTensors(ignored), tie) : tie;
  }

  String unusedTensors(const IgnoredTensors& tensors) const {
    std::string names;
    for (const std::string& name : tensors.first) names += (names.empty() ? "" : ", ") + name;
    const int more = tensors.count - static_cast<int>(tensors.first.size());
    const String listed = more > 0 ? tr("%1 and %2 more").arg(names, more) : String(names);
    const String said = tr("The decoder of %1 does not use %2 of its files: %3.")
                            .arg(tensors.model, tr("%n tensor(s)", nullptr, tensors.count), listed);
    if (!tensors.draftHead) return said;
    return tr("%1 Among them is a head that drafts tokens (multi-token prediction), which is not computed.")
        .arg(said);
  }

  String phase(Phase phase) const {
    switch (phase) {
      case Phase::kAdmit:
        return tr("Admit");
      case Phase::kPlan:
        return tr("Plan");
      case Phase::kAllocate:
        return tr("Allocate");
      case Phase::kForward:
        return tr("Forward");
      case Phase::kSample:
        return tr("Sample");
      case Phase::kCommit:
        return tr("Commit");
    }
    return {};
  }

  String operation(Operation operation) const {
    switch (operation) {
      case Operation::kEmbed:
        return tr("embed");
      case Operation::kNorms:
        return tr("norms");
      case Operation::kQkv:
        return tr("q k v");
      case Operation::kRotary:
        return tr("rotary");
      case Operation::kStoreKv:
        return tr("store KV");
      case Operation::kAttention:
        return tr("attention");
      case Operation::kOutput:
        return tr("output");
      case Operation::kGateUp:
        return tr("gate-up");
      case Operation::kGate:
        return tr("gate");
      case Operation::kDown:
        return tr("down");
      case Operation::kHead:
        return tr("head");
      case Operation::kOther:
        return tr("other");
    }
    return {};
  }

  String memory(MemoryLevel level) const {
    switch (level) {
      case MemoryLevel::kSecondCache:
        return tr("second-level cache");
      case MemoryLevel::kThirdCache:
        return tr("third-level cache");
      case MemoryLevel::kMemory:
        return tr("memory");
    }
    return {};
  }

  String peak(RoofPeak peak) const {
    switch (peak) {
      case RoofPeak::kF32InRegisters:
        return tr("float32 multiply-adds");
      case RoofPeak::kF32Products:
        return tr("float32 products of matrices");
      case RoofPeak::kBf16Products:
        return tr("bfloat16 products of matrices");
      case RoofPeak::kF16Products:
        return tr("float16 products of matrices");
      case RoofPeak::kBf16InRegisters:
        return tr("bfloat16 multiply-adds");
      case RoofPeak::kInt8InRegisters:
        return tr("int8 multiply-adds");
    }
    return {};
  }

  String ceiling(const RoofCeiling& ceiling) const {
    if (ceiling.instructions.empty()) return peak(ceiling.peak);
    return tr("%1 (%2)").arg(peak(ceiling.peak), ceiling.instructions);
  }

  String arithmetic(Compute compute) const {
    switch (compute) {
      case Compute::kAuto:
      case Compute::kF32:
        return tr("float32");
      case Compute::kBf16:
        return tr("bfloat16");
      case Compute::kInt8:
        return tr("int8");
    }
    return {};
  }

  String roofDevice(const MachineRoof& roof) const {
    if (roof.isOfGpu()) return roof.instructions;
    return tr("%1, %n thread(s)", nullptr, roof.threads).arg(roof.instructions);
  }

  String roofLine(const RoofLine& line) const {
    return tr("%1 GB/s at %2 (%3)")
        .arg(decimal(line.gbps, line.gbps < 100 ? 1 : 0), byteSize(line.bytes), memory(line.level));
  }

  String finish(FinishReason reason) const {
    switch (reason) {
      case FinishReason::kStop:
        return tr("stop token or string");
      case FinishReason::kLength:
        return tr("length limit");
      case FinishReason::kCancelled:
        return tr("cancelled");
      case FinishReason::kFailed:
        return tr("failed");
      case FinishReason::kPruned:
        return tr("pruned");
    }
    return {};
  }

  String wait(const SequenceWaiting& e) const {
    switch (e.reason) {
      case WaitReason::kBlocks:
        return tr("needs %n block(s), free %1 at %2", nullptr, e.needed)
            .arg(e.available, phase(Phase::kAdmit));
      case WaitReason::kSequences:
        return tr("needs %n slot(s), free %1 at %2", nullptr, e.needed)
            .arg(e.available, phase(Phase::kAdmit));
      case WaitReason::kTokenBudget:
        return tr("needs %n token(s), %1 left in this step's budget", nullptr, e.needed).arg(e.available);
      case WaitReason::kPreemption:
        return tr("a step that preempts admits no sequence (running sequences need %n block(s), free %1 at "
                  "%2)",
                  nullptr, e.needed)
            .arg(e.available, phase(Phase::kAdmit));
      case WaitReason::kBehind:
        return tr("a request in front of it cannot be admitted (head-of-line blocking)");
      case WaitReason::kBatch:
        return e.needed == 0
                   ? std::string(tr("the batch is closed until its preempted sequences have ended"))
                   : tr("the batch is closed; %n running sequence(s) must end first", nullptr, e.needed);
      case WaitReason::kBeams:
        return tr("the first beam has computed %1 of %n shared token(s)", nullptr, e.needed).arg(e.available);
      case WaitReason::kWindow:
        return tr("%1 of %2 ms of the batching window have passed").arg(e.available, e.needed);
    }
    return {};
  }
};

// Marks that turn the direction of text or hide in it, which would rearrange the line they stand in; and the
// second set of control characters, which a terminal obeys.
bool isHiddenMark(unsigned code) {
  return (code >= 0x80 && code <= 0x9f) || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

void appendUtf8(std::string& text, unsigned code) {  // of three bytes, as all the signs below are
  text += static_cast<char>(0xe0 | (code >> 12));
  text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
  text += static_cast<char>(0x80 | (code & 0x3f));
}

void appendControl(std::string& text, unsigned char c) {
  switch (c) {
    case ' ':
      return appendUtf8(text, 0x2423);  // ␣
    case '\n':
      return appendUtf8(text, 0x21b5);  // ↵
    case '\t':
      return appendUtf8(text, 0x21e5);  // ⇥
    case 0x7f:
      return appendUtf8(text, 0x2421);  // ␡
    default:
      return appendUtf8(text, 0x2400u + c);
  }
}

}  // namespace

std::string duration(std::int64_t ns, const Language& language) { return Words(language).duration(ns); }
std::string percent(double share, const Language& language) { return Words(language).percent(share); }
std::string byteSize(std::int64_t bytes, const Language& language) { return Words(language).byteSize(bytes); }
std::string ignoredTensors(const IgnoredTensors& ignored, const Language& language) {
  return Words(language).ignored(ignored);
}
std::string phaseName(Phase phase, const Language& language) { return Words(language).phase(phase); }
std::string operationName(Operation operation, const Language& language) {
  return Words(language).operation(operation);
}
std::string memoryLevel(MemoryLevel level, const Language& language) { return Words(language).memory(level); }
std::string roofPeak(RoofPeak peak, const Language& language) { return Words(language).peak(peak); }
std::string roofCeiling(const RoofCeiling& ceiling, const Language& language) {
  return Words(language).ceiling(ceiling);
}
std::string arithmeticName(Compute arithmetic, const Language& language) {
  return Words(language).arithmetic(arithmetic);
}
std::string roofDevice(const MachineRoof& roof, const Language& language) {
  return Words(language).roofDevice(roof);
}
std::string roofLine(const RoofLine& line, const Language& language) {
  return Words(language).roofLine(line);
}
std::string finishReason(FinishReason reason, const Language& language) {
  return Words(language).finish(reason);
}
std::string waitReason(const SequenceWaiting& waiting, const Language& language) {
  return Words(language).wait(waiting);
}

std::string shortHash(std::uint64_t hash) {
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08x", static_cast<unsigned>(hash >> 32));
  return text.data();
}

std::string visibleText(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) {
      return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
    };
    const unsigned c = byte(i), second = byte(i + 1), third = byte(i + 2);
    const std::size_t length = (c & 0xe0) == 0xc0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : 1;
    const unsigned code = length == 2   ? (c & 0x1f) << 6 | (second & 0x3f)
                          : length == 3 ? (c & 0x0f) << 12 | (second & 0x3f) << 6 | (third & 0x3f)
                                        : c;
    const bool whole = (length < 2 || (second & 0xc0) == 0x80) && (length < 3 || (third & 0xc0) == 0x80);
    if (c <= 0x20 || c == 0x7f) {
      appendControl(shown, static_cast<unsigned char>(c));
    } else if (length > 1 && whole && isHiddenMark(code)) {
      std::array<char, 5> hex{};
      std::snprintf(hex.data(), hex.size(), "%04x", code);
      shown += std::string("‹") + hex.data() + "›";
      i += length - 1;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

}  // namespace vitrine::prose
