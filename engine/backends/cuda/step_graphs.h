// StepGraphs: the launches of a step's layers as CUDA graphs, one for each shape of a step.
//
// Two hundred launches cost the host more time than a small model's kernels take. A graph is launched as one.
// It is recorded when a shape comes for the second time (the first time, kernels still ask for memory), and
// the graphs that were not used for longest go. Thread: one at a time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <list>

namespace vitrine::cuda {

// Everything that a recorded launch has in it, but for what stands in memory.
struct StepShape {
  std::uint64_t memory = 0;  // RepeatedLayers
  int firstLayer = 0, lastLayer = 0;
  const void* hidden = nullptr;
  const void* cache = nullptr;  // its memory on the device
  int blockSize = 0;
  const void* lists = nullptr;
  int tokens = 0, tableWidth = 0, mostContext = 0;
  bool operator==(const StepShape&) const = default;
};

class StepGraphs {
 public:
  StepGraphs() = default;
  ~StepGraphs() { clear(); }
  StepGraphs(const StepGraphs&) = delete;
  StepGraphs& operator=(const StepGraphs&) = delete;

  // Launches the graph of the shape, or `operations` as they are.
  void run(const StepShape& shape, cudaStream_t stream, const std::function<void()>& operations);
  // Memory that the graphs use has moved. Waits for nothing: a graph that runs is kept by CUDA.
  void clear();

 private:
  struct Graph {
    StepShape shape;
    cudaGraphExec_t executable = nullptr;  // null: seen once
  };
  static cudaGraphExec_t record(cudaStream_t stream, const std::function<void()>& operations);

  std::list<Graph> m_graphs;  // the last used first
};

}  // namespace vitrine::cuda
