// HandedStart: what the window does with a command line: that of its own start, and those of later ones
// (app/instance), for which it comes to the front and opens them as a drop. Thread: the window's. Read next:
// instance/single_instance.h.
#pragma once

#include <QObject>
#include <QStringList>

#include "instance/start_message.h"

namespace vitrine {

namespace watch {
struct ServerPlace;
}
class MainWindow;

// Relative paths are those of this process. Empty: not given.
StartRequest startRequest(const QStringList& files, const QString& model, const QString& perspective,
                          const QByteArray& activation);

class HandedStart : public QObject {
  Q_OBJECT

 public:
  explicit HandedStart(MainWindow& window);  // it must outlive this

  // Once, for the window that is shown: its perspective, and what it opens, or the first page.
  void begin(const StartRequest& request);
  // The same for a window that shows a server's engine: where it names no perspective, the machine's.
  void beginAttached(const watch::ServerPlace& server, const StartRequest& request);

  // False while a dialog waits for an answer: nothing is opened behind it.
  bool takes(const StartRequest& request) const;
  void open(const StartRequest& request);

 private:
  void comeToFront(const StartRequest& request);
  void openWhatIsNamed(const StartRequest& request, bool needsModel);

  MainWindow& m_window;
};

}  // namespace vitrine
