// RoofMeasurer: has the limits of the device that the machine computes on measured when they are first wanted
// after a model was loaded, by the engine's thread between two steps, in about two seconds. The view of a
// forward's time has them from the run's event RoofMeasured, estimates have them from here. Limits that are
// the same for the new model are not measured again; on another device they are without being asked for,
// where they were wanted before. Thread: the window's. Read next: vitrine/machine_roof.h.
#pragma once

#include <QObject>
#include <optional>

#include "gui/machine/engine_host.h"
#include "vitrine/machine_roof.h"
#include "widgets/layers/operations_model.h"

namespace vitrine {

class RoofMeasurer : public QObject {
  Q_OBJECT

 public:
  RoofMeasurer(EngineHost& host, OperationsModel& model, QObject* parent);

  void want();  // known() follows, at once when it is; without an engine when there is one

 signals:
  void known(const vitrine::MachineRoof& roof);

 private:
  void wish();  // for an engine, without known() where one has measured already
  void ask();

  EngineHost& m_host;
  Question m_question;
  std::optional<MachineRoof> m_roof;
  MachineRoof m_measured;  // last, of whichever device
  QString m_device;        // of the machine that was loaded last
  bool m_wanted = false, m_asked = false;
};

}  // namespace vitrine
