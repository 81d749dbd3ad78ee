// Every item model shows at a step of the past, and in a trace that was opened, what it showed when the step
// was live: over random runs of real engines, with all mechanisms at work.
//
// VITRINE_TRAVELS=200 makes more runs than the usual few.
#include "support/event_log.h"
#include "support/random_workload.h"
#include "vitrine/trace.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

#include "widgets/explain/event_log_model.h"
#include "widgets/explain/why_model.h"
#include "widgets/memory/block_map_model.h"
#include "widgets/memory/block_table_model.h"
#include "widgets/plots/metrics_model.h"
#include "widgets/requests/lane_model.h"
#include "widgets/requests/request_list_model.h"
#include "widgets/requests/text_model.h"
#include "widgets/sampler/sampler_model.h"
#include "widgets/time/time_axis_model.h"

using namespace vitrine;

namespace {

const TinyModel& otherModel() {
  static const TinyModel other(tinyConfig(), 6);
  return other;
}

// The events of a random run, with sampling candidates.
std::vector<Event> eventsOf(std::uint32_t seed) {
  static const TinyModel model;
  Workload workload(seed, 0);
  EventLog log;
  const auto clock = [now = std::int64_t{0}]() mutable { return now += 100'000; };  // windows end soon
  const auto engine =
      model.engine(workload.options, log, workload.draftsLikeTheModel ? &model : &otherModel(), clock);
  Detail detail;
  detail.candidates = 4;
  engine->setDetail(detail);
  for (int step = 0; step < 20 || engine->hasWork(); ++step) {
    for (Life& life : workload.lives) {
      if (life.arrival <= step && life.id == 0) life.id = engine->submit(life.request);
      if (life.cancelAt == step && life.id != 0) engine->cancel(life.id);
    }
    engine->step();
  }
  return log.events;
}

// Everything a view, a screen reader or a table can read of a model.
QByteArray contentOf(const QAbstractItemModel& model) {
  QByteArray content;
  QDataStream out(&content, QIODevice::WriteOnly);
  const int rows = model.rowCount(), columns = model.columnCount();
  out << rows << columns;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      for (const int role : {int{Qt::DisplayRole}, int{Qt::ToolTipRole}, int{Qt::AccessibleTextRole},
                             int{Qt::AccessibleDescriptionRole}})
        out << model.data(model.index(row, column), role).toString();
  for (int column = 0; column < columns; ++column) out << model.headerData(column, Qt::Horizontal).toString();
  return content;
}

// A session with all its models.
class Glass {
 public:
  Glass() { session.selectSequence(1); }  // not one that depends on the way there

  QStringList atCursor() const {
    return hashes({{"blocks", &blocks},
                   {"block table", &table},
                   {"requests", &requests},
                   {"sampler", &sampler},
                   {"text", &text},
                   {"why", &why}});
  }
  QStringList ofTheRun() const {
    return hashes({{"events", &events}, {"lanes", &lanes}, {"metrics", &metrics}, {"axis", &axis}});
  }

  Session session;
  BlockMapModel blocks{&session};
  BlockTableModel table{&session};
  RequestListModel requests{&session};
  SamplerModel sampler{&session};
  TextModel text{&session};
  WhyModel why{&session};
  EventLogModel events{&session};
  LaneModel lanes{&session};
  MetricsModel metrics{&session};
  TimeAxisModel axis{&session};

 private:
  using Named = std::pair<const char*, const QAbstractItemModel*>;
  static QStringList hashes(std::initializer_list<Named> models) {
    QStringList all;
    for (const auto& [name, model] : models) {
      const QByteArray hash = QCryptographicHash::hash(contentOf(*model), QCryptographicHash::Md5);
      all << QStringLiteral("%1 %2").arg(QLatin1String(name), QString::fromLatin1(hash.toHex()));
    }
    return all;
  }
};

struct Lived {
  std::vector<QStringList> steps;  // what the models showed when each was live
  std::vector<QStringList> holds;  // the same inside the steps, before each phase behind the first
  QStringList run;                 // at the end
};

// As the engine's thread delivers them: a batch a step, or a phase.
Lived live(Glass& glass, const std::vector<Event>& events, bool byPhases = false) {
  Lived lived;
  std::vector<Event> batch;
  for (const Event& event : events) {
    const auto* phase = std::get_if<PhaseStarted>(&event.body);
    if (byPhases && phase && phase->phase != Phase::kAdmit) {
      glass.session.append(std::exchange(batch, {}));
      glass.session.selectSequence(1);
      lived.holds.push_back(glass.atCursor());
    }
    batch.push_back(event);
    if (!isA<StepFinished>(event)) continue;
    glass.session.append(std::exchange(batch, {}));
    glass.session.selectSequence(1);  // a new run selects by itself
    lived.steps.push_back(glass.atCursor());
  }
  if (!batch.empty()) glass.session.append(batch);
  lived.run = glass.ofTheRun();
  return lived;
}

int travels() {
  const int wanted = qEnvironmentVariableIntValue("VITRINE_TRAVELS");
  return wanted > 0 ? wanted : 12;
}

}  // namespace

class TestTimeTravel : public QObject {
  Q_OBJECT

