// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/measurements/profile_file.h"

#include <QTemporaryDir>
#include <QtTest>

#include <random>

using namespace pw;

// Our own rows as JSON and CSV, read row by row.
namespace {

std::vector<ProfileRow> randomRows(unsigned seed, int count) {
    std::mt19937 random(seed);
    const auto pick = [&](std::size_t n) { return static_cast<int>(random() % n); };
    const char* texts[] = {"",        "plain", "with, comma", "with \"quotes\"", "two\nlines", "\u00e4\u2234",
                           " blank ", "=x",    "'=x"};
    std::vector<ProfileRow> rows;
    for (int i = 0; i < count; ++i) {
        ProfileRow r;
        r.model = "m" + std::to_string(pick(3));
        r.kind = "A100-SXM4-40GB";
        r.layer = pick(100);
        r.tp = 1 << pick(4);
        r.mbs = 1 + pick(16);
        r.seq = pick(2) * 4096;
        r.precision = pick(2) ? "bf16" : "";
        r.forward = Seconds(static_cast<double>(random()) * 1e-12);
        r.backward = Seconds(1.0 / (1 + pick(1000)));
        r.update = Seconds(pick(2) * 1e-300);
        r.memory = Bytes(pick(5) * 1e9);
        r.source = std::string("s") + texts[pick(std::size(texts))];
        r.licence = texts[pick(std::size(texts))];
        r.date = "2026-11-21";
        r.op = texts[pick(std::size(texts))];
        r.shape = texts[pick(std::size(texts))];
        r.software = texts[pick(std::size(texts))];
        r.confidence = pick(101) / 100.0;
        rows.push_back(r);
    }
    return rows;
}

} // namespace

class ProfileFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    // Rows of a whole model, for one of the same blocks that has fewer or more of them; see the sample's
    // README.
    void rowsOfAnotherModelAreTakenForTheOneThatIsNamed() {
        const std::string file = PW_SOURCE_DIR "/samples/profiles/h200/llama3-8b.json";
        Result<Model> model = readModelFile(PW_SOURCE_DIR "/samples/models/llama3-8b.json");
        QVERIFY(model);
        std::string said;
        const auto rowsFor = [&](bool ofModel, bool asIsSaid) {
            ImportHints hints;
            hints.model = ofModel ? &*model : nullptr;
            hints.measuresModel = asIsSaid;
            const Result<Imported> read = importFile(file, "", hints);
            said = read && !read->notes.empty() ? read->notes.front().code : std::string();
            return read ? std::get<std::vector<ProfileRow>>(read->what) : std::vector<ProfileRow>{};
        };
        const std::vector<ProfileRow> plain = rowsFor(false, false);
        QVERIFY(!plain.empty());
        QVERIFY(rowsFor(true, true) == plain); // they name it
        model->name = "short";
        QVERIFY(rowsFor(true, false) == plain); // nobody said so
        QCOMPARE(said, std::string());
        QVERIFY(rowsFor(true, true).size() == plain.size());
        QCOMPARE(said, std::string("profiles.other_model"));
        for (const int blocks : {6, 40}) {
            model->blocks = blocks;
            const ProfileTable table(rowsFor(true, true));
            for (const ProfileRow& row : table.rows())
                QCOMPARE(row.model, std::string("short"));
            const std::string kind = plain.front().kind;
            const auto forwardOf = [](const std::vector<ProfileRow>& rows, int layer, int mbs,
                                      std::int64_t seq) {
                for (const ProfileRow& row : rows)
                    if (row.layer == layer && row.mbs == mbs && row.seq == seq)
                        return row.forward.value;
                return -1.0;
            };
            for (const ProfileRow& row : table.rows()) {
                const int before = row.layer == blocks + 1 ? 33 : std::min(row.layer, 1);
                QVERIFY(row.layer <= blocks + 1);
                QCOMPARE(row.forward.value, forwardOf(plain, before, row.mbs, row.seq));
            }
            for (int layer = 0; layer <= blocks + 1; ++layer)
                QVERIFY2(!table.of(kind, layer).empty(), qPrintable(QString::number(layer)));
        }
    }

    void whatIsOfNoOneModelIsRefused() {
        Result<Model> model = readModelFile(PW_SOURCE_DIR "/samples/models/llama3-8b.json");
        QVERIFY(model);
        model->name = "other";
        model->blocks = 2;
        const auto codeOf = [&](const std::vector<ProfileRow>& rows) {
            const std::string path = m_dir->filePath(QStringLiteral("rows.json")).toStdString();
            if (!writeFileAtomically(path, printProfiles(rows, ProfileFormat::Document)))
                qFatal("not written");
            ImportHints hints;
            hints.model = &*model;
            hints.measuresModel = true;
            const Result<Imported> read = importFile(path, "", hints);
            return read ? std::string() : read.error().code;
        };
        std::vector<ProfileRow> rows;
        for (int layer = 0; layer < 5; ++layer) {
            ProfileRow& row = rows.emplace_back();
            row.model = "m";
            row.kind = "A100-SXM4-40GB";
            row.layer = layer;
            row.forward = row.backward = Seconds(1.0);
        }
        QCOMPARE(codeOf(rows), std::string());
        rows[2].forward = Seconds(2.0);
        QCOMPARE(codeOf(rows), std::string("profiles.blocks"));
        model->blocks = 3; // as many as were timed
        QCOMPARE(codeOf(rows), std::string());
        model->blocks = 2;
        rows[2].forward = rows[1].forward;
        rows.erase(rows.begin());
        QCOMPARE(codeOf(rows), std::string("profiles.blocks")); // the last may be a block
        rows.back().model = "n";
        QCOMPARE(codeOf(rows), std::string("profiles.models"));
    }

    void rowsComeBackToTheLastBit() {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            const std::vector<ProfileRow> rows = randomRows(seed, 300);
            for (const ProfileFormat format : {ProfileFormat::Document, ProfileFormat::Table}) {
                const auto got = read(printProfiles(rows, format));
                QVERIFY2(got, got ? "" : got.error().text().c_str());
                QVERIFY2(std::get<1>(got->what) == rows, QByteArray::number(seed));
            }
        }
    }

    void columnsMayStandInAnyOrderAndSourcesHaveADefault() {
        const auto got = read("mbs,tp,layer,kind,model,backward_s,forward_s\n4,2,1,V100-16,m,0.5,0.25\n");
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        const ProfileRow& row = std::get<1>(got->what).front();
        QCOMPARE(row.mbs, 4);
        QCOMPARE(row.forward.value, 0.25);
        QCOMPARE(row.source, std::string("rows"));
    }

    void mistakesAreCollectedWithTheirPlaces() {
        const std::string head = "model,kind,layer,tp,mbs,forward_s,backward_s\n";
        const std::string file = path().string();
        const auto csv =
            read(head + "m,k,1,2,1,nan,1\nm,k,1,2,1,1,1\nm,k,x,2,1,1,-1\nm,k,1,2,1,1\nm,k,1,0,1,1,1\n");
        QVERIFY(!csv);
        QCOMPARE(csv.error().where, file + ":2:11");
        QCOMPARE(csv.error().reasons.size(), std::size_t{3});
        QVERIFY(csv.error().reasons[0].where.starts_with(file + ":4:5"));
        QVERIFY(csv.error().reasons[1].where.starts_with(file + ":5:1"));
        QVERIFY(csv.error().reasons[2].where.starts_with(file + ":6:1"));
        QCOMPARE(read("model,kind,layer,forward_s,tp\n").error().reasons.size(), std::size_t{1});
        QCOMPARE(read(head + "m,k,1,2,1,1,\"1\nm,k,1,2,1,1,1\n").error().where, file + ":2:13");
        for (const char* name : {"m\x1b[2J", "m\b", "m\x7f", "m\xc2\x9b"}) { // a table is shown as it is
            const auto escapes = read(head + name + ",k,1,2,1,1,1\n");
            QVERIFY(!escapes);
            QCOMPARE(escapes.error().where, file + ":2:1");
            QCOMPARE(escapes.error().message, std::string("the row has a text with a control character"));
        }

        const std::string row =
            R"({"model":"m","kind":"k","layer":1,"tp":1,"mbs":1,"forward_s":1,"backward_s":1})";
        const std::string bad =
            R"({"model":"m","kind":"k","layer":1,"tp":0,"mbs":"1","forward_s":1,"backward_s":1})";
        const auto json = read("{\"rows\": [" + row + "," + bad + "," + row + "," + bad +
                               "], \"schema\": \"pipewright-profiles-1\"}");
        QVERIFY(!json);
        QCOMPARE(json.error().where, file + "#/rows/1/tp");
        QCOMPARE(json.error().reasons.size(), std::size_t{3});
        QVERIFY(json.error().reasons[2].where.starts_with(file + "#/rows/3/mbs"));
        const std::string escapes =
            R"({"model":"m","kind":"k\u009b2J","layer":1,"tp":1,"mbs":1,"forward_s":1,"backward_s":1})";
        const auto shown =
            read("{\"rows\": [" + row + "," + escapes + "], \"schema\": \"pipewright-profiles-1\"}");
        QVERIFY(!shown);
        QCOMPARE(shown.error().text(), file + "#/rows/1: has a text with a control character");
        QCOMPARE(read("{\"rows\": [" + row + "], \"schema\": \"pipewright-profiles-9\"}").error().code,
                 std::string("profiles.schema"));
        const auto cut = read("{\"schema\": \"pipewright-profiles-1\",\n\"rows\": [" + row);
        QCOMPARE(cut.error().code, std::string("json.syntax"));
        QVERIFY2(cut.error().where.starts_with(file + ":2:"), cut.error().where.c_str());
        QCOMPARE(read("{\"rows\": [{\"forward_s\": 1, \"forward_s\": 2}]}").error().code,
                 std::string("json.duplicate"));
        QCOMPARE(read("{\"rows\": [{\"forward_s\": 1e400}]}").error().code, std::string("json.number"));
        QCOMPARE(read("{\"rows\": [{\"forward_s\": " + std::string(200, '[')).error().code,
                 std::string("json.depth"));
    }

    void anEarlyStopTakesNothingMore() {
        QVERIFY(writeFileAtomically(path(), printProfiles(randomRows(1, 100))));
        std::stop_source stop;
        int taken = 0;
        stop.request_stop();
        const Status read = eachProfile(
            path(),
            [&](const ProfileRow&) -> Status {
                ++taken;
                return Ok{};
            },
            stop.get_token());
        QVERIFY(!read);
        QCOMPARE(read.error().kind, ErrorKind::Stopped);
        QCOMPARE(taken, 0);
    }

private:
    std::filesystem::path path() const { return m_dir->filePath(QStringLiteral("rows")).toStdString(); }
    Result<Imported> read(const std::string& text) const {
        if (Status written = writeFileAtomically(path(), text); !written)
            return written.error();
        return importFile(path(), kProfileFileKind, {});
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_APPLESS_MAIN(ProfileFileTest)
#include "profile_file_test.moc"
