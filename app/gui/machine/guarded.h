// Mutex and Lock, as clang's thread-safety analysis knows them: a member with VITRINE_GUARDED_BY is read and
// written only while its mutex is held. Other compilers see no more than the mutex.
//
// Source: clang.llvm.org/docs/ThreadSafetyAnalysis.html. tests/gui/guarded.cpp is the check.
#pragma once

#include <mutex>

#if defined(__clang__)
#define VITRINE_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define VITRINE_THREAD_SAFETY(attribute)
#endif
#define VITRINE_GUARDED_BY(mutex) VITRINE_THREAD_SAFETY(guarded_by(mutex))
// Of a function: its caller holds the mutex, or does not.
#define VITRINE_REQUIRES(mutex) VITRINE_THREAD_SAFETY(exclusive_locks_required(mutex))
#define VITRINE_EXCLUDES(mutex) VITRINE_THREAD_SAFETY(locks_excluded(mutex))

namespace vitrine {

class VITRINE_THREAD_SAFETY(capability("mutex")) Mutex {
 public:
  void lock() VITRINE_THREAD_SAFETY(acquire_capability()) { m_mutex.lock(); }
  void unlock() VITRINE_THREAD_SAFETY(release_capability()) { m_mutex.unlock(); }

 private:
  std::mutex m_mutex;
};

// Holds a mutex for its life, but between unlock() and lock().
class VITRINE_THREAD_SAFETY(scoped_lockable) Lock {
 public:
  explicit Lock(Mutex& mutex) VITRINE_THREAD_SAFETY(acquire_capability(mutex)) : m_mutex(mutex) { lock(); }
  ~Lock() VITRINE_THREAD_SAFETY(release_capability()) {
    if (m_isHeld) m_mutex.unlock();
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  void lock() VITRINE_THREAD_SAFETY(acquire_capability()) {
    m_mutex.lock();
    m_isHeld = true;
  }
  void unlock() VITRINE_THREAD_SAFETY(release_capability()) {
    m_isHeld = false;
    m_mutex.unlock();
  }

 private:
  Mutex& m_mutex;
  bool m_isHeld = false;
};

}  // namespace vitrine
