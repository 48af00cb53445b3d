// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/layer_table.h"

#include <QTest>

using namespace pw;

namespace {

const char* const kHeader = "row_id,model,seq_len,gpu,mbs,tp,layer,forward_s,backward_s,update_s,source\n";

Model opt() {
    Model m;
    m.name = "OPT-350";
    m.blocks = 3;
    return m;
}

Cluster cards() {
    Cluster c;
    c.nodes.resize(1);
    c.nodes[0].id = "n1";
    c.nodes[0].kind = "RTX 3090";
    c.nodes[0].gpus = 8;
    return c;
}

} // namespace

class LayerTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksStandForAllBlocks() {
        const auto times = readLayerTimes(std::string(kHeader) +
                                              "a,OPT-350,2048,RTX-3090,2,8,first(embedding),0.001,0,0.002,x\n"
                                              "b,OPT-350,,RTX-3090,2,8,block,0.0375,0.0396,0.0009,x\n"
                                              "c,OPT-350,2048,RTX-3090,2,8,last(head),0.01,0.02,0,x\n"
                                              "d,OPT-30,2048,RTX-3090,2,8,block,1,1,1,x\n"
                                              "e,OPT-350,2048,V100-16,2,8,block,1,1,1,x\n",
                                          "t.csv");
        QVERIFY2(times, times ? "" : times.error().text().c_str());
        QCOMPARE(times->size(), 5u);
        const std::vector<ProfileRow> rows = profileRows(*times, opt(), cards());
        QCOMPARE(rows.size(), 5u); // of this model and kind: embedding, three blocks, head
        QCOMPARE(rows[0].layer, 0);
        QCOMPARE(rows[0].seq, std::int64_t{2048});
        for (std::size_t i = 1; i <= 3; ++i) {
            QCOMPARE(rows[i].layer, static_cast<int>(i));
            QCOMPARE(rows[i].forward.value, 0.0375);
            QCOMPARE(rows[i].seq, std::int64_t{0});
            QCOMPARE(rows[i].kind, std::string("RTX 3090"));
            QCOMPARE(rows[i].tp, 8);
        }
        QCOMPARE(rows[4].layer, 4);
        QCOMPARE(rows[4].backward.value, 0.02);
    }

    // A block of 3 x 2048 tokens on an RTX 3090: 8.5 TFLOP/s can be fp32, 40 TFLOP/s cannot.
    void slowProductsWereFp32() {
        Model model = opt();
        model.hidden = 1024;
        model.heads = model.kvHeads = 16;
        model.headDim = 64;
        model.ffn = 4096;
        model.vocab = 50'272;
        const auto fine = fineLayers(model, 2048);
        const double flops = 3.0 * (fine[1].forwardFlops.value + fine[2].forwardFlops.value);
        const auto measured = [&](double rate, int layer) {
            ProfileRow row;
            row.kind = "RTX 3090";
            row.layer = layer;
            row.tp = 2;
            row.mbs = 3;
            row.forward = Seconds(flops / rate / 2.0);
            return row;
        };
        const auto found = [&](const std::vector<ProfileRow>& rows) {
            return precisionOf(rows, model, cards(), 2048);
        };
        QVERIFY(found({measured(8.5e12, 1), measured(6e12, 2)}) == Precision::Fp32);
        QVERIFY(found({measured(8.5e12, 1), measured(40e12, 2)}) == Precision::Auto); // the best counts
        QVERIFY(found({measured(25e12, 1)}) == Precision::Auto);  // either: 35 % of the 16-bit peak
        QVERIFY(found({measured(8.5e12, 4)}) == Precision::Auto); // a head tells nothing
    }

    void mistakesArePlaced_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("where");
        const QByteArray header = kHeader;
        QTest::newRow("nothing") << QByteArray() << QByteArray("t.csv");
        QTest::newRow("column") << QByteArray("model,gpu\nm,g\n") << QByteArray("t.csv:1");
        QTest::newRow("width") << header + "a,m\n" << QByteArray("t.csv:2");
        QTest::newRow("number") << header + "a,OPT-350,1,RTX-3090,2,8,block,fast,0,0,x\n"
                                << QByteArray("t.csv:2:32");
        QTest::newRow("negative") << header + "a,OPT-350,1,RTX-3090,2,8,block,-1,0,0,x\n"
                                  << QByteArray("t.csv:2:32");
        QTest::newRow("encoding") << header + "a,M\xFCnchen,1,RTX-3090,2,8,block,1,0,0,x\n"
                                  << QByteArray("t.csv:2:4");
        QTest::newRow("part") << header + "a,OPT-350,1,RTX-3090,2,8,tail,1,0,0,x\n"
                              << QByteArray("t.csv:2:26");
    }
    void mistakesArePlaced() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, where);
        const auto times = readLayerTimes(text.toStdString(), "t.csv");
        QVERIFY(!times);
        QCOMPARE(QByteArray::fromStdString(times.error().where), where);
    }
};

QTEST_APPLESS_MAIN(LayerTableTest)
#include "layer_table_test.moc"
