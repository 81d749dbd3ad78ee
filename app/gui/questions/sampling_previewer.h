// SamplingPreviewer: what the token in the sampler's view would be with other options. The engine's thread
// computes the logits of its position again, once; each further knob draws from them at once, in the window's
// thread.
//
// A trial stays while the cursor moves: each token that is shown gets its preview. There is none for a token
// that was drawn with these very options, and none for a context that has evicted tokens, whose logits depend
// on history. The grammar of a request masks here what it masks in a step. Thread: the window's. Read next:
// vitrine/sampling_preview.h, sampling_controller.h.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "gui/machine/engine_host.h"
#include "widgets/sampler/sampler_model.h"

namespace vitrine {

class SamplingPreviewer : public QObject {
  Q_OBJECT

 public:
  SamplingPreviewer(EngineHost& host, Session& session, SamplerModel& model, QObject* parent);

  void show(const SamplingOptions& trial);
  void clear();
  const std::optional<SamplingOptions>& trial() const { return m_trial; }

 private:
  // The token that is shown.
  struct Place {
    SequenceId sequence = 0;
    int position = -1;
    bool operator==(const Place&) const = default;
  };
  struct Known {
    NextLogits next;                              // no logits when they could not be computed
    std::optional<std::vector<TokenId>> allowed;  // by the request's grammar; nothing: any
  };
  Place placeShown() const;
  const SequenceState* sequenceShown() const;
  bool wantsPreview() const;
  void follow();
  void ask();
  void draw();

  EngineHost& m_host;
  Session& m_session;
  SamplerModel& m_model;
  std::optional<SamplingOptions> m_trial;
  Place m_askedFor, m_knownOf, m_drawnFor;
  std::optional<SamplingOptions> m_drawnWith;
  Question m_question;
  Known m_known;  // of m_knownOf
};

}  // namespace vitrine
