// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/xml_file.h"

#include <QtTest>

using namespace pw;

class XmlFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusesDeepXml() {
        std::string deep = "<system version=\"1\">";
        for (int i = 0; i < 20'000; ++i)
            deep += "<a>";
        for (int i = 0; i < 20'000; ++i)
            deep += "</a>";
        QCOMPARE(XmlFile::parse(deep + "</system>", "f").error().code, std::string("xml.depth"));
        QCOMPARE(XmlFile::parse("<a/><b/>", "f").error().where, std::string("f:1:5 <b>"));
    }
};

QTEST_APPLESS_MAIN(XmlFileTest)
#include "xml_file_test.moc"
