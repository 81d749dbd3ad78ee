#include "gui/turns/answer_form.h"

#include "gui/parts/escaped_lines.h"
#include "vitrine/form_check.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

const QString kAnyObjectKind = QStringLiteral("json_object"), kSchemaKind = QStringLiteral("json_schema"),
              kChoiceKind = QStringLiteral("choice"), kRegexKind = QStringLiteral("regex"),
              kGrammarKind = QStringLiteral("grammar");

// Enter at the end of a pattern is no part of it.
std::string patternIn(QString source) {
  while (source.endsWith(u'\n')) source.chop(1);
  return source.toStdString();
}

std::vector<std::string> textsIn(const QString& source) {
  std::vector<std::string> texts;
  for (const QString& text : fromEscapedLines(source)) texts.push_back(text.toStdString());
  return texts;
}

}  // namespace

std::vector<FormKind> formKinds() {
  return {
      {{}, Wording::tr("Free text"), Wording::tr("An answer may be any text.")},
      {kAnyObjectKind, Wording::tr("JSON, any object"), Wording::tr("Each answer is one JSON object.")},
      {kSchemaKind, Wording::tr("JSON schema"),
       Wording::tr("Each answer is JSON that is valid by this schema."),
       QStringLiteral("{\"type\": \"object\",\n \"properties\": {\"city\": {\"type\": \"string\"}},\n"
                      " \"required\": [\"city\"]}")},
      {kChoiceKind, Wording::tr("One of these texts"),
       Wording::tr("One a line; \\n is a new line in a text. Each answer is one of them."),
       Wording::tr("yes\nno")},
      {kRegexKind, Wording::tr("Regular expression"),
       Wording::tr("Each answer matches this pattern as a whole."), QStringLiteral("[A-Z][a-z]+, [0-9]{4}")},
      {kGrammarKind, Wording::tr("Grammar (GBNF)"),
       Wording::tr("Each answer is what the rule root of this grammar says."),
       QStringLiteral("root ::= word (\", \" word)*\nword ::= [a-z]+")},
  };
}

void applyForm(const AnswerForm& form, Request& request) {
  if (form.kind == kAnyObjectKind) request.jsonSchema = kAnyObjectSchema;
  if (form.source.trimmed().isEmpty()) return;
  if (form.kind == kSchemaKind) request.jsonSchema = form.source.toStdString();
  if (form.kind == kChoiceKind) request.choice = textsIn(form.source);
  if (form.kind == kRegexKind) request.regex = patternIn(form.source);
  if (form.kind == kGrammarKind) request.grammar = form.source.toStdString();
}

bool asksForForm(const AnswerForm& form) {
  Request request;
  applyForm(form, request);
  return request.hasGrammar();
}

QString formInWords(const AnswerForm& form) {
  const bool asks = asksForForm(form);
  if (asks && form.kind == kChoiceKind)
    return Wording::tr("One of %n text(s)", nullptr, static_cast<int>(textsIn(form.source).size()));
  for (const FormKind& kind : formKinds())
    if (kind.key == form.kind) return asks ? kind.name : QString();
  return Wording::tr("%1 (not known here)").arg(form.kind);
}

}  // namespace vitrine
