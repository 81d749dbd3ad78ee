// Checks the CUDA backend on the GPU of this machine. Exits with 77, "skipped", where there is none.
// Usage: gpu_checks [WORKLOADS [PART[:TEXT]...]]
// Without a part: all of them. TEXT: of a part, only the groups of checks with this text in their name, as
// codes:Q4_K. WORKLOADS `small`: one workload, and no large sizes; for a sanitizer, which
// takes hundreds of times as long.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/gpu_checks.h"
#include "vitrine/error.h"

namespace {

using namespace vitrine;

struct Part {
  const char* name;
  void (*run)(gpu::Report& report);
};

constexpr Part kParts[] = {
    {"device", gpu::checkDevice},       {"operations", gpu::checkOperations},
    {"products", gpu::checkProducts},   {"codes", gpu::checkCodes},
    {"library", gpu::checkLibrary},     {"digests", gpu::checkDigests},
    {"attention", gpu::checkAttention}, {"blocks", gpu::checkBlocks},
    {"models", gpu::checkModels},       {"block-models", gpu::checkBlockModels},
};
// Over random workloads, as many as are asked for.
struct WorkloadPart {
  const char* name;
  void (*run)(gpu::Report& report, int workloads);
  int workloads;  // unless another number is asked for
};
constexpr WorkloadPart kWorkloadParts[] = {{"overlap", gpu::checkOverlap, 60},
                                           {"engines", gpu::checkEngines, 200}};

struct Asked {
  std::string part, text;
};
Asked askedBy(const std::string& argument) {
  const std::size_t colon = std::min(argument.find(':'), argument.size());
  return {argument.substr(0, colon), argument.substr(std::min(colon + 1, argument.size()))};
}

bool isPart(std::string_view name) {
  const auto isNamed = [name](const auto& part) { return part.name == name; };
  return std::ranges::any_of(kParts, isNamed) || std::ranges::any_of(kWorkloadParts, isNamed);
}

}  // namespace

int main(int argc, char** argv) {
  const bool isSmall = argc > 1 && std::string_view(argv[1]) == "small";
  const int workloads = isSmall ? 1 : argc > 1 ? std::atoi(argv[1]) : 0;
  std::vector<Asked> asked;
  std::transform(argv + std::min(argc, 2), argv + argc, std::back_inserter(asked), askedBy);
  for (const Asked& each : asked)
    if (!isPart(each.part)) {
      std::printf("no part is named %s; the parts are:", each.part.c_str());
      for (const Part& part : kParts) std::printf(" %s", part.name);
      for (const WorkloadPart& part : kWorkloadParts) std::printf(" %s", part.name);
      std::printf("\n");
      return 2;
    }
  gpu::Report report(isSmall);
  const auto runAsked = [&](std::string_view part, const auto& run) {
    if (asked.empty()) run();
    for (const Asked& each : asked) {
      if (each.part != part) continue;
      report.choose(each.text);
      run();
    }
  };
  try {
    std::printf("%s\n", makeCudaBackend(DType::kF32)->device().c_str());
  } catch (const EngineError& error) {
    std::printf("skipped: %s\n", error.what());
    return error.code() == ErrorCode::kUnavailable ? 77 : 1;
  }
  try {
    for (const Part& part : kParts) runAsked(part.name, [&] { part.run(report); });
    for (const WorkloadPart& part : kWorkloadParts)
      runAsked(part.name, [&] { part.run(report, workloads > 0 ? workloads : part.workloads); });
  } catch (const std::exception& error) {
    report.check(false, error.what());
  }
  return report.end();
}
