// RecordingPass: hands the events of a recording on in portions, between the window's other work.
//
// The recording may grow meanwhile, and stays the same one when a new run begins. Thread: the window's. Read
// next: trace_saving.h, run_archive.h, run_opening.h, branch_past.h, which pass over one.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <span>

#include "vitrine/recording.h"
#include "widgets/support/notice.h"

namespace vitrine {

class RecordingPass : public QObject {
  Q_OBJECT

 public:
  // Gets some hundred events at once, in order; it may throw EngineError.
  using Take = std::function<void(std::span<const Event>)>;
  explicit RecordingPass(Take take);

  // Up to the place `end` in the recording; below 0: up to what is its end by then.
  void begin(std::shared_ptr<const Recording> recording, std::int64_t end = -1);
  void stop();

 signals:
  void progressed(double fraction);
  void done();
  // By the recording, or by take(). The pass is at its end.
  void failed(const vitrine::Notice& notice);

 private:
  std::int64_t end() const;
  void takePortion();
  void passSome();

  const Take m_take;
  std::shared_ptr<const Recording> m_recording;
  std::int64_t m_place = 0, m_end = -1;
  QTimer m_timer;
};

}  // namespace vitrine
