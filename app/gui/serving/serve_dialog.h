// ServeDialog: the switch of the window's server, beside the window: address, port and tokens; where it
// listens; how many clients are connected, and why they wait. Thread: the window's. Read next: serving.h.
#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace vitrine {

class Serving;
class Settings;

class ServeDialog : public QDialog {
  Q_OBJECT

 public:
  ServeDialog(Serving& serving, Settings& settings, QWidget* parent);  // both must outlive its use

  QComboBox* address() const { return m_address; }
  QSpinBox* port() const { return m_port; }
  QLineEdit* token() const { return m_token.line; }
  QPushButton* newToken() const { return m_token.make; }
  QLineEdit* watchToken() const { return m_watchToken.line; }
  QPushButton* newWatchToken() const { return m_watchToken.make; }
  QPushButton* turn() const { return m_turn; }          // on or off
  QPushButton* pace() const { return m_pace; }          // lets requests wait, or run
  QPushButton* copy() const { return m_copy; }          // of the address of the API
  QPushButton* copyPage() const { return m_copyPage; }  // of the page's, with the watch token
  QString stateText() const;
  QString pageText() const;  // where browsers watch; empty while it is off
  QString clientsText() const;
  QString noteText() const;     // why clients wait, or how long the answer "no model" lasts
  QString problemText() const;  // why it could not be turned on; empty: nothing is wrong

 signals:
  void runRequested();
  void pauseRequested();

 private:
  struct TokenParts {
    QLineEdit* line;
    QToolButton* show;
    QPushButton *copy, *make;
  };
  struct TokenWords {
    QString name, tip, make, makeName, show, showName, copyName;
  };

  QLayout* makePlace();
  QLayout* makeToken(TokenParts& parts, const TokenWords& words);
  QLayout* makeState();
  void turnOnOrOff();
  void follow();
  QString state() const;
  QString clients() const;
  QString note() const;
  QString pageLink() const;

  Serving& m_serving;
  Settings& m_settings;
  QComboBox* m_address;
  QSpinBox* m_port;
  TokenParts m_token, m_watchToken;
  QPushButton *m_copy, *m_copyPage, *m_pace, *m_turn;
  QLabel *m_state, *m_page, *m_clients, *m_note, *m_problem;
};

}  // namespace vitrine
