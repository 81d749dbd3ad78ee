// The rotary embedding's part of config.json: one meaning in all its spellings, and what is refused.
#include <QTest>

#include "models/config_text.h"
#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;

class TestRopeConfig : public QObject {
  Q_OBJECT

 private slots:
  void readsRopeInBothSpellings_data() {
    QTest::addColumn<QByteArray>("changes");
    const auto add = [](const char* name, const json& changes) {
      QTest::newRow(name) << QByteArray::fromStdString(changes.dump());
    };
    const json yarn = {{"factor", 4.0},
                       {"original_max_position_embeddings", 64},
                       {"beta_fast", 16},
                       {"attention_factor", 1.5},
                       {"truncate", false}};
    json old = yarn, newer = yarn, typed;
    old["type"] = "yarn";
    add("old, type", {{"rope_theta", 5e5}, {"rope_scaling", old}});
    old.erase("type");
    old["rope_type"] = "yarn";
    add("old, rope_type", {{"rope_theta", 5e5}, {"rope_scaling", old}});
    newer["rope_type"] = "yarn";
    newer["rope_theta"] = 5e5;
    add("new", {{"rope_parameters", newer}});
    add("new, theta beside it wins not", {{"rope_parameters", newer}, {"rope_theta", 3.0}});
    add("new, once a layer type",
        {{"rope_parameters", {{"full_attention", newer}, {"sliding_attention", newer}}}});
    add("new, for one layer type",
        {{"rope_parameters", {{"full_attention", newer}, {"sliding_attention", nullptr}}}});
    add("both, the old one filled",
        {{"rope_parameters", {{"rope_type", "default"}}}, {"rope_theta", 5e5}, {"rope_scaling", old}});
    add("both, the old one empty", {{"rope_parameters", newer}, {"rope_scaling", json::object()}});
    add("both, the old one null", {{"rope_parameters", newer}, {"rope_scaling", nullptr}});
    newer.erase("original_max_position_embeddings");
    add("original length beside it", {{"rope_parameters", newer}, {"original_max_position_embeddings", 64}});
  }
  void readsRopeInBothSpellings() {
    QFETCH(QByteArray, changes);
    const RopeConfig rope = with("llama", json::parse(changes.toStdString())).rope;
    QCOMPARE(rope.kind, RopeKind::kYarn);
    QCOMPARE(rope.theta, 5e5);
    QCOMPARE(rope.factor, 4.0);
    QCOMPARE(rope.originalContextLength, 64);
    QCOMPARE(rope.betaFast, 16.0);
    QCOMPARE(rope.betaSlow, 1.0);
    QCOMPARE(rope.attentionFactor, 1.5);
    QCOMPARE(rope.truncate, false);
  }

  void readsTheOtherRopes() {
    QCOMPARE(parse(base()).rope.kind, RopeKind::kDefault);
    QCOMPARE(parse(base()).rope.theta, 10000.0);
    QCOMPARE(with("qwen3", {{"rope_theta", 1000000}}).rope.theta, 1e6);
    const RopeConfig linear = with("llama", {{"rope_scaling", {{"type", "linear"}, {"factor", 2}}}}).rope;
    QCOMPARE(linear.kind, RopeKind::kLinear);
    QCOMPARE(linear.factor, 2.0);
    json llama3 = {
        {"rope_type", "llama3"}, {"factor", 32.0}, {"low_freq_factor", 1.0}, {"high_freq_factor", 4.0}};
    QCOMPARE(with("llama", {{"rope_scaling", llama3}}).rope.originalContextLength, 256);  // the context's own
    llama3["original_max_position_embeddings"] = 8192;
    const RopeConfig stretched = with("llama", {{"rope_scaling", llama3}}).rope;
    QCOMPARE(stretched.kind, RopeKind::kLlama3);
    QCOMPARE(stretched.originalContextLength, 8192);
    // A factor that yarn's config leaves out is how far the context was stretched.
    const json yarn = {{"rope_type", "yarn"}, {"factor", nullptr}, {"original_max_position_embeddings", 64}};
    QCOMPARE(with("llama", {{"rope_scaling", yarn}}).rope.factor, 4.0);
  }

