// OnPretendedGpu: while it lives, this process and those that it starts take the CPU for a GPU
// (pretended_gpu.cpp). For tests that CMake knows by vitrine_pretends_gpu(). WithoutGpu: they find no module
// of one. Thread: the test's.
#pragma once

#include <QByteArray>

namespace vitrine::test {

class OnPretendedGpu {
 public:
  explicit OnPretendedGpu(qint64 memoryMib = 1024) {
    qputenv("VITRINE_MODULE_PATH", VITRINE_PRETENDED_GPU);
    qputenv("VITRINE_PRETENDED_MEMORY", QByteArray::number(memoryMib << 20));
  }
  ~OnPretendedGpu() {
    qunsetenv("VITRINE_MODULE_PATH");
    qunsetenv("VITRINE_PRETENDED_MEMORY");
    qunsetenv("VITRINE_PRETENDED_ACTIVATIONS");
  }
  OnPretendedGpu(const OnPretendedGpu&) = delete;
  OnPretendedGpu& operator=(const OnPretendedGpu&) = delete;
};

class WithoutGpu {
 public:
  WithoutGpu() { qputenv("VITRINE_MODULE_PATH", VITRINE_WITHOUT_GPU); }
  ~WithoutGpu() { qunsetenv("VITRINE_MODULE_PATH"); }
  WithoutGpu(const WithoutGpu&) = delete;
  WithoutGpu& operator=(const WithoutGpu&) = delete;
};

}  // namespace vitrine::test
