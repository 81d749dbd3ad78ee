// ConnectDialog: asks for the server of a model that another program runs, and which of its models it is to
// be.
//
// The server is asked for its models when typing pauses. Thread: the window's. Read next:
// gui/machine/connected_engine.h.
#pragma once

#include <QDialog>
#include <QTimer>

#include "gui/machine/connected_engine.h"
#include "gui/machine/server_probe.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace vitrine {

class ConnectDialog : public QDialog {
  Q_OBJECT

 public:
  // `address`: of the last one.
  ConnectDialog(const QString& address, QWidget* parent);

  // Of what is chosen; nothing before the server has told its models.
  std::optional<ConnectOrder> order() const;

 private:
  void onTyped();
  void ask();
  void take(const connect::ModelList& list);
  void follow();
  void say(const QString& words);

  ServerProbe m_probe;
  QTimer m_pause;
  std::optional<ApiAddress> m_asked;  // that told `m_list`, or is being asked
  connect::ModelList m_list;
  QLineEdit* m_address;
  QLineEdit* m_key;
  QComboBox* m_models;
  QLineEdit* m_events;
  QLineEdit* m_replay;
  QLabel* m_words;
  QPushButton* m_connect;
};

}  // namespace vitrine
