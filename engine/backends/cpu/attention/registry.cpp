// kernels.inc is written by CMake: VITRINE_ATTENTION(name) for each kernel's file.
#include <algorithm>

#include "backends/backend.h"
#include "backends/cpu/attention/attention.h"
#include "vitrine/engine.h"
#include "vitrine/error.h"

namespace vitrine {
namespace cpu {

#define VITRINE_ATTENTION(name) const AttentionKernel& name##Attention();
#include "attention_kernels.inc"
#undef VITRINE_ATTENTION

namespace {

struct Entry {
  const char* name;
  const AttentionKernel& (*kernel)();
};
#define VITRINE_ATTENTION(name) {#name, name##Attention},
constexpr Entry kEntries[] = {
#include "attention_kernels.inc"
};
#undef VITRINE_ATTENTION

}  // namespace

const AttentionKernel& attentionKernel(const std::string& name) {
  const auto* entry = std::ranges::find_if(kEntries, [&](const Entry& e) { return name == e.name; });
  if (entry != std::end(kEntries)) return entry->kernel();
  std::string list;
  for (const std::string& known : attentionKernelNames()) list += (list.empty() ? "" : ", ") + known;
  throw EngineError(ErrorCode::kInvalidArgument, "there is no attention kernel called \"" + name + "\"",
                    "choose --attention " + list);
}

}  // namespace cpu

const char* fastestAttention(Compute compute) { return compute == Compute::kBf16 ? "bf16" : "flash"; }

std::vector<std::string> attentionKernelNames() {
  std::vector<std::string> names;
  for (const cpu::Entry& entry : cpu::kEntries) names.emplace_back(entry.name);
  return names;
}

}  // namespace vitrine
