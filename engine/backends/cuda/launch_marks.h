// LaunchMarks: when a step's operations begin and end, on the GPU's own clock, for a look at how their
// launches follow one another.
//
// A mark is an event of CUDA on the stream before and behind an operation, or a node of a graph that is
// recorded. It keeps the next kernel from beginning early, so only the first layers have marks. Thread: one
// at a time.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>
#include <vector>

#include "vitrine/events/forward.h"

namespace vitrine::cuda {

class StreamEvent {
 public:
  StreamEvent();
  void record(cudaStream_t stream) const;                  // in a graph that is recorded: as a node of it
  std::int64_t nsSince(const StreamEvent& earlier) const;  // both have happened

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> m_event;
};

class LaunchMarks {
 public:
  static constexpr int kLayers = 2;  // that have marks

  explicit LaunchMarks(cudaStream_t stream) : m_stream(stream) {}

  // Around an operation; the product for queries, keys and values begins a layer.
  void begin(Operation operation);
  void end();

  std::vector<LaunchSpan> spansSince(const StreamEvent& start) const;  // the stream has finished

 private:
  struct Mark {
    Operation operation;
    int layer;
    StreamEvent begin, end;
  };
  const cudaStream_t m_stream;
  int m_layer = -1;
  bool m_isMarking = false;
  std::vector<Mark> m_marks;
};

// The same of a step that is one kernel (StepProgram::launch()): an operation begins where the one before it
// ends.
class StepTimes {
 public:
  StepTimes(const std::vector<Operation>& operations, cudaStream_t stream);
  std::uint64_t* onGpu() const { return static_cast<std::uint64_t*>(m_memory.get()); }
  std::vector<LaunchSpan> spans() const;  // waits for the stream

 private:
  const std::vector<Operation>& m_operations;
  const cudaStream_t m_stream;
  const std::shared_ptr<void> m_memory;
};

// Marks an operation while it lives; null: nothing.
class MarkScope {
 public:
  MarkScope(LaunchMarks* marks, Operation operation) : m_marks(marks) {
    if (m_marks != nullptr) m_marks->begin(operation);
  }
  ~MarkScope() {
    if (m_marks != nullptr) m_marks->end();
  }
  MarkScope(const MarkScope&) = delete;
  MarkScope& operator=(const MarkScope&) = delete;

 private:
  LaunchMarks* const m_marks;
};

}  // namespace vitrine::cuda
