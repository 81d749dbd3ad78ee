#include "backends/cuda/step_graphs.h"

#include "backends/cuda/cuda_errors.h"

namespace vitrine::cuda {

StepGraphs::Graph StepGraphs::record(cudaStream_t stream, const std::function<void()>& operations) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording a step");
  cudaGraph_t graph = nullptr;
  try {
    operations();
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    throw;
  }
  check(cudaStreamEndCapture(stream, &graph), "recording a step");
  cudaGraphExec_t executable = nullptr;
  const cudaError_t made = cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  check(made, "recording a step");
  return Graph(executable);
}

void StepGraphs::run(const StepShape& shape, cudaStream_t stream, const std::function<void()>& operations) {
  Graph* graph = m_graphs.find(shape);
  if (graph == nullptr) {
    m_graphs.add(shape, nullptr);
    return operations();
  }
  if (*graph == nullptr) *graph = record(stream, operations);
  check(cudaGraphLaunch(graph->get(), stream), "a step");
}

}  // namespace vitrine::cuda
