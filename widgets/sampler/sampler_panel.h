// SamplerPanel: the sampler's stages over the strip of entropy and surprise. A low panel leaves the strip
// out. Thread: the window's.
#pragma once

#include <QWidget>

namespace vitrine {

class SamplerPanel : public QWidget {
 public:
  // Takes both views over.
  SamplerPanel(QWidget* stages, QWidget* strip, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* m_strip;
};

}  // namespace vitrine
