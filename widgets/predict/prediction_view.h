// PredictionView: the question about the next step as a card: the outcome of the last guess, what is asked,
// choices or a number, and below them, always in sight, a button that guesses and steps. The score is the
// card's summary. Everything is reached with the Tab key.
//
// Thread: the window's. Read next: prediction_model.h.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/predict/prediction_model.h"

class QButtonGroup;
class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace vitrine {

class PredictionView : public QWidget {
  Q_OBJECT
 public:
  explicit PredictionView(PredictionModel* model, QWidget* parent = nullptr);

  PredictionModel* model() const { return m_model; }
  QString summary() const;  // the score

  // For tests.
  const std::vector<QCheckBox*>& boxes() const { return m_boxes; }
  QSpinBox* number() const { return m_number; }
  QPushButton* guessButton() const { return m_go; }
  QToolButton* anotherButton() const { return m_another; }
  QToolButton* anewButton() const { return m_anew; }
  QLabel* outcomeLabel() const { return m_outcome; }
  QLabel* questionLabel() const { return m_question; }

 signals:
  void summaryChanged(const QString& summary);
  void nextRequested();  // the step that was asked about

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void tell();
  void tellChoices();
  void placeBoxes();
  void tellOutcome();
  void guess();
  Guess guessMade() const;
  bool mustChoose() const;
  void nameButton();

  PredictionModel* m_model;
  QLabel* m_outcome;
  QLabel* m_question;
  QLabel* m_soFar;
  std::vector<QCheckBox*> m_boxes;
  QGridLayout* m_grid;  // of them
  QButtonGroup* m_group;
  QSpinBox* m_number;
  QPushButton* m_go;
  QToolButton* m_another;
  QToolButton* m_anew;
  std::optional<QuizQuestion> m_shown;  // whose choices stand there
  QString m_summary;
};

}  // namespace vitrine
