#include "gui/chat/form_checker.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <new>

#include "gui/turns/answer_form.h"
#include "vitrine/error.h"
#include "vitrine/form_check.h"
#include "widgets/support/notice.h"

namespace vitrine {
namespace {

constexpr int kFormRestMs = 120;

QString formComplaint(const Request& request) {
  try {
    requireForm(request);
  } catch (const EngineError& error) {
    return noticeOf(error).text();
  } catch (const std::bad_alloc&) {
    return FormChecker::tr("There is not enough memory to read this form.");
  }
  return {};
}

}  // namespace

FormChecker::FormChecker(QObject* parent) : QObject(parent) {
  m_resting.setSingleShot(true);
  m_resting.setInterval(kFormRestMs);
  connect(&m_resting, &QTimer::timeout, this, &FormChecker::read);
}

void FormChecker::check(const AnswerForm& form) {
  if (form == m_form) return;
  m_form = form;
  m_request = {};
  applyForm(form, m_request);
  ++m_number;
  m_resting.stop();
  if (!m_request.hasGrammar()) return end({});
  m_verdict = Verdict::kOpen;
  m_resting.start();
  emit changed();
}

// One form is read at a time, and of those that came meanwhile the newest.
void FormChecker::read() {
  if (m_isReading) return;
  m_isReading = true;
  QThreadPool::globalInstance()->start([self = QPointer(this), request = m_request, number = m_number] {
    const QString complaint = formComplaint(request);
    QMetaObject::invokeMethod(qApp, [self, number, complaint] {
      if (self) self->onRead(number, complaint);
    });
  });
}

void FormChecker::onRead(int number, const QString& complaint) {
  m_isReading = false;
  if (number == m_number) return end(complaint);
  if (m_verdict == Verdict::kOpen && !m_resting.isActive()) read();
}

void FormChecker::end(const QString& complaint) {
  m_verdict = complaint.isEmpty() ? Verdict::kRight : Verdict::kWrong;
  m_complaint = complaint;
  emit changed();
}

}  // namespace vitrine

#include "moc_form_checker.cpp"
