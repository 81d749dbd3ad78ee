// CudaBackend::compareLaunches(): a step's layers in each way of launching them, timed by the GPU's clock.
//
// The layers read the residual stream, keys and values of earlier steps, and lists; they write the residual
// stream and the step's own keys and values. So they may be done again and again from a copy of the stream.
#include <algorithm>
#include <limits>

#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/launch_marks.h"

namespace vitrine::cuda {
namespace {

constexpr int kPasses = 3;

// Does work on the stream of hidden states, and undoes it.
class Rehearsal {
 public:
  Rehearsal(const Stream& stream, const TensorView& hidden)
      : m_stream(stream),
        m_hidden(hidden.data()),
        m_bytes(static_cast<std::size_t>(hidden.extent(0) * hidden.stride(0)) * sizeof(float)),
        m_copy(allocateDevice(static_cast<std::int64_t>(m_bytes), stream)) {
    copy(m_copy.get(), m_hidden);
  }

  // The time of the fastest pass.
  template <class Work>
  std::int64_t timed(const Work& work) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int pass = 0; pass < kPasses; ++pass) {
      const StreamEvent end;
      once(work);
      end.record(m_stream);
      restore();
      least = std::min(least, end.nsSince(m_start));
    }
    return least;
  }
  // From an idle GPU on.
  template <class Work>
  void once(const Work& work) const {
    m_stream.finish();
    m_start.record(m_stream);
    work();
  }
  void restore() const {
    copy(m_hidden, m_copy.get());
    m_stream.finish();
  }
  const StreamEvent& start() const { return m_start; }

 private:
  void copy(void* to, const void* from) const {
    check(cudaMemcpyAsync(to, from, m_bytes, cudaMemcpyDeviceToDevice, m_stream), "a copy on the GPU");
  }

  const Stream& m_stream;
  void* const m_hidden;
  const std::size_t m_bytes;
  const std::shared_ptr<void> m_copy;
  const StreamEvent m_start;
};

}  // namespace

std::optional<LaunchesMeasured> CudaBackend::compareLaunches(const RepeatedLayers& layers,
                                                             const std::function<void()>& operations) {
  if (!m_isDecoding || layers.hidden.extent(0) == 0 || layers.hidden.type() != DType::kF32)
    return std::nullopt;
  const auto whole = [&] { launchAll(operations); };
  const Rehearsal rehearsal(m_stream, layers.hidden);
  const auto marked = [&](const std::function<void()>& launch) {
    LaunchMarks marks(m_stream);
    doWhile(m_marks, &marks, launch);
    rehearsal.restore();
    return marks.spansSince(rehearsal.start());
  };
  LaunchesMeasured measured{LaunchWay::kGraph,
                            static_cast<int>(m_queryStart.size()) - 1,
                            static_cast<int>(layers.hidden.extent(0)),
                            layers.last - layers.first,
                            {}};

  whole();  // what a first time allocates
  rehearsal.restore();
  const RecordedGraph graph = StepGraphs::record(m_stream, whole);
  LaunchTimes eager{LaunchWay::kEager, graph.nodes, rehearsal.timed(whole), {}};
  eager.spans = marked([&] { rehearsal.once(whole); });
  measured.ways.push_back(std::move(eager));

  LaunchTimes repeated{LaunchWay::kGraph, 1, rehearsal.timed([&] { graph.launch(m_stream); }), {}};
  repeated.spans = marked([&] {
    const RecordedGraph withMarks = StepGraphs::record(m_stream, whole);
    for (int time = 0; time < 2; ++time) {  // the first brings the graph to the GPU
      rehearsal.once([&] { withMarks.launch(m_stream); });
      rehearsal.restore();
    }
  });
  measured.ways.push_back(std::move(repeated));

  const WrittenStep* const written = writtenStep(shapeOf(layers), operations);
  if (written != nullptr) {
    LaunchTimes persistent{LaunchWay::kPersistent,
                           written->lastNorm ? 2 : 1,
                           rehearsal.timed([&] { launchWritten(*written, nullptr); }),
                           {}};
    const StepTimes times(written->program->operations(), m_stream);
    rehearsal.once([&] { launchWritten(*written, times.onGpu()); });
    rehearsal.restore();
    persistent.spans = times.spans();
    measured.ways.push_back(std::move(persistent));
  }
  measured.way = m_decoding == Decoding::kEager                         ? LaunchWay::kEager
                 : written != nullptr && m_decoding != Decoding::kGraph ? LaunchWay::kPersistent
                                                                        : LaunchWay::kGraph;
  return measured;
}

}  // namespace vitrine::cuda
