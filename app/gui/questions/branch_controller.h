// BranchController: another candidate of the sampler's view becomes a request that goes on from there. It
// joins the machine as it is now, so a view of the past goes LIVE first, as for Run. Until the request has
// finished it can be undone: it is cancelled, and the view goes back to where it began. Thread: the window's.
// Read next: widgets/sampler/branch.h.
#pragma once

#include <QObject>
#include <optional>
#include <string>

#include "gui/machine/engine_host.h"
#include "widgets/session/session.h"

namespace vitrine {

class BranchController : public QObject {
  Q_OBJECT

 public:
  BranchController(EngineHost& host, Session& session, QObject* parent);

 public slots:
  // `text`: of the token; trial: as for branchAt(). Answered by branched(), noticed(), or the host's
  // noticed().
  void branch(int sequence, int position, int token, const QString& text,
              const std::optional<vitrine::SamplingOptions>& trial = std::nullopt);
  void undo();  // the last one

 signals:
  void branched(const QString& sentence);  // "D is A′ · branch of A at token 17: “␣sunny”"
  void undoableChanged(bool undoable);
  void noticed(const vitrine::Notice& notice);  // why it cannot be computed

 private:
  EngineHost& m_host;
  Session& m_session;
  // Where the view was when a branch was asked for.
  struct Beginning {
    SequenceId sequence = 0;
    int step = -1;  // -1: LIVE
  };
  void setUndoable(RequestId branch);

  Beginning m_before;
  RequestId m_undoable = 0;  // the branch that undo() cancels; 0: none
  std::string m_submitted;   // the name of a request on its way to the engine
};

}  // namespace vitrine
