// HandedStart: what the window does with the command line of a later start (app/instance): it comes to the
// front and opens it, as a drop. Thread: the window's. Read next: instance/single_instance.h.
#pragma once

#include <QObject>
#include <QStringList>

#include "instance/start_message.h"

namespace vitrine {

class MainWindow;

// Relative paths are those of this process. Empty: not given.
StartRequest startRequest(const QStringList& files, const QString& model, const QString& perspective,
                          const QByteArray& activation);

class HandedStart : public QObject {
  Q_OBJECT

 public:
  explicit HandedStart(MainWindow& window);  // it must outlive this

  // False while a dialog waits for an answer: nothing is opened behind it.
  bool takes(const StartRequest& request) const;
  void open(const StartRequest& request);

 private:
  void comeToFront(const StartRequest& request);

  MainWindow& m_window;
};

}  // namespace vitrine