  void readsDynamicAndLongRope() {
    const RopeConfig dynamic = with("llama", {{"rope_scaling", {{"type", "dynamic"}, {"factor", 4.0}}}}).rope;
    QCOMPARE(dynamic.kind, RopeKind::kDynamic);
    QCOMPARE(dynamic.factor, 4.0);
    VERIFY_REFUSED(with("llama", {{"rope_scaling", {{"type", "dynamic"}}}}), "file_corrupt",
                   "factor is missing");
    const json shorter(8, 1.5), longer(8, 3.0);  // heads of 16
    json set = {{"rope_type", "longrope"}, {"short_factor", shorter}, {"long_factor", longer}};
    const auto read = [&](const json& beside) {
      json changes = beside;
      changes["rope_scaling"] = set;
      return with("llama", changes).rope;
    };
    const RopeConfig stretched = read({{"original_max_position_embeddings", 64}});
    QCOMPARE(stretched.kind, RopeKind::kLongRope);
    QCOMPARE(stretched.factor, 4.0);
    QCOMPARE(stretched.originalContextLength, 64);
    QVERIFY(stretched.takesLong);
    QCOMPARE(stretched.shortFactors, std::vector<float>(8, 1.5f));
    QCOMPARE(stretched.longFactors, std::vector<float>(8, 3.0f));
    QVERIFY(!read({{"original_max_position_embeddings", 256}}).takesLong);
    VERIFY_REFUSED(read(json::object()), "file_corrupt", "original_max_position_embeddings is missing");
    set["original_max_position_embeddings"] = 64;
    set["attention_factor"] = 1.25;
    QCOMPARE(read(json::object()).attentionFactor, 1.25);
    set["long_factor"] = json(7, 3.0);
    VERIFY_REFUSED(read(json::object()), "file_corrupt", "long_factor has 7 numbers for the 8 pairs");
    set["long_factor"] = {1, 2, 3, 4, 5, 6, 7, -8};
    VERIFY_REFUSED(read(json::object()), "file_corrupt", "long_factor is not a list of positive numbers");
    set["long_factor"] = 3;
    VERIFY_REFUSED(read(json::object()), "file_corrupt", "long_factor");
    set.erase("long_factor");
    VERIFY_REFUSED(read(json::object()), "file_corrupt", "long_factor is missing");
  }

  void refusesRopes() {
    for (const char* kind : {"su", "mrope", "proportional"}) {
      VERIFY_REFUSED(with("llama", {{"rope_scaling", {{"type", kind}, {"factor", 2.0}}}}), "unsupported",
                     kind);
      VERIFY_REFUSED(with("llama", {{"rope_parameters", {{"rope_type", kind}}}}), "unsupported", kind);
    }
    const auto scaling = [](const json& rope) { return with("llama", {{"rope_scaling", rope}}); };
    VERIFY_REFUSED(scaling({{"type", "linear"}}), "file_corrupt", "rope_scaling.factor");
    VERIFY_REFUSED(scaling({{"type", "linear"}, {"factor", 0}}), "file_corrupt", "rope_scaling.factor");
    VERIFY_REFUSED(scaling({{"type", "linear"}, {"factor", "2"}}), "file_corrupt", "rope_scaling.factor");
    VERIFY_REFUSED(scaling({{"factor", 2}}), "file_corrupt", "rope_scaling.rope_type is missing");
    VERIFY_REFUSED(scaling({{"type", "yarn"}}), "file_corrupt", "rope_scaling.factor is missing");
    // Transformers derives a factor that is null, and refuses a set without one.
    VERIFY_REFUSED(scaling({{"type", "yarn"}, {"original_max_position_embeddings", 64}}), "file_corrupt",
                   "rope_scaling.factor is missing");
    VERIFY_REFUSED(scaling({{"type", "yarn"}, {"factor", nullptr}}), "file_corrupt",
                   "rope_scaling.factor is missing");
    VERIFY_REFUSED(scaling({{"type", "linear"}, {"factor", 2}, {"rope_theta", nullptr}}), "file_corrupt",
                   "rope_scaling.rope_theta is null");
    VERIFY_REFUSED(scaling({{"type", 7}}), "file_corrupt", "rope_scaling.type");
    VERIFY_REFUSED(scaling(json::array({1})), "file_corrupt", "rope_scaling");
    VERIFY_REFUSED(
        scaling({{"type", "llama3"}, {"factor", 8.0}, {"low_freq_factor", 4.0}, {"high_freq_factor", 4.0}}),
        "file_corrupt", "high_freq_factor");
    VERIFY_REFUSED(with("llama", {{"rope_theta", -1}}), "file_corrupt", "rope_theta");
    VERIFY_REFUSED(with("llama", {{"partial_rotary_factor", 0.5}}), "unsupported", "partial_rotary_factor");
    const json differing = {{"full_attention", {{"rope_theta", 1e6}}},
                            {"sliding_attention", {{"rope_theta", 1e4}}}};
    VERIFY_REFUSED(with("llama", {{"rope_parameters", differing}}), "unsupported", "sliding_attention");
  }
};

QTEST_APPLESS_MAIN(TestRopeConfig)
#include "tst_rope_config.moc"
