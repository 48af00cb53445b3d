// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/bug_report.h"

#include "core/base/version.h"
#include "ui/base/convert.h"
#include "ui/diagnostics/private_names.h"

#include <QGuiApplication>
#include <QLocale>
#include <QScreen>
#include <QSysInfo>

namespace pw {
namespace {

QString block(const QString& title, const Facts& facts) {
    QString text = title + QLatin1Char('\n');
    for (const auto& [what, value] : facts)
        text += QStringLiteral("  %1: %2\n").arg(what, value);
    return text;
}

// The words of this text are English as those of the log are: it is read by who mends the program.
QString crashText(const std::vector<CrashReport>& crashes) {
    QString text = QStringLiteral("crash reports: %1\n").arg(crashes.size());
    for (const CrashReport& crash : crashes)
        text += QStringLiteral("  %1\n").arg(q(crash.end));
    if (crashes.empty())
        return text;
    return text + QStringLiteral("\nthe latest crash\n") + q(crashes.front().text);
}

} // namespace

Facts versionFacts() {
    Facts facts = {
        {QStringLiteral("Pipewright"), q(fullVersion())},
        {QStringLiteral("build"), QLatin1String(buildKind())},
        {QStringLiteral("Qt"),
         QStringLiteral("%1, built with %2").arg(QLatin1String(qVersion()), QStringLiteral(QT_VERSION_STR))},
        {QStringLiteral("system"), QStringLiteral("%1, %2 %3, %4")
                                       .arg(QSysInfo::prettyProductName(), QSysInfo::kernelType(),
                                            QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture())}};
    if (qobject_cast<QGuiApplication*>(QCoreApplication::instance())) {
        facts.append({QStringLiteral("display"), QGuiApplication::platformName()});
        for (const QScreen* screen : QGuiApplication::screens())
            facts.append({QStringLiteral("screen"), QStringLiteral("%1 x %2, scale %3")
                                                        .arg(screen->size().width())
                                                        .arg(screen->size().height())
                                                        .arg(screen->devicePixelRatio())});
    }
    return facts;
}

QString versionLine() {
    QStringList parts;
    for (const auto& [what, value] : versionFacts())
        parts << QStringLiteral("%1 %2").arg(what, value);
    return parts.join(QStringLiteral("; "));
}

QString bugReport(const Facts& settings, const std::vector<LogEvent>& log,
                  const std::vector<CrashReport>& crashes, const PrivateNames& names) {
    Facts all = settings;
    all.append({QStringLiteral("locale"), QLocale().name()});
    for (const char* variable : {"PIPEWRIGHT_CONFIG_DIR", "PIPEWRIGHT_DATA_DIR", "PIPEWRIGHT_STATE_DIR",
                                 "QT_QPA_PLATFORM", "QT_SCALE_FACTOR"})
        if (qEnvironmentVariableIsSet(variable))
            all.append({QLatin1String(variable), qEnvironmentVariable(variable)});
    const std::size_t first = log.size() > kReportedEvents ? log.size() - kReportedEvents : 0;
    QString text =
        block(QStringLiteral("versions"), versionFacts()) + QLatin1Char('\n') +
        block(QStringLiteral("settings"), all) + QLatin1Char('\n') + crashText(crashes) +
        QStringLiteral("\nlog, the last %1 of %2 events\n").arg(log.size() - first).arg(log.size());
    for (std::size_t i = first; i < log.size(); ++i)
        text += QStringLiteral("  %1  %2  %3  %4\n")
                    .arg(q(log[i].time == 0 ? std::string(24, '-') : timeText(log[i].time)),
                         QLatin1String(name(log[i].level)), q(log[i].place), q(log[i].text));
    return names.shortened(text);
}

} // namespace pw
