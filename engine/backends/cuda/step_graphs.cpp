#include "backends/cuda/step_graphs.h"

#include "backends/cuda/cuda_errors.h"

namespace vitrine::cuda {

RecordedGraph StepGraphs::record(cudaStream_t stream, const std::function<void()>& operations) {
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
  std::size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  const cudaError_t made = cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  check(made, "recording a step");
  RecordedGraph recorded;
  recorded.graph.reset(executable);
  recorded.nodes = static_cast<int>(nodes);
  return recorded;
}

void RecordedGraph::launch(cudaStream_t stream) const {
  check(cudaGraphLaunch(graph.get(), stream), "a step");
}

void StepGraphs::run(const StepShape& shape, cudaStream_t stream, const std::function<void()>& operations) {
  RecordedGraph* known = m_graphs.find(shape);
  if (known == nullptr) {
    m_graphs.add(shape, {});
    return operations();
  }
  if (known->graph == nullptr) *known = record(stream, operations);
  known->launch(stream);
}

}  // namespace vitrine::cuda
