// WhyRows: the sheet that WhyWriter writes its sentences on: letters, small phrases, and the order of the
// rows.
//
// Internal to why_sentences.cpp. Thread: any.
#pragma once

#include <QCoreApplication>
#include <span>
#include <vector>

#include "widgets/models/why_model.h"

namespace vitrine {

class WhyRows {
  Q_DECLARE_TR_FUNCTIONS(WhySentences)

 public:
  WhyRows(std::span<const Event> events, const MachineState& after, const SequenceNames& names)
      : m_events(events), m_after(after), m_names(names) {}

 protected:
  int freeBefore() const;  // blocks free when the step began
  QString letter(SequenceId sequence) const { return m_names.letter(sequence, m_after); }

  void add(SequenceId sequence, const QString& text, bool warning = false) {
    addAt(m_section, sequence, text, warning);
  }
  void addAt(int section, SequenceId sequence, const QString& text, bool warning = false);

  // The rows by phase; the one at `headline` (if there is one) leads its phase.
  std::vector<WhyRow> sorted(std::size_t headline);

  static QString blocks(int count) { return tr("%n block(s)", nullptr, count); }
  static QString tokens(int count) { return tr("%n token(s)", nullptr, count); }
  static QString areFree(int count) {
    return count == 0 ? tr("none is free") : tr("%n are free", nullptr, count);
  }
  static QString wereFree(int count) {
    return count == 0 ? tr("none was free") : tr("%n were free", nullptr, count);
  }

  std::span<const Event> m_events;
  const MachineState& m_after;
  const SequenceNames& m_names;
  std::vector<WhyRow> m_rows;
  int m_section = 0;
};

}  // namespace vitrine
