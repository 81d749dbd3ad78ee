// PictureTurn: when pictures are painted while batches of events follow each other closely.
//
// A batch changes every view. One frame for all of it holds the window's thread for longer than a screen
// shows a picture, so a batch gets two: one has its events, its models and the texts, and the next one,
// behind the keys and clicks that have come meanwhile, has the pictures. When the next batch is faster, its
// own pictures stand for both. A single batch, of a step by hand, is shown at once. Thread: the window's.
// Read next: painted_view.h.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace vitrine {

class PictureTurn : public QObject {
  Q_OBJECT
 public:
  static constexpr int kCloseMs = 100;  // from batch to batch

  explicit PictureTurn(QObject* parent = nullptr);

  void beginBatch();  // before any view knows of it
  void endBatch();
  // Whether a picture that has to be painted waits for come(); else it is painted at once.
  bool isAwaited() const { return m_awaited; }

 signals:
  void come();

 protected:
  void customEvent(QEvent* event) override;

 private:
  void callOff();

  QElapsedTimer m_sinceBatch;
  QTimer m_afterFrame;
  bool m_awaited = false;
  bool m_coming = false;     // the event is posted
  bool m_calledOff = false;  // once since it came last; a busy window shows pictures, too
};

}  // namespace vitrine
