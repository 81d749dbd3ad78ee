// InsideLooker: answers what a view of a forward's inside asks for: the engine's thread computes the forward
// again while a view is open.
//
// One question at a time, always the newest place. While the machine runs, questions stand far enough apart
// to cost it a tenth of its time at most. A question is interrupted when no view waits for it, and by the
// host for the machine's own orders; then it is asked again. Thread: the window's.
// Read next: widgets/layers/inside_model.h.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "gui/machine/engine_host.h"
#include "widgets/layers/inside_model.h"

namespace vitrine {

class InsideLooker : public QObject {
  Q_OBJECT

 public:
  InsideLooker(EngineHost& host, InsideModel& model, QObject* parent);

 private:
  void follow();
  void ask(const InsideQuestion& question);
  void take(const std::shared_ptr<const InsideReport>& report);
  void forget();
  void watch();

  EngineHost& m_host;
  InsideModel& m_model;
  QTimer m_rest, m_watch;
  QElapsedTimer m_clock;  // since the question
  Question m_question;
  InsideQuestion m_asked;
};

}  // namespace vitrine
