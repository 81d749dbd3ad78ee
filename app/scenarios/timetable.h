// Timetable: submits a scenario's requests and commands to an engine step by step, so that the command line
// and the window run the same file in the same way.
//
// The clock counts steps. When the engine has nothing to do it jumps to the next arrival: no request waits
// for an empty machine. Thread: the engine's. Read next: scenario.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/request_line.h"
#include "vitrine/engine.h"
#include "vitrine/run_script.h"

namespace vitrine {

// A command for the engine after a number of steps.
struct Command {
  int step = 0;
  std::string cancel;  // the request's name
};

class Timetable {
 public:
  using Rejected = std::function<void(std::size_t request, const EngineError& error)>;

  Timetable() = default;
  Timetable(std::vector<RequestLine> requests, std::vector<Command> commands = {});

  // Submits and cancels everything that is due. To be called before the first step and after each step.
  void serve(Engine& engine, const Rejected& rejected);
  void stepped() { ++m_clock; }
  // Goes on where a recorded run of this scenario ends: leaves out the requests that it has, in their order,
  // and the commands up to its last step.
  void skipRecorded(const RunScript& script);

  // Time to sleep before the next step, in nanoseconds: what is left of an open batching window, but at most
  // a millisecond while an arrival or a command is still due, since steps of an open window advance the
  // clock.
  std::int64_t restNs(const Engine& engine) const;

  std::int64_t clock() const { return m_clock; }
  bool isDone() const { return m_next == m_order.size(); }              // every request has been submitted
  RequestId idOf(std::size_t request) const { return m_ids[request]; }  // 0: not submitted, or rejected

 private:
  void submitDue(Engine& engine, const Rejected& rejected);
  void obeyDue(Engine& engine);

  std::vector<RequestLine> m_requests;
  std::vector<RequestId> m_ids;
  std::vector<std::size_t> m_order;  // of arrival
  std::size_t m_next = 0;            // in m_order
  std::vector<Command> m_commands;   // those still due, the next one last
  std::int64_t m_clock = 0;          // beyond the latest arrival an int can name
};

}  // namespace vitrine
