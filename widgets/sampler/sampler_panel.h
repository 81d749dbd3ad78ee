// SamplerPanel: how the next token is chosen, in one card: the sliders, the candidates below them, and in the
// last line the number that was drawn, the entropy, and the strip of it over the answer. While another
// candidate is selected, the line says which words would follow it.
//
// Some candidates stay in sight whatever the controls want, which scroll then. Thread: the window's. Read
// next: sampler_controls.h, sampler_view.h.
#pragma once

#include <QLabel>
#include <QWidget>

class QToolButton;

namespace vitrine {

class SamplerControls;
class SamplerView;
class UncertaintyStrip;

class SamplerPanel : public QWidget {
  Q_OBJECT
 public:
  // Takes all of them over. `page`: the controls, in what scrolls them.
  SamplerPanel(SamplerControls* controls, QWidget* page, SamplerView* candidates, UncertaintyStrip* strip,
               QWidget* parent = nullptr);

  QString summary() const;  // all that shapes the draw, and what was drawn
  QString line() const { return m_line->text(); }
  // The words that would follow the candidate that is selected; no token: none is.
  void setNextWords(const QString& token, const QString& words);
  void setUndoable(bool undoable);  // what was tried last

 signals:
  void summaryChanged(const QString& summary);
  void undoRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void share();
  void follow();
  QStringList lines() const;

  SamplerControls* m_controls;
  QWidget* m_page;
  SamplerView* m_candidates;
  UncertaintyStrip* m_strip;
  QLabel* m_line;
  QToolButton* m_undo;
  QString m_token, m_words;
};

}  // namespace vitrine
