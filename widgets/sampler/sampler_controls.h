// SamplerControls: sliders for temperature, top-k and top-p; and folded below them, modes, which set several
// fields at once, a field for each other sampling option of the schema, in the order of the stages, and
// fields for the length and number of answers.
// Thread: the window's. Read next: vitrine/request_option_table.h.
#pragma once

#include <QWidget>
#include <functional>
#include <map>
#include <vector>

#include "vitrine/option_info.h"
#include "widgets/support/sampling_modes.h"

class QAbstractSpinBox;
class QFormLayout;
class QGridLayout;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace vitrine {

class OptionSlider;
class SamplingSubject;

// A button for each sampling mode, and one to take the last mode back.
class SamplingModeBar : public QWidget {
  Q_OBJECT
 public:
  explicit SamplingModeBar(QWidget* parent = nullptr);

  void setMode(std::optional<SamplingMode> mode);  // that the knobs are in
  void setUndoable(bool undoable);
  QToolButton* button(SamplingMode mode) const { return m_buttons.at(mode); }
  QToolButton* undoButton() const { return m_undo; }

 signals:
  void modeChosen(vitrine::SamplingMode mode);
  void undoRequested();

 private:
  std::map<SamplingMode, QToolButton*> m_buttons;
  QToolButton* m_undo;
};

class SamplerControls : public QWidget {
  Q_OBJECT
 public:
  explicit SamplerControls(QWidget* parent = nullptr);

  SamplingOptions sampling() const;
  SamplingKnobs knobs() const;
  int maxTokens() const;
  // All that shapes the answer: "T 0.7 · top-k 40 · min-p 0.05 · 4 answers".
  QString summary() const;
  void setSampling(const SamplingOptions& sampling);  // emits no signal
  void setAnswers(int answers, int beams);            // neither does this
  void setMaxTokens(int tokens);
  // The fields that are folded below the three usual ones.
  bool isUnfolded() const;
  void setUnfolded(bool unfolded);
  // What the values apply to, above the fields.
  SamplingSubject* subject() const { return m_subject; }
  SamplingModeBar* modes() const { return m_modes; }
  void setEditable(bool sampling, bool answers);  // answers: their length and number
  void forgetModes();                             // there is no mode to take back any more
  // The values of Reset; the engine's own defaults (greedy) until this is called.
  void setDefaults(const SamplingOptions& sampling, int maxTokens);

 public slots:
  void reset();

 signals:
  void samplingChanged(const vitrine::SamplingOptions& sampling);
  void maxTokensChanged(int tokens);
  void answersChanged(int answers, int beams);
  void newMessagesWanted();  // before a mode that a request in the engine cannot change to
  void summaryChanged(const QString& summary);
  void foldChanged();  // another height is wanted

 private:
  struct Field {
    std::function<void(const SamplingOptions&)> show;
    std::function<void(SamplingOptions&)> take;
    QWidget* box = nullptr;
    OptionSlider* slider = nullptr;  // of the usual ones
    bool draws = false;              // acts only when a token is drawn
  };

  void addField(const OptionInfo<double>& info, double SamplingOptions::*member);
  void addField(const OptionInfo<int>& info, int SamplingOptions::*member);
  void addField(const OptionInfo<std::uint64_t>& info, std::uint64_t SamplingOptions::*member);
  QSpinBox* addAnswerField(const OptionInfo<int>& info);
  void choose(SamplingMode mode);
  void undo();
  void setKnobs(const SamplingKnobs& knobs);
  void addRow(const char* label, QWidget* box, Field field);
  template <class Box, Numeric Value>
  void addNumber(const char* label, Box* box, Value SamplingOptions::*member);
  void addSliderRow(const char* label, QAbstractSpinBox* box, OptionSlider* slider, Field field);
  QSpinBox* wholeNumberBox(const OptionInfo<int>& info);
  void showMore(bool shown);
  void onChanged();
  void enableFields();

  SamplingSubject* m_subject;
  QToolButton* m_moreButton;
  QGridLayout* m_sliders;
  QWidget* m_more;
  QFormLayout* m_form;  // of m_more
  std::vector<Field> m_fields;
  bool m_behindTemperature = false;  // while fields are added
  SamplingModeBar* m_modes;
  QSpinBox *m_maxTokens = nullptr, *m_answers = nullptr, *m_beams = nullptr;
  std::vector<SamplingKnobs> m_before;  // the modes that were chosen, oldest first
  QPushButton* m_reset;
  SamplingOptions m_defaults;
  int m_defaultMaxTokens = 256;
  bool m_setting = false;
  bool m_editable = true, m_answersEditable = true;
};

}  // namespace vitrine
