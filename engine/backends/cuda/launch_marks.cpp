#include "backends/cuda/launch_marks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/device_memory.h"
#include "backends/cuda/step_program.h"

namespace vitrine::cuda {

StreamEvent::StreamEvent() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "an event");
  m_event.reset(event);
}

// An error shows where the stream is waited for.
void StreamEvent::record(cudaStream_t stream) const {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  cudaEventRecordWithFlags(
      m_event.get(), stream,
      status == cudaStreamCaptureStatusActive ? cudaEventRecordExternal : cudaEventRecordDefault);
}

std::int64_t StreamEvent::nsSince(const StreamEvent& earlier) const {
  constexpr double kNsEach = 1e6;
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, earlier.m_event.get(), m_event.get()), "a time");
  return std::llround(static_cast<double>(milliseconds) * kNsEach);
}

void LaunchMarks::begin(Operation operation) {
  if (operation == Operation::kQkv) ++m_layer;
  m_isMarking = m_layer < kLayers;
  if (!m_isMarking) return;
  m_marks.push_back({operation, std::max(m_layer, 0), {}, {}});
  m_marks.back().begin.record(m_stream);
}

void LaunchMarks::end() {
  if (m_isMarking) m_marks.back().end.record(m_stream);
}

std::vector<LaunchSpan> LaunchMarks::spansSince(const StreamEvent& start) const {
  std::vector<LaunchSpan> spans;
  spans.reserve(m_marks.size());
  for (const Mark& mark : m_marks)
    spans.push_back({mark.operation, mark.layer, mark.begin.nsSince(start), mark.end.nsSince(start)});
  return spans;
}

StepTimes::StepTimes(const std::vector<Operation>& operations, cudaStream_t stream)
    : m_operations(operations),
      m_stream(stream),
      m_memory(allocateDevice((1 + StepProgram::kTimed) * static_cast<std::int64_t>(sizeof(std::uint64_t)),
                              stream)) {
  check(cudaMemsetAsync(m_memory.get(), 0xFF, sizeof(std::uint64_t), stream), "a time");  // the least counts
}

std::vector<LaunchSpan> StepTimes::spans() const {
  std::array<std::uint64_t, 1 + StepProgram::kTimed> times{};
  check(cudaMemcpyAsync(times.data(), m_memory.get(), sizeof(times), cudaMemcpyDeviceToHost, m_stream),
        "a copy from the GPU");
  check(cudaStreamSynchronize(m_stream), "a step");
  std::vector<LaunchSpan> spans;
  std::int64_t beganNs = 0;
  int layer = -1;
  for (std::size_t i = 0; i < std::min(times.size() - 1, m_operations.size()); ++i) {
    if (m_operations[i] == Operation::kQkv) ++layer;
    const auto endedNs = static_cast<std::int64_t>(times[i + 1] - times[0]);
    spans.push_back({m_operations[i], std::max(layer, 0), beganNs, endedNs});
    beganNs = endedNs;
  }
  return spans;
}

}  // namespace vitrine::cuda
