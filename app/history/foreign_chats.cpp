#include "foreign_chats.h"

namespace vitrine {

void appendParagraph(QString& text, const QString& more) {
  if (!text.isEmpty() && !more.isEmpty()) text += QStringLiteral("\n\n");
  text += more;
}

MessageRole roleNamed(const QString& name) {
  return fromName<MessageRole>(name.toStdString()).value_or(MessageRole::kUser);
}

}  // namespace vitrine
