// BranchController: another candidate of the sampler's view becomes a request that goes on from there. It
// joins the machine as it is now, so a view of the past goes LIVE first, as for Run. Thread: the window's.
// Read next: widgets/sampler/branch.h.
#pragma once

#include <QObject>
#include <string>

#include "gui/machine/engine_host.h"
#include "widgets/session/session.h"

namespace vitrine {

class BranchController : public QObject {
  Q_OBJECT

 public:
  BranchController(EngineHost& host, Session& session, QObject* parent);

 public slots:
  // `text`: of the token. Answered by branched(), noticed(), or the host's noticed().
  void branch(int sequence, int position, int token, const QString& text);

 signals:
  void branched(const QString& sentence);       // "D is A′ · branch of A at token 17: “␣sunny”"
  void noticed(const vitrine::Notice& notice);  // why it cannot be computed

 private:
  EngineHost& m_host;
  Session& m_session;
  std::string m_submitted;  // the name of a request on its way to the engine
};

}  // namespace vitrine
