// StepGraphs: the launches of a step's layers as CUDA graphs, one for each shape of a step.
//
// Two hundred launches cost the host more time than a small model's kernels take. A graph is launched as one.
// It is recorded when a shape comes for the second time (the first time, kernels still ask for memory).
// Thread: one at a time.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <type_traits>

#include "backends/cuda/step_shape.h"

namespace vitrine::cuda {

struct RecordedGraph {
  struct Destroy {
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> graph;  // null: none yet
  int nodes = 0;
  void launch(cudaStream_t stream) const;
};

class StepGraphs {
 public:
  static RecordedGraph record(cudaStream_t stream, const std::function<void()>& operations);

  // Launches the graph of the shape, or `operations` as they are.
  void run(const StepShape& shape, cudaStream_t stream, const std::function<void()>& operations);
  // Memory that the graphs use has moved. Waits for nothing: a graph that runs is kept by CUDA.
  void clear() { m_graphs.clear(); }

 private:
  RecentShapes<RecordedGraph> m_graphs;  // without a graph: a shape that was seen once
};

}  // namespace vitrine::cuda
