// Stream: a queue of work for the GPU, in order. Thread: one at a time.
#pragma once

#include <cuda_runtime_api.h>

namespace vitrine::cuda {

class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return m_stream; }
  void finish() const;  // throws what the GPU failed at

 private:
  cudaStream_t m_stream = nullptr;
};

}  // namespace vitrine::cuda
