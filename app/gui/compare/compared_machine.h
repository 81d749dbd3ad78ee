// ComparedMachine: one of the two machines of a comparison: its engine, its recording, and what its run comes
// to.
//
// Thread: the window's; the engine has its own. Read next: compared_pair.h, compare/run_tally.h.
#pragma once

#include <QObject>

#include "compare/run_tally.h"
#include "gui/machine/engine_host.h"
#include "scenarios/scenario.h"
#include "widgets/session/session.h"

namespace vitrine {

class ComparedMachine : public QObject {
  Q_OBJECT

 public:
  explicit ComparedMachine(QObject* parent = nullptr);

  // Throws what EngineArguments::toOptions() throws. The run before ends.
  void load(const Scenario& scenario);
  void close();

  Session& session() { return m_session; }
  const Session& session() const { return m_session; }
  const compare::RunTally& tally() const { return m_tally; }

  bool isLoading() const { return m_isLoading; }
  bool isRunning() const { return m_host.mode() == MachineMode::kRunning; }
  bool hasEnded() const;  // each request of the scenario has finished
  int finished() const { return m_session.recording().lastFinishedStep(); }

  void step() { m_host.step(); }
  void run() { m_host.run(RunSpeed::kFull); }
  void pause() { m_host.pause(); }

 signals:
  void advanced();  // events came, or the machine stands or goes otherwise than before
  void noticed(const vitrine::Notice& notice);

 private:
  void take(std::vector<Event> events);

  Session m_session;
  compare::RunTally m_tally;
  EngineHost m_host;  // behind what its events go to
  std::size_t m_requests = 0;
  bool m_isLoading = false;
};

}  // namespace vitrine
