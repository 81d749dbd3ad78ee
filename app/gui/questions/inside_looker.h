// InsideLooker: answers what a view of a forward's inside asks for: the engine's thread computes the forward
// again while a view is open.
//
// One order at a time, always the newest place. While the machine runs, orders stand far enough apart to cost
// it a tenth of its time at most. An order is cancelled when no view waits for it, and the host interrupts it
// for the machine's own orders; then it is given again. Thread: the window's.
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
  ~InsideLooker() override { forget(); }

 private:
  void follow();
  void ask(const InsideQuestion& question);
  void take(const KnownInside& known);
  void forget();
  void watch();

  EngineHost& m_host;
  InsideModel& m_model;
  QTimer m_rest, m_watch;
  QElapsedTimer m_clock;  // since the order
  InsideOrder m_order;
  InsideQuestion m_asked;
  bool m_isAsking = false;
};

}  // namespace vitrine
