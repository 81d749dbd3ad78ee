// LayerComparison: the largest difference of each layer's hidden states from libtorch's, on request: the
// engine's thread loads the model once more with libtorch's kernels, and computes the same tokens with both.
// Thread: the window's. Read next: question.h.
#pragma once

#include <QObject>

#include "gui/machine/engine_host.h"
#include "widgets/layers/exits_model.h"
#include "widgets/layers/layers_panel.h"

namespace vitrine {

class LayerComparison : public QObject {
  Q_OBJECT

 public:
  LayerComparison(EngineHost& host, ExitsModel& model, LayersPanel& panel, QObject* parent);

 private:
  void begin();
  void end(const std::vector<double>& differences);  // layer by layer; none: it could not be computed

  EngineHost& m_host;
  ExitsModel& m_model;
  LayersPanel& m_panel;
  Question m_question;
  InsidePlace m_place;  // that is compared
};

}  // namespace vitrine
