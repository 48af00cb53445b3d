// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/measurements/sailor_figures.h"
#include "tests/test_data.h"

#include <QtTest>

#include <algorithm>

using namespace pw;

// The layer profiles of other planners: the published files by their figures, and variants that break one
// rule each.
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

const ImporterRow& importer(const std::string& kind) {
    return *std::find_if(importerTable().begin(), importerTable().end(),
                         [&](const ImporterRow& row) { return kind == row.kind; });
}

std::vector<ProfileRow> rowsOf(const Imported& imported, const std::string& op = {}) {
    std::vector<ProfileRow> rows;
    for (const ProfileRow& row : std::get<std::vector<ProfileRow>>(imported.what))
        if (row.op == op)
            rows.push_back(row);
    return rows;
}

const std::vector<LinkMeasurement>& linksOf(const Imported& imported) {
    return std::get<std::vector<LinkMeasurement>>(imported.what);
}

double forwardSum(const std::vector<ProfileRow>& rows) {
    double sum = 0.0;
    for (const ProfileRow& row : rows)
        sum += row.forward.value;
    return sum;
}
double backwardSum(const std::vector<ProfileRow>& rows) {
    double sum = 0.0;
    for (const ProfileRow& row : rows)
        sum += row.backward.value;
    return sum;
}

bool sameNumber(double a, double b, double relative = 1e-9) {
    return std::abs(a - b) <= relative * std::abs(b);
}

constexpr const char* kMetisName = "DeviceType.V100_tp2_bs4.json";
const std::string kMetis = R"({"model": {"model_name": "m", "num_layers": 3, "parameters": {
  "total_parameters_bytes": 60, "parameters_per_layer_bytes": [10, 20, 30]}},
 "execution_time": {"total_time_ms": 20, "forward_backward_time_ms": 13, "optimizer_time_ms": 6,
  "layer_compute_total_ms": [3, 6, 3]},
 "execution_memory": {"total_memory": 1, "layer_memory_total_mb": [1, 2, 3]}})";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    if (at == std::string::npos)
        qFatal("nothing to replace: %s", what.c_str());
    return text.replace(at, what.size(), with);
}

} // namespace

#define SAMPLE(imported, path)                                                                               \
    const auto imported = importFile(test::testData("profiles") / (path), {}, {});                           \
    QVERIFY2(imported, imported ? "" : imported.error().text().c_str())

class LayerProfilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void metis() {
        SAMPLE(a, "metis/DeviceType.A100_tp2_bs4.json");
        QCOMPARE(a->kind, std::string("metis"));
        const auto rows = rowsOf(*a);
        QCOMPARE(rows.size(), std::size_t{6});
        QCOMPARE(rows[1].kind, std::string("A100"));
        QCOMPARE(rows[1].tp, 2);
        QCOMPARE(rows[1].mbs, 4);
        QVERIFY(sameNumber((rows[0].forward + rows[0].backward).value, 1.25e-3));
        QVERIFY(sameNumber((rows[1].forward + rows[1].backward).value, 21.5e-3));
        QVERIFY(sameNumber(rows[1].backward.value, 2 * rows[1].forward.value));
        QVERIFY(sameNumber(forwardSum(rows) + backwardSum(rows), 91.0e-3));
        QCOMPARE(rows[5].memory.value, 3500 * kMebibyte);
        QVERIFY(sameNumber(forwardSum(rowsOf(*a, "forward-backward synchronisation")), 5.5e-3));
        double parameters = 0.0;
        for (const ProfileRow& row : rowsOf(*a, "parameters"))
            parameters += row.memory.value;
        QCOMPARE(parameters, 826499072.0);
        SAMPLE(v, "metis/DeviceType.V100_tp2_bs4.json");
        QVERIFY(sameNumber(forwardSum(rowsOf(*v)) + backwardSum(rowsOf(*v)), 204.0e-3));
        QVERIFY(sameNumber(forwardSum(rowsOf(*v, "forward-backward synchronisation")), 8.0e-3));
    }

    void metisTwoKindsOfOneModel() {
        int files = 0;
        for (const auto& entry :
             std::filesystem::directory_iterator(test::testData("profiles/metis/opt-350m"))) {
            const auto got = importFile(entry.path(), {}, {});
            QVERIFY2(got, got ? "" : got.error().text().c_str());
            QCOMPARE(rowsOf(*got).size(), std::size_t{26});
            ++files;
        }
        QCOMPARE(files, 12);
    }

    void aceso() {
        SAMPLE(a, "aceso/gpt_350M_mbs1_tp2_algo0.csv");
        const auto layers = rowsOf(*a);
        QCOMPARE(layers.size(), std::size_t{3});
        QCOMPARE(layers[1].tp, 2);
        QCOMPARE(layers[1].mbs, 1);
        QCOMPARE(layers[1].model, std::string("gpt_350M"));
        QVERIFY(sameNumber(layers[1].forward.value, 2051.182e-6));
        QVERIFY(sameNumber(layers[1].backward.value, 3692.584e-6));
        QVERIFY(sameNumber(layers[1].memory.value, (12.0 + 277.032) * kMebibyte));
        QVERIFY(sameNumber(layers[0].forward.value, 416.374e-6));
        QVERIFY(sameNumber(layers[0].backward.value, 712.925e-6));
        const ProfileRow head = rowsOf(*a, "gpt-post-process").at(0);
        QVERIFY(sameNumber(head.forward.value, 4034.514e-6));
        QVERIFY(sameNumber(head.backward.value, 3485.557e-6));
        const ProfileRow norm = rowsOf(*a, "final-layernorm").at(0);
        QVERIFY(sameNumber(layers[2].forward.value, (head.forward + norm.forward).value));
        QCOMPARE(std::get<1>(a->what).size(), std::size_t{3 + 16});

        Model model;
        model.name = "gpt";
        model.blocks = 24;
        ImportHints hints;
        hints.model = &model;
        hints.deviceKind = "V100-32";
        const auto whole =
            importFile(test::testData("profiles/aceso/gpt_350M_mbs1_tp2_algo0.csv"), {}, hints);
        QCOMPARE(rowsOf(*whole).size(), std::size_t{26});
        QCOMPARE(rowsOf(*whole)[25].layer, 25);
        QCOMPARE(rowsOf(*whole)[24].kind, std::string("V100-SXM2-32GB"));
    }

    void acesoLinks() {
        SAMPLE(a, "aceso/prim_gpt_350M_all_reduce_2gpus.csv");
        const LinkMeasurement& link = linksOf(*a).front();
        QCOMPARE(link.collective, std::string("all_reduce"));
        QCOMPARE(link.ranks, 2);
        QCOMPARE(link.outOfPlace.size(), std::size_t{61});
        QCOMPARE(link.outOfPlace.front().size.value, kMebibyte);
        QVERIFY(sameNumber(link.outOfPlace.front().time.value, 0.066e-3));
        QCOMPARE(link.outOfPlace.back().size.value, 3200 * kMebibyte);
        QVERIFY(sameNumber(link.outOfPlace.back().time.value, 80.346e-3));
        QVERIFY(link.outOfPlaceFit); // 3,200 MB in 80.3 ms
        QVERIFY(sameNumber(link.outOfPlaceFit->algorithm.value, 3200 * kMebibyte / 80.346e-3, 0.1));
        SAMPLE(p, "aceso/p2p_inter_node.csv");
        const LinkMeasurement& pair = linksOf(*p).front();
        QCOMPARE(pair.outOfPlace.size(), std::size_t{11});
        const auto rate = [](const LinkSample& s) { return s.size.value / s.time.value; };
        QVERIFY(sameNumber(rate(pair.outOfPlace.front()), 3.88e9));
        QVERIFY(sameNumber(rate(pair.outOfPlace.back()), 5.44e9));
        QCOMPARE(pair.outOfPlace.back().size.value, 1024 * kMebibyte);
    }

    void acesoFilesOfWholeFolders() {
        std::map<std::string, int> files;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(test::testData("profiles/aceso")))
            if (entry.is_regular_file()) {
                const auto got = importFile(entry.path(), {}, {});
                QVERIFY2(got, got ? "" : got.error().text().c_str());
                ++files[entry.path().parent_path().filename().string() + " " + got->kind];
            }
        QCOMPARE(files["gpt_1_3B aceso"], 6);
        QCOMPARE(files["gpt_1_3B aceso-links"], 8);
        QCOMPARE(files["gpt_2_6B aceso"], 8);
        QCOMPARE(files["gpt_2_6B aceso-links"], 4);
    }

    void galvatron() {
        SAMPLE(c, "galvatron/computation_profiling_bf16_llama2-7b_all.json");
        const auto layer = rowsOf(*c, "forward of a layer");
        QCOMPARE(layer.size(), std::size_t{12});
        QCOMPARE(layer.front().precision, std::string("bf16"));
        QCOMPARE(layer.front().model, std::string("llama2-7b"));
        QCOMPARE(layer.front().seq, 2048);
        QVERIFY(sameNumber(layer[0].forward.value, 4.396253e-3, 1e-6));
        QVERIFY(sameNumber(layer[7].forward.value / 8, 3.936973e-3, 1e-6));
        QVERIFY(c->summary.find("48 keys") != std::string::npos);
        QCOMPARE(std::get<1>(c->what).size(), std::size_t{48});
        QVERIFY(rowsOf(*c).empty());

        SAMPLE(m, "galvatron/memory_profiling_bf16_llama2-7b_all.json");
        QVERIFY2(m->summary.find("20 keys, 16 layouts (1 checkpointed, 6 with") != std::string::npos,
                 m->summary.c_str());
        QVERIFY(m->summary.find("3 other memory") != std::string::npos);
        QVERIFY(sameNumber(rowsOf(*m, "parameters").at(0).memory.value / kMebibyte, 778.2236, 1e-6));
        QVERIFY(
            sameNumber(rowsOf(*m, "activations of a sample").at(0).memory.value / kMebibyte, 514.5635, 1e-6));
        QCOMPARE(rowsOf(*m, "activations of a sample, checkpointed").at(0).memory.value / kMebibyte, 32.0);

        SAMPLE(r, "galvatron/allreduce_bandwidth_2nodes_8gpus_per_node.json");
        QCOMPARE(linksOf(*r).size(), std::size_t{7});
        const auto stated = [&](const char* key) {
            for (const LinkMeasurement& link : linksOf(*r))
                if (link.source.ends_with(key))
                    return *link.statedMean;
            return 0.0;
        };
        QCOMPARE(stated("allreduce_size_16_consec_1"), 44.682);
        QCOMPARE(stated("allreduce_size_8_consec_1"), 155.658);
        QCOMPARE(stated("allreduce_size_8_consec_0"), 20.7724);
        SAMPLE(p, "galvatron/p2p_bandwidth_2nodes_8gpus_per_node.json");
        QCOMPARE(linksOf(*p).size(), std::size_t{4});
    }

    void sailorBesideTheLayers() {
        SAMPLE(i, "sailor/llm_info.json");
        QCOMPARE(i->kind, std::string("sailor-model"));
        for (const auto& [tp, expected] : {std::pair{1, 407431168.0}, {2, 204969984.0}}) {
            double parameters = 0.0;
            int layers = 0;
            for (const ProfileRow& row : rowsOf(*i, "params_floats"))
                if (row.tp == tp) {
                    parameters += row.memory.value;
                    ++layers;
                }
            QCOMPARE(parameters, expected);
            QCOMPARE(layers, 26);
        }
        const auto of = [&](const char* op, int layer) {
            for (const ProfileRow& row : rowsOf(*i, op))
                if (row.layer == layer && row.tp == 1)
                    return row.memory.value;
            return 0.0;
        };
        QCOMPARE(of("params_floats", 1), 12596224.0);
        QCOMPARE(of("act_mem_floats", 1), 90181632.0);
        QCOMPARE(of("act_input_floats", 0), 4198400.0); // not a quarter of its bytes
        QCOMPARE(of("act_input_bytes", 0), 4227072.0);

        SAMPLE(n, "sailor/network_coeffs_all_homo.json");
        QCOMPARE(linksOf(*n).size(), std::size_t{6});
        QVERIFY2(n->summary.find("4 x A100-40 6.1028 GB/s at 64 MB, at most 6.03591e+09") !=
                     std::string::npos,
                 n->summary.c_str());
        const SailorLink fit{-0.03667895496478979, 0.4773282044079026, 4.5592610071684785, 6035913051.04673};
        QVERIFY(sameNumber(fit.fitted(64e6), 6.1028e9, 1e-4));
        QCOMPARE(fit.bandwidth(64e6), 6035913051.04673);
        SAMPLE(b, "sailor/intra_node_bandwidths.json");
        QVERIFY(b->summary.find("2 x A100-40") != std::string::npos);
        QVERIFY2(b->summary.find("at most 2.48876e+11") != std::string::npos, b->summary.c_str());
        QVERIFY(b->summary.find("at most 6.82816e+10") != std::string::npos);
    }

    void sailorManyModelsAndSingleRuns() {
        const std::string all =
            R"({"OPT-350": {"A100-40": {"1": {"2": {"0": [1,1,1], "1": [2,2,2], "2": [3,3,3]}}},
                "V100-16": {"1": {"1": {"0": [1,1,1], "1": [2,2,2], "2": [3,3,3]}}}}})";
        QVERIFY(importer("sailor").recognise(all, "profiles_tmp.json"));
        const auto many = importer("sailor").import(all, "profiles_tmp.json", {});
        QVERIFY2(many, many ? "" : many.error().text().c_str());
        QCOMPARE(rowsOf(*many).size(), std::size_t{6});
        QCOMPARE(rowsOf(*many)[0].kind, std::string("A100-SXM4-40GB"));
        QCOMPARE(rowsOf(*many)[0].tp, 2);
        const std::string run =
            R"({"memory": {"0": 1}, "timing": {"0": [1,1,1], "1": [2,2,2], "2": [3,3,3]}})";
        const auto one = importer("sailor").import(run, "profile_OPT-350_A100-40_2_4.json", {});
        QVERIFY2(one, one ? "" : one.error().text().c_str());
        QCOMPARE(rowsOf(*one)[1].mbs, 4);
        QCOMPARE(rowsOf(*one)[1].tp, 2);
        QCOMPARE(rowsOf(*one)[1].model, std::string("OPT-350"));
        QCOMPARE(importer("sailor").import(run, "run.json", {}).error().code, std::string("sailor.name"));
    }

    void metisRefuses_data() {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("with");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char* name, const char* what, const char* with, const char* place) {
            QTest::newRow(name) << QByteArray(what) << QByteArray(with) << QByteArray(place);
        };
        row("sum of parameters", "\"total_parameters_bytes\": 60", "\"total_parameters_bytes\": 61",
            "#/model/parameters/total_parameters_bytes");
        row("length", "[3, 6, 3]", "[3, 6]", "#/execution_time/layer_compute_total_ms");
        row("negative", "[3, 6, 3]", "[3, -6, 3]", "#/execution_time/layer_compute_total_ms/1");
        row("less than its layers", "\"forward_backward_time_ms\": 13", "\"forward_backward_time_ms\": 11",
            "#/execution_time/forward_backward_time_ms");
        row("memory", "[1, 2, 3]", "[1, \"2\", 3]", "#/execution_memory/layer_memory_total_mb/1");
        row("layers", "\"num_layers\": 3", "\"num_layers\": 3.5", "#/model/num_layers");
    }
    void metisRefuses() {
        QFETCH(QByteArray, what);
        QFETCH(QByteArray, with);
        QFETCH(QByteArray, place);
        QVERIFY(importer("metis").import(kMetis, kMetisName, {}));
        const auto got = importer("metis").import(replaced(kMetis, what.toStdString(), with.toStdString()),
                                                  kMetisName, {});
        QVERIFY(!got);
        QCOMPARE(got.error().kind, ErrorKind::BadInput);
        QCOMPARE(QByteArray::fromStdString(got.error().where), kMetisName + place);
        QCOMPARE(importer("metis").import(kMetis, "profile.json", {}).error().code,
                 std::string("metis.name"));
    }

    void galvatronRefuses() {
        const char* name = "computation_profiling_bf16_m_all.json";
        const std::string good = R"({"layernum[2]_bsz1_seq8": 5, "layernum[4]_bsz1_seq8": 9,
                                     "layertype_0_bsz1_seq8": 2, "layertype_other_bsz1_seq8": 1})";
        QVERIFY(importer("galvatron").import(good, name, {}));
        const auto place = [&](const std::string& what, const std::string& with) {
            const auto got = importer("galvatron").import(replaced(good, what, with), name, {});
            return got ? std::string("accepted") : got.error().where.substr(std::string(name).size());
        };
        QCOMPARE(place("\": 2,", "\": 3,"), std::string("#/layertype_0_bsz1_seq8"));
        QCOMPARE(place("other_bsz1_seq8\": 1", "other_bsz1_seq8\": 2"),
                 std::string("#/layertype_other_bsz1_seq8"));
        QCOMPARE(place("layernum[4]", "layers[4]"), std::string("#/layers[4]_bsz1_seq8"));
        QCOMPARE(place("9", "-9"), std::string("#/layernum[4]_bsz1_seq8"));
        QCOMPARE(importer("galvatron-links").import(R"({"pp_size_2": "x"})", "p", {}).error().where,
                 std::string("p#/pp_size_2"));
    }

    void acesoRefuses() {
        const char* links = "prim_gpt_all_reduce_2gpus.csv";
        const auto place = [&](const char* name, const char* text) {
            const auto got = importer("aceso-links").import(text, name, {});
            return got ? std::string("accepted") : got.error().where;
        };
        QCOMPARE(place(links, "data_size(MB),time(ms)\n1,0.1\n2,nan\n"), links + std::string(":3:3"));
        QCOMPARE(place(links, "data_size(MB),time(ms)\n1,0.1\n2\n"), links + std::string(":3"));
        QCOMPARE(place("p2p_intra_node.csv", "1,2,4\n1,2\n"), std::string("p2p_intra_node.csv"));
        QCOMPARE(place("other.csv", "data_size(MB),time(ms)\n1,0.1\n"), std::string("other.csv"));
        const auto ops =
            importer("aceso").import("op_name,forward-compute\nx,1\n", "m_mbs1_tp1_algo0.csv", {});
        QVERIFY(!ops);
        QCOMPARE(ops.error().reasons.size(), std::size_t{6});
    }

    void brokenSamples() {
        const std::string sums = test::testData("bad/DeviceType.A100_tp2_bs4.wrong_sums.json").string();
        const auto metis = importFile(sums, {}, {});
        QVERIFY(!metis);
        QCOMPARE(metis.error().where, sums + "#/model/parameters/total_parameters_bytes");
        QVERIFY(metis.error().message.find("826499072") != std::string::npos);
        QVERIFY(metis.error().message.find("826503168") != std::string::npos);
        const auto aceso = importFile(test::testData("bad/aceso_profile_nan.csv"), {}, {});
        QVERIFY(!aceso);
        QVERIFY2(aceso.error().text().find(":4:") != std::string::npos, aceso.error().text().c_str());
        QVERIFY(aceso.error().message.find("forward-compute of enc-attention-qkv") != std::string::npos);
        QCOMPARE(aceso.error().reasons.size(), std::size_t{1});
        QVERIFY(aceso.error().reasons.front().where.find(":8:") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(LayerProfilesTest)
#include "layer_profiles_test.moc"
