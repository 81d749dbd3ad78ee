// Read by clang's thread-safety analysis alone: what RunControl guards with its mutex is held wherever it is
// used. With VITRINE_UNGUARDED there is a read without the mutex, which the analysis must find.
#include "gui/machine/run_control.h"

namespace vitrine {

// A template is analysed where it is used.
bool hold(RunControl& control) {
  return control.holdAtGate([] {});
}

#if defined(VITRINE_UNGUARDED)
class Counter {
 public:
  int count() const { return m_count; }

 private:
  Mutex m_mutex;
  int m_count VITRINE_GUARDED_BY(m_mutex) = 0;
};
int read(const Counter& counter) { return counter.count(); }
#endif

}  // namespace vitrine
