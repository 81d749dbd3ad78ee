// RequestForm: a request of a scenario on three pages: what is asked and when, its answers, its sampling. The
// options come from the schema. Thread: the window's. Read next: scenario_editor.h.
#pragma once

#include <QTabWidget>
#include <optional>

#include "common/request_line.h"
#include "gui/parts/option_knobs.h"

class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace vitrine {

class RequestForm : public QTabWidget {
  Q_OBJECT

 public:
  explicit RequestForm(QWidget* parent = nullptr);

  void edit(const RequestLine& line, std::optional<int> cancelStep);
  // As shown. A prompt that was given as token ids keeps them until its text is changed.
  RequestLine line() const;
  std::optional<int> cancelStep() const;  // none: never
  void enableFor(const EngineOptions& machine) { m_knobs.enableFor(machine); }
  void focusPrompt();

 signals:
  void changed();

 private:
  void addRequestPage();
  void addOptionPage(OptionPage page);

  OptionKnobs<RequestArguments> m_knobs;
  RequestLine m_shown;
  QString m_shownPrompt;
  QLineEdit* m_name;
  QPlainTextEdit* m_prompt;
  QSpinBox *m_arrival, *m_cancel;
};

}  // namespace vitrine
