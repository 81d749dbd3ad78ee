// AttachDialog: asks for the server whose engine is to be watched. Thread: the window's. Read next:
// remote_run.h.
#pragma once

#include <QDialog>
#include <optional>

#include "watch/event_stream.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace vitrine {

class AttachDialog : public QDialog {
  Q_OBJECT

 public:
  explicit AttachDialog(const QString& address, QWidget* parent);

  QLineEdit* address() const { return m_address; }
  QLineEdit* token() const { return m_token; }
  QPushButton* watch() const { return m_watch; }
  // What is written, as far as it names a server.
  std::optional<watch::ServerPlace> place() const;

 private:
  void follow();

  QLineEdit *m_address, *m_token;
  QPushButton* m_watch;
};

}  // namespace vitrine
