#include "bench/weight_forms.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <system_error>

#include "vitrine/engine_option_table.h"
#include "vitrine/inspect.h"
#include "vitrine/message_text.h"

namespace vitrine::cli {
namespace {

// A folder of its own among the system's for temporary files, and all that is in it, until it goes.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
    std::string name = (temporary / "vitrine-XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr)
      throw EngineError(ErrorCode::kIo, "no folder for temporary files can be made: " + name,
                        "Set TMPDIR to a folder that can be written to.");
    m_path = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

// The type that most of a model's bytes are in, as its files spell it.
std::string typeOf(const InspectedModel& model) {
  std::map<std::string, std::int64_t> bytes;
  for (const InspectedTensor& tensor : model.tensors) bytes[tensor.type] += tensor.bytes;
  const auto most = std::ranges::max_element(bytes, {}, [](const auto& type) { return type.second; });
  return most == bytes.end() ? std::string() : most->first;
}

// None: blocks.
std::optional<WeightType> floatType(const std::string& type) {
  if (type == "F32") return WeightType::kF32;
  if (type == "BF16") return WeightType::kBf16;
  if (type == "F16") return WeightType::kF16;
  return {};
}

// What the engine's own CPU kernels offer; all else computes in one way, which counts as float32.
std::vector<Compute> computesOf(const EngineOptions& options, bool isInWholeNumbers, bool isBf16) {
  std::vector<Compute> computes{Compute::kF32};
  const Compute more = isInWholeNumbers ? Compute::kInt8 : Compute::kBf16;
  if (kWithOwnCpuKernels.holds(options) && (isInWholeNumbers || isBf16) &&
      (options.compute == Compute::kAuto || options.compute == more))
    computes.push_back(more);
  return computes;
}

void addTypes(const EngineOptions& options, const std::string& asked, std::vector<WeightForm>& forms) {
  const std::vector<std::string> known = blockTypeNames();
  std::vector<std::string> names = asked == "all" ? known : CLI::detail::split(asked, ',');
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end())
      throw UsageError("--types: \"" + forMessage(name, 60) +
                       "\" is no type that can be written; those are " + CLI::detail::join(known, ", "));
    forms.push_back({.name = "gguf " + name,
                     .computes = computesOf(options, true, false),
                     .weightType = options.weightType,
                     .type = fromName<ConvertType>(name)});
  }
}

void addFiles(const EngineOptions& options, const std::vector<std::string>& files,
              const InspectedModel& model, std::vector<WeightForm>& forms) {
  for (const std::string& file : files) {
    const InspectedModel other = inspectSizes(file);
    if (other.layers != model.layers || other.hiddenSize != model.hiddenSize ||
        other.vocabularySize != model.vocabularySize)
      throw UsageError("--files: " + forMessage(file) + " is another model than " + forMessage(model.name) +
                       ": layers, width or vocabulary differ; name files of the same model");
    const auto type = floatType(typeOf(other));
    forms.push_back({.name = std::filesystem::path(file).stem().string(),
                     .computes = computesOf(options, !type, type == WeightType::kBf16),
                     .weightType = options.weightType,
                     .file = file});
  }
}

}  // namespace

std::vector<WeightForm> weightFormsOf(const EngineArguments& model, const WeightFormsAsked& asked) {
  const EngineOptions& options = model.toOptions();
  const InspectedModel inspected = inspectSizes(model.modelDirectory());
  std::optional<WeightType> stored = floatType(typeOf(inspected));
  if (stored && options.weightType != WeightType::kAsStored) stored = options.weightType;
  std::vector<WeightForm> forms{{.name = nameOf(Quantization::kNone),
                                 .computes = computesOf(options, !stored, stored == WeightType::kBf16),
                                 .weightType = options.weightType}};
  for (const WeightType type : {WeightType::kF32, WeightType::kBf16, WeightType::kF16})
    if (stored && type != *stored)
      forms.push_back({.name = nameOf(type),
                       .computes = computesOf(options, false, type == WeightType::kBf16),
                       .weightType = type});
  for (const Quantization quantization : {Quantization::kInt8, Quantization::kInt4})
    forms.push_back({.name = nameOf(quantization),
                     .computes = computesOf(options, true, false),
                     .weightType = options.weightType,
                     .quantization = quantization});
  if (!asked.types.empty()) addTypes(options, asked.types, forms);
  addFiles(options, asked.files, inspected, forms);
  return forms;
}

Bench openForm(const EngineArguments& model, const WeightForm& form, const EngineOptions& options) {
  EngineArguments its = model;
  if (!form.file.empty()) its.model = form.file.string();
  if (!form.type) return openBench(its, options);
  const ScratchFolder scratch;
  its.model = (scratch.path() / "model.gguf").string();
  convertModel(model.modelDirectory(), its.model, *form.type);
  return openBench(its, options);
}

}  // namespace vitrine::cli
