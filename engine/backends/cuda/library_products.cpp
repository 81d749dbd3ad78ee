#include "backends/cuda/library_products.h"

#include <string>

#include "vitrine/error.h"

#ifdef VITRINE_CUDA_LIBRARY

#include <cublasLt.h>
#include <dlfcn.h>

#include <compare>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "backends/cuda/device_memory.h"

namespace vitrine::cuda {
namespace {

constexpr std::int64_t kWorkspaceBytes = std::int64_t{1} << 25;  // what NVIDIA recommends for 9.0
constexpr const char* kWithout = "leave --batch-invariant out";

// The library, which stays loaded. One of another major version may have another interface.
class LoadedLibrary {
 public:
  LoadedLibrary();
  template <class Function>
  Function function(const char* symbol) const {
    void* const found = dlsym(m_handle, symbol);
    if (found == nullptr) throw EngineError(ErrorCode::kUnavailable, m_name + " has no " + symbol, m_hint);
    return reinterpret_cast<Function>(found);
  }

 private:
  const std::string m_name = "libcublasLt.so." + std::to_string(CUDART_VERSION / 1000),
                    m_hint = "install the libraries of CUDA Toolkit " +
                             std::to_string(CUDART_VERSION / 1000) + ", add the folder of " + m_name +
                             " to LD_LIBRARY_PATH, or " + kWithout;
  void* m_handle = nullptr;
};

// The loader's folders first, then where the toolkit installs itself.
LoadedLibrary::LoadedLibrary() {
  std::vector<std::string> files{m_name};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0')
      files.push_back(std::string(folder) + "/lib64/" + m_name);
  files.push_back("/usr/local/cuda/lib64/" + m_name);
  std::string reason;
  for (const std::string& file : files) {
    m_handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (m_handle != nullptr) return;
    if (const char* said = dlerror(); said != nullptr && reason.empty()) reason = said;
  }
  throw EngineError(ErrorCode::kUnavailable,
                    "--batch-invariant off computes with cuBLASLt, which cannot be loaded: " + reason,
                    m_hint);
}

// Its functions.
struct Library {
  const LoadedLibrary loaded;
#define VITRINE_FROM_LIBRARY(member, symbol) \
  decltype(&symbol) member = loaded.function<decltype(&symbol)>(#symbol)
  VITRINE_FROM_LIBRARY(create, cublasLtCreate);
  VITRINE_FROM_LIBRARY(destroy, cublasLtDestroy);
  VITRINE_FROM_LIBRARY(statusString, cublasLtGetStatusString);
  VITRINE_FROM_LIBRARY(createLayout, cublasLtMatrixLayoutCreate);
  VITRINE_FROM_LIBRARY(destroyLayout, cublasLtMatrixLayoutDestroy);
  VITRINE_FROM_LIBRARY(createOperation, cublasLtMatmulDescCreate);
  VITRINE_FROM_LIBRARY(destroyOperation, cublasLtMatmulDescDestroy);
  VITRINE_FROM_LIBRARY(setOfOperation, cublasLtMatmulDescSetAttribute);
  VITRINE_FROM_LIBRARY(createPreference, cublasLtMatmulPreferenceCreate);
  VITRINE_FROM_LIBRARY(destroyPreference, cublasLtMatmulPreferenceDestroy);
  VITRINE_FROM_LIBRARY(setOfPreference, cublasLtMatmulPreferenceSetAttribute);
  VITRINE_FROM_LIBRARY(choose, cublasLtMatmulAlgoGetHeuristic);
  VITRINE_FROM_LIBRARY(multiply, cublasLtMatmul);
#undef VITRINE_FROM_LIBRARY

  void require(cublasStatus_t status, const char* doing) const {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const bool isFull = status == CUBLAS_STATUS_ALLOC_FAILED;
    throw EngineError(isFull ? ErrorCode::kOutOfMemory : ErrorCode::kUnavailable,
                      std::string("cuBLASLt failed at ") + doing + ": " + statusString(status), kWithout);
  }
};

const Library& library() {
  static const Library library;  // one that throws is tried again
  return library;
}

// What the library makes by one function and frees by another.
template <auto destroy>
struct Freed {
  template <class Made>
  void operator()(Made* made) const {
    (library().*destroy)(made);
  }
};
using Handle = std::unique_ptr<cublasLtContext, Freed<&Library::destroy>>;
using Description = std::unique_ptr<cublasLtMatmulDescOpaque_t, Freed<&Library::destroyOperation>>;
using Layout = std::unique_ptr<cublasLtMatrixLayoutOpaque_t, Freed<&Library::destroyLayout>>;
using Preference = std::unique_ptr<cublasLtMatmulPreferenceOpaque_t, Freed<&Library::destroyPreference>>;

cudaDataType typeOf(DType type) {
  VITRINE_CHECK(type != DType::kI32);
  return type == DType::kF32 ? CUDA_R_32F : type == DType::kBf16 ? CUDA_R_16BF : CUDA_R_16F;
}

// The largest power of two that divides the address, as far as the library looks.
std::uint32_t alignmentOf(const void* address) {
  constexpr std::uintptr_t kMost = 256;
  const auto number = reinterpret_cast<std::uintptr_t>(address) | kMost;
  return static_cast<std::uint32_t>(number & (~number + 1));
}

// For the library a matrix is columns one behind another: our rows are its columns, and it computes
// outᵀ = weight · xᵀ.
Layout layoutOf(DType type, std::int64_t width, std::int64_t rows, std::int64_t stride) {
  cublasLtMatrixLayout_t layout = nullptr;
  library().require(library().createLayout(&layout, typeOf(type), static_cast<std::uint64_t>(width),
                                           static_cast<std::uint64_t>(rows), stride),
                    "describing a matrix");
  return Layout(layout);
}

// What the choice of a kernel depends on.
struct Shape {
  DType type, outType;
  std::int64_t rows, outputs, inputs, inputStride, outputStride;
  std::uint32_t inputAlignment, outputAlignment;
  bool adds;
  auto operator<=>(const Shape&) const = default;
};

// How such a product is computed.
struct Plan {
  Layout weight, x, out;
  cublasLtMatmulAlgo_t algorithm = {};
  bool isKnown = false;  // false: the library has no kernel
};

class CublasProducts final : public LibraryProducts {
 public:
  explicit CublasProducts(cudaStream_t stream)
      : m_stream(stream), m_workspace(allocateDevice(kWorkspaceBytes, stream)) {
    cublasLtHandle_t handle = nullptr;
    library().require(library().create(&handle), "its start");
    m_handle.reset(handle);
    cublasLtMatmulDesc_t operation = nullptr;
    library().require(library().createOperation(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                      "describing a product");
    m_operation.reset(operation);
    constexpr cublasOperation_t kTransposed = CUBLAS_OP_T;
    library().require(
        library().setOfOperation(operation, CUBLASLT_MATMUL_DESC_TRANSA, &kTransposed, sizeof(kTransposed)),
        "describing a product");
  }

  bool multiply(const TensorView& x, const TensorView& weight, const TensorView& out, bool adds) override {
    const Plan& plan =
        planFor({weight.type(), out.type(), x.extent(0), weight.extent(0), weight.extent(1), x.stride(0),
                 out.stride(0), alignmentOf(x.data()), alignmentOf(out.data()), adds});
    if (!plan.isKnown) return false;
    const float one = 1, kept = adds ? 1 : 0;
    library().require(
        library().multiply(m_handle.get(), m_operation.get(), &one, weight.data(), plan.weight.get(),
                           x.data(), plan.x.get(), &kept, out.data(), plan.out.get(), out.data(),
                           plan.out.get(), &plan.algorithm, m_workspace.get(), kWorkspaceBytes, m_stream),
        "a product");
    return true;
  }

 private:
  const Plan& planFor(const Shape& shape) {
    constexpr std::size_t kMost = 4096;
    const auto known = m_plans.find(shape);
    if (known != m_plans.end()) return known->second;
    if (m_plans.size() == kMost) m_plans.clear();  // prompts come in any number of rows
    return m_plans.emplace(shape, choose(shape)).first->second;
  }

  Plan choose(const Shape& shape) const {
    Plan plan{layoutOf(shape.type, shape.inputs, shape.outputs, shape.inputs),
              layoutOf(shape.type, shape.inputs, shape.rows, shape.inputStride),
              layoutOf(shape.outType, shape.outputs, shape.rows, shape.outputStride)};
    const Preference preference = preferenceFor(shape);
    cublasLtMatmulHeuristicResult_t best = {};
    int found = 0;
    const cublasStatus_t status =
        library().choose(m_handle.get(), m_operation.get(), plan.weight.get(), plan.x.get(), plan.out.get(),
                         plan.out.get(), preference.get(), 1, &best, &found);
    if (status != CUBLAS_STATUS_NOT_SUPPORTED) library().require(status, "choosing a kernel");
    plan.isKnown = status == CUBLAS_STATUS_SUCCESS && found > 0 && best.state == CUBLAS_STATUS_SUCCESS;
    plan.algorithm = best.algo;
    return plan;
  }

  // Partial sums, where there are some, stay float32 until they are added.
  static Preference preferenceFor(const Shape& shape) {
    cublasLtMatmulPreference_t made = nullptr;
    library().require(library().createPreference(&made), "describing a choice");
    Preference preference(made);
    const auto set = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
      library().require(library().setOfPreference(made, attribute, &value, sizeof(value)),
                        "describing a choice");
    };
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(kWorkspaceBytes));
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
        static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, shape.inputAlignment);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, shape.outputAlignment);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, shape.outputAlignment);
    return preference;
  }

  const cudaStream_t m_stream;
  const std::shared_ptr<void> m_workspace;
  Handle m_handle;
  Description m_operation;
  std::map<Shape, Plan> m_plans;
};

}  // namespace

std::unique_ptr<LibraryProducts> openLibraryProducts(cudaStream_t stream) {
  return std::make_unique<CublasProducts>(stream);
}

}  // namespace vitrine::cuda

#else

namespace vitrine::cuda {

std::unique_ptr<LibraryProducts> openLibraryProducts(cudaStream_t) {
  throw EngineError(
      ErrorCode::kUnavailable,
      "--batch-invariant off computes with cuBLASLt, and this Vitrine was built without its header "
      "cublasLt.h",
      "install the CUDA Toolkit's cuBLAS for developers (libcublas-dev) and build again, or leave "
      "--batch-invariant out");
}

}  // namespace vitrine::cuda

#endif
