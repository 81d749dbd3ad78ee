// The steps before a branch, when the disk has lost the recording that has them.
#include "gui/runs/branch_past.h"

#include <unistd.h>

#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "support/word_machine.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// Cuts the files without a name that this process has open in a folder.
int emptyFilesIn(const QString& folder) {
  int emptied = 0;
  for (const QString& name : QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::System | QDir::Files)) {
    const QString path = QStringLiteral("/proc/self/fd/") + name;
    if (!QFileInfo(path).symLinkTarget().startsWith(folder)) continue;
    if (::truncate(path.toLocal8Bit().constData(), 0) == 0) ++emptied;
  }
  return emptied;
}

Event branchOf(Event loaded, int step) {
  auto& engine = std::get<Boxed<EngineLoaded>>(loaded.body);
  EngineLoaded changed = *engine;
  changed.branchOfRun = loaded.run++;
  changed.branchStep = step;
  loaded.body = Boxed<EngineLoaded>(std::move(changed));
  return loaded;
}

}  // namespace

class TestBranchPast : public QObject {
  Q_OBJECT

 private slots:
  void aLostPastLetsTheRunBeginAtItsBranch() {
    const QTemporaryDir folder;
    const auto origin = std::make_shared<Recording>(folder.path().toStdString());
    WordMachine machine(64, 4);
    for (int i = 0; i < 200; ++i) machine.submit("story", 8, 20, i);
    machine.run();
    for (const Event& event : machine.all()) origin->append(event);
    const int step = origin->lastFinishedStep() / 3;
    QVERIFY(step > Recording::kSnapshotInterval);
    Event snapshot = origin->eventsOf(step).back();
    snapshot.body = Snapshot{std::make_shared<MachineState>(origin->stateAt(step))};
    const Event loaded = branchOf(machine.all().front(), step);
    snapshot.run = loaded.run;
    static_cast<void>(origin->stateAt(origin->lastFinishedStep() / 2));  // other chunks are in memory now
    static_cast<void>(origin->stateAt(origin->lastFinishedStep()));
    QVERIFY(emptyFilesIn(folder.path()) > 0);

    Session session;
    BranchPast past(session);
    QSignalSpy noticed(&past, &BranchPast::noticed), ended(&past, &BranchPast::ended);
    past.expect(origin);
    past.take({loaded, snapshot});
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(noticed.count(), 1);
    QVERIFY(!noticed.front().at(0).value<Notice>().message.isEmpty());
    QVERIFY(!past.isUnderWay() && session.isLive());
    QCOMPARE(session.firstStep(), step);
    QVERIFY(session.state() == *bodyOf<Snapshot>(snapshot)->state);
  }
};

QTEST_MAIN(TestBranchPast)
#include "tst_branch_past.moc"
