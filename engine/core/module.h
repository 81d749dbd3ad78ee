// Module: a shared object of ours that is loaded when it is needed and stays loaded.
//
// For what not every run needs and what would cost every start, or quarrel with others: libtorch (0.4 s and
// 160 MB), and libsentencepiece, which carries a protobuf of its own under the same names as the one that
// libtorch links, so that neither may be seen by the other. Symbols stay local to the module.
// A module defines `extern "C" const char* vitrineModuleVersion()`, which must give the program's version,
// since classes with virtual functions cross the border. Thread: any.
#pragma once

#include <string>

namespace vitrine {

class Module {
 public:
  // Searched in VITRINE_MODULE_PATH if that is set, else in moduleFolder(). Throws EngineError(kUnavailable):
  // `what` names what is missing ("the reference kernels are"), `hint` the mend.
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
