// FrameMeter: what the window's thread works for each frame that it paints: the processor time of this thread
// since the frame before, for events, models, layout and painting. Waiting does not count, nor do other
// threads and programs. Thread: the window's.
#pragma once

#include <QObject>
#include <vector>

class QWidget;

namespace vitrine {

class FrameMeter : public QObject {
  Q_OBJECT
 public:
  explicit FrameMeter(QWidget* window);  // a top-level window, which must outlive the meter

  void restart();  // forgets the frames so far
  const std::vector<double>& workMs() const { return m_workMs; }

 signals:
  void painted();  // a frame is complete

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void endFrame();

  std::vector<double> m_workMs;
  std::int64_t m_beganNs = 0;
  bool m_pending = false;
};

}  // namespace vitrine
