// Checks the CUDA backend on the GPU of this machine. Exits with 77, "skipped", where there is none.
// Usage: gpu_checks [WORKLOADS [PART...]]
// Without a part: all of them. WORKLOADS `small`: one workload, and no large sizes; for a sanitizer, which
// takes hundreds of times as long.
#include <algorithm>
#include <cstdlib>
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

bool isPart(std::string_view name) {
  const auto isNamed = [name](const auto& part) { return part.name == name; };
  return std::ranges::any_of(kParts, isNamed) || std::ranges::any_of(kWorkloadParts, isNamed);
}

}  // namespace

int main(int argc, char** argv) {
  const bool isSmall = argc > 1 && std::string_view(argv[1]) == "small";
  const int workloads = isSmall ? 1 : argc > 1 ? std::atoi(argv[1]) : 0;
  const std::vector<std::string_view> asked(argv + std::min(argc, 2), argv + argc);
  for (const std::string_view name : asked)
    if (!isPart(name)) {
      std::printf("no part is named %s; the parts are:", std::string(name).c_str());
      for (const Part& part : kParts) std::printf(" %s", part.name);
      for (const WorkloadPart& part : kWorkloadParts) std::printf(" %s", part.name);
      std::printf("\n");
      return 2;
    }
  const auto isAsked = [&asked](std::string_view name) {
    return asked.empty() || std::ranges::find(asked, name) != asked.end();
  };
  gpu::Report report(isSmall);
  try {
    std::printf("%s\n", makeCudaBackend(DType::kF32)->device().c_str());
  } catch (const EngineError& error) {
    std::printf("skipped: %s\n", error.what());
    return error.code() == ErrorCode::kUnavailable ? 77 : 1;
  }
  try {
    for (const Part& part : kParts)
      if (isAsked(part.name)) part.run(report);
    for (const WorkloadPart& part : kWorkloadParts)
      if (isAsked(part.name)) part.run(report, workloads > 0 ? workloads : part.workloads);
  } catch (const std::exception& error) {
    report.check(false, error.what());
  }
  return report.end();
}
