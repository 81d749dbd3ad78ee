// RunResuming: makes the script of the run shown, so that a machine can go on from one of its steps.
//
// The script is read from the recording in portions between the window's other work. Events that come
// meanwhile end it: the run must stand still. Thread: the window's. Read next: vitrine/run_script.h.
#pragma once

#include <QObject>
#include <memory>

#include "gui/runs/recording_pass.h"
#include "vitrine/run_script.h"
#include "widgets/session/session.h"

namespace vitrine {

class RunResuming : public QObject {
  Q_OBJECT

 public:
  explicit RunResuming(const Session& session, QObject* parent = nullptr);

  void begin();  // ends one under way
  void cancel();
  bool isUnderWay() const { return m_script != nullptr; }

 signals:
  void progressed(double fraction, const QString& what);
  void made(std::shared_ptr<const vitrine::RunScript> script);
  void failed(const vitrine::Notice& notice);
  void ended();

 private:
  const Session& m_session;
  std::shared_ptr<RunScript> m_script;
  RecordingPass m_pass;
};

}  // namespace vitrine
