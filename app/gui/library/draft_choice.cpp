#include "gui/library/draft_choice.h"

#include <QFileInfo>
#include <utility>

#include "catalog/model_name.h"
#include "widgets/support/formats.h"

namespace vitrine {

namespace {

QString modelOf(const ModelLoading& loading) {
  return QString::fromStdString(loading.current().order.model.string());
}

}  // namespace

DraftChoice::DraftChoice(EngineHost& host, ModelLoading& loading, const Session& session,
                         ModelsOpening& models, Settings& settings, QObject* parent)
    : QObject(parent),
      m_host(host),
      m_loading(loading),
      m_session(session),
      m_models(models),
      m_settings(settings) {
  connect(&models, &ModelsOpening::draftChosen, this, &DraftChoice::choose);
  connect(&m_inspector, &ModelInspector::modelKnown, this, &DraftChoice::onKnown);
  connect(&m_inspector, &ModelInspector::failed, this,
          [this](ModelInspector::Kind, const Notice& notice) { emit noticed(notice); });
  connect(&loading, &ModelLoading::opened, this, &DraftChoice::onOpened);
  connect(&loading, &ModelLoading::ended, this, [this] { m_wanted.reset(); });
}

void DraftChoice::choose(const QString& path) {
  if (path.isEmpty()) return load({});
  const bool hasMachine = m_host.mode() != MachineMode::kEmpty && m_session.engine().has_value();
  if (!hasMachine || m_loading.isUnderWay())
    return emit noticed(
        Notice::problem(tr("No model is open that %1 could draft for.").arg(modelName(path)),
                        tr("Open the larger model first, then choose the smaller one as its draft.")));
  m_inspector.readModel(path);
}

void DraftChoice::onKnown(const QString& path, const InspectedModel& model) {
  if (!m_session.engine()) return;
  const ModelInfo& open = m_session.engine()->model;
  if (model.vocabularySize == open.vocabularySize) return load(path);
  emit noticed(Notice::problem(
      tr("%1 has a vocabulary of %2 tokens, and %3 one of %4.")
          .arg(QString::fromStdString(model.name), formatCount(model.vocabularySize),
               QString::fromStdString(open.name), formatCount(open.vocabularySize)),
      tr("A draft is made of the open model's own tokens: choose a smaller model of the same family.")));
}

void DraftChoice::load(const QString& path) {
  EngineOptions options = m_loading.current().order.options;
  if (m_loading.current().poolIsFitted) options.numBlocks = 0;  // the draft's weights take their part
  options.speculation.drafter = path.isEmpty() ? DraftMethod::kNone : DraftMethod::kModel;
  options.speculation.draftModel = path.toStdString();
  m_loading.reloadWith(options);
  m_wanted = path;
}

// Also when another model was opened, a scenario, or the options have been changed.
void DraftChoice::onOpened() {
  const SpeculationOptions& now = m_loading.current().order.options.speculation;
  const QString path =
      now.drafter == DraftMethod::kModel ? QString::fromStdString(now.draftModel) : QString();
  m_models.setDraft(path);
  emit outdated();
  if (std::exchange(m_wanted, std::nullopt) != path) return offer();
  m_settings.setDraftOf(modelOf(m_loading), path);
  const QString model =
      m_session.engine() ? QString::fromStdString(m_session.engine()->model.name) : QString();
  if (path.isEmpty())
    emit noticed(Notice::note(tr("%1 answers alone again.").arg(model)));
  else
    emit noticed(Notice::note(
        tr("%1 drafts for %2.").arg(modelName(path), model),
        tr("The panel Speculation shows what it is worth. “Stop drafting” in the window of models "
           "takes it off.")));
}

// Once for each time that the model is opened, not when its machine is loaded anew.
void DraftChoice::offer() {
  const ModelLoading::Setup& open = m_loading.current();
  if (open.scenario) return;  // a visit; it has its own options
  const QString model = modelOf(m_loading);
  if (std::exchange(m_openModel, model) == model || !m_session.engine()) return;
  if (open.order.options.speculation.drafter != DraftMethod::kNone) return;
  const QString draft = m_settings.draftOf(model);
  if (draft.isEmpty()) return;
  const QString name = QString::fromStdString(m_session.engine()->model.name);
  if (QFileInfo::exists(draft)) {
    Notice notice = Notice::note(tr("Last time %1 drafted for %2.").arg(modelName(draft), name),
                                 tr("It is loaded beside it, and changes no answer."));
    notice.action = tr("Use it again");
    notice.take = [this] {
      if (modelOf(m_loading) == m_openModel) choose(m_settings.draftOf(m_openModel));
    };
    return emit noticed(notice);
  }
  m_settings.setDraftOf(model, {});
  emit noticed(
      Notice::note(tr("%1, which drafted for %2, is not there any more.").arg(modelName(draft), name),
                   tr("%1 answers alone. The window of models shows what else can draft.").arg(name)));
}

}  // namespace vitrine

#include "moc_draft_choice.cpp"
