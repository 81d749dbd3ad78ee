// Checks the CUDA backend on the GPU of this machine. Exits with 77, "skipped", where there is none.
// Usage: gpu_checks [WORKLOADS]
#include <cstdlib>

#include "gpu/gpu_checks.h"
#include "vitrine/error.h"

int main(int argc, char** argv) {
  using namespace vitrine;
  gpu::Report report;
  try {
    std::printf("%s\n", makeCudaBackend(DType::kF32)->device().c_str());
  } catch (const EngineError& error) {
    std::printf("skipped: %s\n", error.what());
    return error.code() == ErrorCode::kUnavailable ? 77 : 1;
  }
  try {
    gpu::checkDevice(report);
    gpu::checkOperations(report);
    gpu::checkProducts(report);
    gpu::checkCodes(report);
    gpu::checkLibrary(report);
    gpu::checkDigests(report);
    gpu::checkAttention(report);
    gpu::checkBlocks(report);
    gpu::checkModels(report);
    gpu::checkBlockModels(report);
    gpu::checkOverlap(report, argc > 1 ? std::atoi(argv[1]) : 60);
    gpu::checkEngines(report, argc > 1 ? std::atoi(argv[1]) : 200);
  } catch (const std::exception& error) {
    report.check(false, error.what());
  }
  return report.end();
}