 private slots:
  void thePastIsAsItWas() {
    int steps = 0;
    for (int run = 0; run < travels(); ++run) {
      const auto seed = static_cast<std::uint32_t>(run + 1);
      const std::vector<Event> events = eventsOf(seed);
      Glass glass;
      const Lived lived = live(glass, events);
      const int last = glass.session.recording().lastFinishedStep();
      QCOMPARE(static_cast<int>(lived.steps.size()), last);
      const auto compare = [&](int step) {
        const QStringList& was = lived.steps[static_cast<std::size_t>(step - 1)];
        QVERIFY2(glass.atCursor() == was, qPrintable(QStringLiteral("run %1, step %2: %3 was %4")
                                                         .arg(run + 1)
                                                         .arg(step)
                                                         .arg(glass.atCursor().join(u' '), was.join(u' '))));
      };
      for (int step = last; step >= 1; --step) {
        glass.session.goToStep(step);
        compare(step);
        if (QTest::currentTestFailed()) return;
      }
      std::mt19937 random(seed);
      for (int i = 0; i < 30 && last > 0; ++i) {
        glass.session.goToStep(1 + static_cast<int>(random() % static_cast<unsigned>(last)));
        if (random() % 2 == 0 && glass.session.step() < last) glass.session.goForward();
        if (random() % 3 == 0 && glass.session.step() > 1) glass.session.goBack();
        compare(glass.session.step());
        if (QTest::currentTestFailed()) return;
      }
      glass.session.goLive();
      QCOMPARE(glass.ofTheRun(), lived.run);
      steps += last;
    }
    qInfo("%d runs, %d steps", travels(), steps);
  }

  void thePhasesOfThePastAreAsTheyWere() {
    for (int run = 0; run < travels() / 3; ++run) {
      const std::vector<Event> events = eventsOf(static_cast<std::uint32_t>(run + 1));
      Glass glass;
      const Lived lived = live(glass, events, true);
      Session& session = glass.session;
      const int last = session.recording().lastFinishedStep();
      session.goToStep(0);
      std::size_t holds = 0;
      while (session.finishedStep() < last) {
        const int before = session.finishedStep();
        session.goToNextPhase();
        const bool isInside = session.isInsideStep();
        QCOMPARE(session.finishedStep(), isInside ? before : before + 1);
        QCOMPARE(session.phaseAhead().has_value(), isInside);
        QVERIFY(!isInside || holds < lived.holds.size());
        const QStringList& was =
            isInside ? lived.holds[holds++] : lived.steps[static_cast<std::size_t>(before)];
        QVERIFY2(glass.atCursor() == was, qPrintable(QStringLiteral("run %1, step %2, hold %3: %4 was %5")
                                                         .arg(run + 1)
                                                         .arg(session.step())
                                                         .arg(holds)
                                                         .arg(glass.atCursor().join(u' '), was.join(u' '))));
      }
      QCOMPARE(holds, lived.holds.size());
    }
  }

  void anOpenedTraceIsAsTheRunWas() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("run.vitrine").toStdString();
    for (int run = 0; run < travels(); ++run) {
      const std::vector<Event> events = eventsOf(static_cast<std::uint32_t>(run + 1));
      Glass first;
      const Lived lived = live(first, events);
      TraceWriter writer(file);
      first.session.recording().forEach([&](const Event& event) { writer.publish(event); });
      writer.finish();

      Glass opened;
      std::vector<Event> batch;
      readTrace(file, [&](const Event& event) {
        batch.push_back(event);
        if (batch.size() == 500) opened.session.append(std::exchange(batch, {}));
      });
      opened.session.append(std::move(batch));
      opened.session.selectSequence(1);
      QCOMPARE(opened.ofTheRun(), lived.run);
      const int last = opened.session.recording().lastFinishedStep();
      QCOMPARE(last, static_cast<int>(lived.steps.size()));
      for (int step = 1; step <= last; ++step) {
        opened.session.goToStep(step);
        QCOMPARE(opened.atCursor(), lived.steps[static_cast<std::size_t>(step - 1)]);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestTimeTravel)
#include "tst_time_travel.moc"
