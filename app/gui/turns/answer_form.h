// The form that a chat asks of its answers (AnswerForm in app/history): the kinds there are, a form as a part
// of a request, and as words.
//
// Thread: values. Read next: vitrine/form_check.h, gui/chat/answer_form_box.h.
#pragma once

#include <QString>
#include <vector>

#include "history/chat_record.h"
#include "vitrine/request.h"

namespace vitrine {

struct FormKind {
  QString key;  // as AnswerForm has it: the request's option
  QString name, tip;
  QString example = {};  // of a source; empty: the kind needs none
};

// In the order of a list; free text, whose key is empty, comes first.
std::vector<FormKind> formKinds();

// An unknown kind, and a kind without the source that it needs, change nothing.
void applyForm(const AnswerForm& form, Request& request);
// Whether applyForm() changes something.
bool asksForForm(const AnswerForm& form);

// "JSON schema", "One of 3 texts"; empty: nothing is asked for.
QString formInWords(const AnswerForm& form);

}  // namespace vitrine
