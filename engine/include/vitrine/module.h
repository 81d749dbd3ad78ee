// Module: a shared object of this program that is loaded when it is needed, and stays loaded.
//
// A module holds code that few runs need, and that would slow every start down or conflict with other
// libraries: libtorch (0.4 s and 160 MB); libsentencepiece, which contains a protobuf of its own with the
// same symbol names as the one that libtorch links; poppler. Symbols stay local to the module. A module
// defines `extern "C" const char* vitrineModuleVersion()`, which must return the program's version, since
// classes with virtual functions cross its boundary. Thread: any.
#pragma once

#include <string>

namespace vitrine {

class Module {
 public:
  // Searched in VITRINE_MODULE_PATH if that is set, else in moduleFolder(). Throws EngineError(kUnavailable):
  // `what` names what is missing ("the reference kernels are"), `hint` the remedy.
  static Module open(const char* fileName, const char* what, const char* hint);

  template <class Function>
  Function symbol(const char* name) const {
    return reinterpret_cast<Function>(find(name));
  }

 private:
  Module(void* handle, std::string path, const char* hint)
      : m_handle(handle), m_path(std::move(path)), m_hint(hint) {}
  void* find(const char* name) const;

  void* m_handle;
  std::string m_path;
  const char* m_hint;
};

inline constexpr const char* kModuleVersion = "vitrineModuleVersion";

}  // namespace vitrine
