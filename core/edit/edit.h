// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"

#include <map>
#include <set>
#include <string>

namespace pw {

// Edits are pure: they take a project and give the changed one, or say why not. Nothing else changes a
// document. Items are named by id: nodes, switches and links of the drawing.
using ItemIds = std::set<std::string>;

Result<Project> addNodes(const Project& project, const std::string& kind, int gpusPerNode, int count,
                         Point at);
Result<Project> addSwitch(const Project& project, const std::string& medium, Point at);
// Why a and b may not be linked, decided before the user lets go; empty text = they may.
Wording linkRefusal(const Cluster& cluster, std::string_view a, std::string_view b);
// A link to a switch that has others to the same sort of end, nodes or switches, takes the bandwidth, lanes,
// latency and efficiency that these agree in; else they are what is usual for the medium.
Result<Project> addLink(const Project& project, const std::string& a, const std::string& b);
// From each of them that may be linked, in their order; refused where none may, as the first one is.
Result<Project> addLinks(const Project& project, const std::vector<std::string>& from, const std::string& to);
// The end of the link that is at `from` leads to `to`; its figures stay. A name that it was not given by
// anybody follows the ends: `movedId`, where asked for, is the one it has then. Refused as a new link is.
Result<Project> moveLinkEnd(const Project& project, const std::string& link, const std::string& from,
                            const std::string& to, std::string* movedId = nullptr);
// Locked items stay where they are.
Result<Project> moveItems(const Project& project, const ItemIds& items, double dx, double dy);
// With the links that hang on them; a locked item is refused.
Result<Project> removeItems(const Project& project, const ItemIds& items);
// Copies nodes, switches and the links between them under fresh ids, shifted.
Result<Project> duplicateItems(const Project& project, const ItemIds& items, double dx, double dy,
                               ItemIds* copies);
Result<Project> setNode(const Project& project, const Node& node); // by id
// Plans that are kept follow.
Result<Project> renameItem(const Project& project, const std::string& id, const std::string& newId);
using NewNames = std::map<std::string, std::string>;                        // by the name before
Result<Project> renameItems(const Project& project, const NewNames& names); // one step
// Those of the items, or all nodes, that no machine can be called (isHostName()) get a name much like it that
// one can: "n-1", or "n-1-2" where that is taken.
Result<Project> nameForHosts(const Project& project, const ItemIds& items);
Result<Project> nameForHosts(const Project& project);
// Whether the two ask the same of the same drawing under other names: what is known of the one by the place
// of nodes and devices holds for the other.
bool differInNamesOnly(const Project& a, const Project& b);
// What b calls those nodes of a that stand in the same places under other names. a and b differ in names
// only.
using NodeNames = NewNames; // of nodes alone
NodeNames renamedNodes(const Project& a, const Project& b);
Result<Project> setSwitch(const Project& project, const Switch& item);
Result<Project> setLinks(const Project& project, const std::vector<Link>& links); // by id, one step
// The whole drawing by another one; what was forbidden, grouped or locked stays so where its items are there
// again.
Result<Project> setCluster(const Project& project, const Cluster& cluster);
Result<Project> setModel(const Project& project, const Model& model);
Result<Project> setRecipe(const Project& project, const Recipe& recipe);
// Nodes, devices, device kinds, switches and links that no plan may use; refused where the cluster has no
// such name.
Result<Project> setForbidden(const Project& project, const std::vector<std::string>& names);
// What is left out by choosing it instead of by naming it: nodes ("n1") and devices ("n1.g3"); without any of
// these the nodes that the switches among the items cut off, as a leaf does its rack; and where they cut off
// none the switches and links themselves, such as a spine, a rail or a cable. Other items are passed over,
// and refused if there is nothing else. Out: names of what is left out already are not added, and those of a
// node's devices go with it. Back in: what the kind or the node of an item, or the switch of a link, leaves
// out stays so, and is refused.
Result<Project> leaveOut(const Project& project, const ItemIds& items, bool out);
// All of them, whatever names it: what leaveOut() has to take back in.
bool areLeftOut(const Project& project, const ItemIds& items);
// What these stand for: so many nodes, or without any of these so many switches and links.
struct LeavingOut {
    std::size_t nodes = 0, network = 0;
};
LeavingOut whatToLeaveOut(const Project& project, const ItemIds& items);
// Adds rows; a point (model, kind, layer, tp, mbs, source) that is there already is replaced.
Result<Project> addProfiles(const Project& project, const std::vector<ProfileRow>& rows);
Result<Project> removeProfiles(const Project& project, const std::string& source);
Result<Project> keepPlan(const Project& project, const KeptPlan& plan); // by name: replaces
// Keeps an edited plan beside its base, which must stay with it: one step.
Result<Project> keepEdited(const Project& project, const KeptPlan& base, const KeptPlan& edited);
// Edited plans of it name it as their base and follow. Refused where the name is taken or empty.
Result<Project> renamePlan(const Project& project, const std::string& name, const std::string& newName);
Result<Project> dropPlan(const Project& project, const std::string& name);
// All of them or, where the project keeps no plan of a name, none.
Result<Project> dropPlans(const Project& project, const std::vector<std::string>& names);

} // namespace pw
