#include "widgets/explain/headline_model.h"

#include "widgets/support/window_language.h"

namespace vitrine {

HeadlineModel::HeadlineModel(Session* session, QObject* parent) : RowsModel(session, parent) { refresh(); }

void HeadlineModel::refresh() {
  const Session& shown = *session();
  std::vector<HeadlineRow> rows;
  if (const auto headline =
          prose::headlineOf(shown.stepEvents(), shown.state(), shown.proseNames(), windowLanguage()))
    rows.push_back({headline->kind, QString::fromStdString(headline->text),
                    sentenceLinks(headline->text, headline->links, shown), headline->event});
  setRows(std::move(rows));
}

const TableColumns& HeadlineModel::columns() const {
  static const ColumnsOf<HeadlineModel> kColumns = {
      {QT_TR_NOOP("What the step decided"), &HeadlineRow::text},
  };
  return kColumns;
}

}  // namespace vitrine

#include "moc_headline_model.cpp"
