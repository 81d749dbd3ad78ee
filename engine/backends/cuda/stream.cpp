#include "backends/cuda/stream.h"

#include "backends/cuda/cuda_errors.h"

namespace vitrine::cuda {

Stream::Stream() { check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "a stream"); }
Stream::~Stream() {
  cudaStreamSynchronize(m_stream);
  cudaStreamDestroy(m_stream);
}
void Stream::finish() const { check(cudaStreamSynchronize(m_stream), "a step"); }

}  // namespace vitrine::cuda
