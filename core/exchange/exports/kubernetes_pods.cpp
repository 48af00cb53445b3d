// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/launch_files.h"

#include <fmt/format.h>

namespace pw {

namespace {

// The extended resource of a vendor's device plugin; empty where none is known.
std::string gpuResource(const std::string& vendor) {
    return vendor == "NVIDIA" ? "nvidia.com/gpu" : vendor == "AMD" ? "amd.com/gpu" : "";
}

} // namespace

ExportFile kubernetesPods(const Problem& problem, const LaunchOrder& order, const std::string& script,
                          const std::string& image) {
    std::string text = fmt::format(R"yaml(# A pod a node of the plan: {} GPUs of {} nodes.
#     kubectl apply -f kubernetes.yaml
# Yours to set: the image, and the claim "pipewright", a volume with this export that all nodes mount. Nodes are
# chosen by their label kubernetes.io/hostname, and a pod takes all GPUs of its node, so that their numbers are
# the node's. What a pod was started with beside the script stands in its args.
apiVersion: v1
kind: Service
metadata:
  name: pipewright
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    app: pipewright
)yaml",
                                   order.world(), order.nodes.size());
    for (std::size_t rank = 0; rank < order.nodes.size(); ++rank) {
        const Node& node =
            problem.topology().cluster().nodes[static_cast<std::size_t>(order.nodes[rank].node)];
        const DeviceKind& kind =
            problem.topology().kindOf(problem.topology().firstOfNode(order.nodes[rank].node));
        text += fmt::format(R"yaml(---
apiVersion: v1
kind: Pod
metadata:
  name: pipewright-{0}
  labels:
    app: pipewright
spec:
  hostname: pipewright-{0}
  subdomain: pipewright
  restartPolicy: Never
  nodeSelector:
    kubernetes.io/hostname: "{1}"
  containers:
    - name: ranks
      image: {2}
      workingDir: /plan
      command: ["bash", "{3}"]
      args: []
      env:
        - name: NODE_RANK
          value: "{0}"
        - name: MASTER_ADDR
          value: pipewright-0.pipewright
)yaml",
                            rank, node.id, image, script);
        if (const std::string resource = gpuResource(kind.vendor); !resource.empty())
            text += fmt::format("      resources:\n        limits:\n          {}: {}\n", resource, node.gpus);
        text += R"yaml(      volumeMounts:
        - name: plan
          mountPath: /plan
        - name: shared-memory
          mountPath: /dev/shm
  volumes:
    - name: plan
      persistentVolumeClaim:
        claimName: pipewright
    - name: shared-memory
      emptyDir:
        medium: Memory
)yaml";
    }
    return {"kubernetes.yaml", std::move(text)};
}

} // namespace pw
