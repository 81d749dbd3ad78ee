// Where the address of a server of OpenAI's API is typed, and the key that it takes: the same fields wherever
// a server is named. Thread: the window's.
#pragma once

#include <QCoreApplication>
#include <QLineEdit>

namespace vitrine {

struct ServerFields {
  Q_DECLARE_TR_FUNCTIONS(vitrine::ServerFields)

 public:
  static QLineEdit* address(const QString& text, QWidget* parent) {
    auto* const line = new QLineEdit(text, parent);
    line->setPlaceholderText(QStringLiteral("127.0.0.1:8000"));
    line->setAccessibleName(tr("Address of the server"));
    line->setToolTip(tr("Address and port, or what clients call the base URL: https://host/v1"));
    return line;
  }
  static QLineEdit* key(QWidget* parent) {
    auto* const line = new QLineEdit(parent);
    line->setEchoMode(QLineEdit::Password);
    line->setPlaceholderText(tr("none"));
    line->setAccessibleName(tr("Key of the server"));
    line->setToolTip(tr("Where the server asks for an API key or a token. It is kept in no file."));
    return line;
  }
};

}  // namespace vitrine
