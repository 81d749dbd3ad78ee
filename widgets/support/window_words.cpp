#include "widgets/support/window_words.h"

#include <QMap>
#include <QRegularExpression>
#include <string_view>

#include "vitrine/option_schema.h"
#include "widgets/support/option_text.h"
#include "widgets/support/wording.h"

namespace vitrine {

namespace {

struct Labels {
  QString option;
  QMap<QString, QString> values;  // of an option with named values
};

template <class Value>
Labels labelsOf(const OptionInfo<Value>& info) {
  Labels labels{plainLabel(info.label), {}};
  if constexpr (Named<Value>) {
    for (std::size_t i = 0; i < info.labels.size(); ++i)
      if (info.labels[i])
        labels.values[QLatin1String(Names<Value>::list[i])] =
            optionText(info.labels[i]).section(u':', 0, 0);  // before its explanation
  }
  return labels;
}

// By the key with dashes.
QMap<QString, Labels> allLabels() {
  QMap<QString, Labels> all;
  const auto note = [&](const auto& info, const auto&) {
    all[QString::fromLatin1(info.key).replace(u'_', u'-')] = labelsOf(info);
  };
  forEachEngineOption(note);
  forEachRequestOption(note);
  return all;
}

QString inWords(const QMap<QString, Labels>& all, bool off, const QString& key, QString* value) {
  const auto found = all.find(key);
  const QString label =
      found != all.end() && !found->option.isEmpty() ? found->option : QString(key).replace(u'-', u' ');
  if (off) return Wording::tr("“%1” switched off").arg(label);
  if (found == all.end() || !found->values.contains(*value)) return Wording::tr("“%1”").arg(label);
  const QString named = found->values[*value];
  value->clear();
  return Wording::tr("“%1: %2”").arg(label, named);
}

}  // namespace

QString optionName(const QString& key) {
  const QString label = allLabels().value(QString(key).replace(u'_', u'-')).option;
  return label.isEmpty() ? QString(key).replace(u'_', u' ') : label;
}

QString optionValue(const QString& key, const QString& value) {
  if (value == u"true") return Wording::tr("on");
  if (value == u"false") return Wording::tr("off");
  return allLabels().value(QString(key).replace(u'_', u'-')).values.value(value, value);
}

QString inWindowWords(const QString& message) {
  static const QRegularExpression option(QStringLiteral("--(no-)?([a-z][a-z-]*)(?: ([a-z0-9]+))?")),
      answers(QStringLiteral("(?<![\\w-])-n(?![\\w-])"));
  if (message.contains(answers)) {
    QString value;
    return inWindowWords(
        QString(message).replace(answers, inWords(allLabels(), false, QStringLiteral("n"), &value)));
  }
  if (!message.contains(QLatin1String("--"))) return message;
  const QMap<QString, Labels> all = allLabels();
  QString words;
  qsizetype behind = 0;
  auto matches = option.globalMatch(message);
  while (matches.hasNext()) {
    const QRegularExpressionMatch match = matches.next();
    QString value = match.captured(3);
    const bool off = !match.captured(1).isEmpty();
    words +=
        message.mid(behind, match.capturedStart() - behind) + inWords(all, off, match.captured(2), &value);
    if (!value.isEmpty()) words += u' ' + value;  // it was the next word of the sentence
    behind = match.capturedEnd();
  }
  return words + message.mid(behind);
}

// Some words of the schema are the command line's alone.
QString optionHelp(const char* key, const char* help) {
  const std::string_view option = key;
  if (option == "best_of")
    return Wording::tr("Answers to draw; the best of them are given, as many as “Answers” says.");
  if (option == "choice") return Wording::tr("Texts of which the answer is one, one a line.");
  if (option == "stop") return Wording::tr("Texts that end the answer, one a line.");
  if (option == "early_stopping") return Wording::tr("When a beam search ends, as in transformers.");
  return inWindowWords(optionSentence(help));
}

}  // namespace vitrine
