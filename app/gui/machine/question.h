// Question: what the window asked the engine's thread (EngineHost::ask()). The asker holds it. Another one in
// its place, drop() and its end supersede it: the answer does not run, and the work is not begun or ends
// soon. Thread: the window's. Read next: engine_host.h.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <utility>

#include "vitrine/engine.h"

namespace vitrine {

// The machine as a question's work sees it, on the engine's thread.
struct AskedMachine {
  Engine& engine;
  const std::filesystem::path& model;  // that it was loaded from
  const EngineOptions& options;
  Engine::Progress goesOn;  // for long work: false when the question is interrupted
};

// Opening a forward takes seconds, and the machine comes first: such a question yields to others.
enum class Manner {
  kAtOnce,  // interrupts one that yields, as each command does
  kYields,  // the same, and is itself interrupted
  kWaits,   // waits behind one that yields
};

class [[nodiscard]] Question {
 public:
  struct Watch {
    std::atomic<bool> isInterrupted = false;
    std::atomic<float> fraction = 0;  // of the work that is done
    bool isOpen = true;               // the window's thread
  };

  Question() = default;
  explicit Question(std::shared_ptr<Watch> watch) : m_watch(std::move(watch)) {}
  ~Question() { drop(); }
  Question(Question&& other) noexcept : m_watch(std::exchange(other.m_watch, nullptr)) {}
  Question& operator=(Question&& other) noexcept {
    std::swap(m_watch, other.m_watch);
    other.drop();
    return *this;
  }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  bool isOpen() const { return m_watch && m_watch->isOpen; }  // it has no answer yet, and will have one
  bool isInterrupted() const { return m_watch && m_watch->isInterrupted; }
  float fraction() const { return m_watch ? m_watch->fraction.load() : 0; }
  // The work ends soon, and the answer comes without a result.
  void interrupt() {
    if (m_watch) m_watch->isInterrupted = true;
  }
  void drop() {
    if (!m_watch) return;
    m_watch->isInterrupted = true;
    m_watch->isOpen = false;
    m_watch.reset();
  }

 private:
  std::shared_ptr<Watch> m_watch;
};

}  // namespace vitrine
