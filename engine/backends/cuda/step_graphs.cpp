#include "backends/cuda/step_graphs.h"

#include <algorithm>

#include "backends/cuda/cuda_errors.h"

namespace vitrine::cuda {
namespace {

constexpr std::size_t kMostGraphs = 128;

}  // namespace

void StepGraphs::clear() {
  for (const Graph& graph : m_graphs)
    if (graph.executable != nullptr) cudaGraphExecDestroy(graph.executable);
  m_graphs.clear();
}

cudaGraphExec_t StepGraphs::record(cudaStream_t stream, const std::function<void()>& operations) {
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
  return executable;
}

void StepGraphs::run(const StepShape& shape, cudaStream_t stream, const std::function<void()>& operations) {
  auto found = std::ranges::find(m_graphs, shape, &Graph::shape);
  if (found == m_graphs.end()) {
    if (m_graphs.size() == kMostGraphs) {
      if (m_graphs.back().executable != nullptr) cudaGraphExecDestroy(m_graphs.back().executable);
      m_graphs.pop_back();
    }
    m_graphs.push_front({shape});
    return operations();
  }
  m_graphs.splice(m_graphs.begin(), m_graphs, found);
  if (found->executable == nullptr) found->executable = record(stream, operations);
  check(cudaGraphLaunch(found->executable, stream), "a step");
}

}  // namespace vitrine::cuda
