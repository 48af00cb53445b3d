#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands for FlagScale's run.py and its runner over ssh (da4935ec, 2025-11-13), as far as a training needs them:
composes the configuration as Hydra does, makes the arguments of every host's ranks, writes a script a host and starts
it there. Line numbers are those of flagscale/runner/runner_train.py, or of utils.py beside it where that is said.

run.py --config-path FOLDER --config-name NAME [KEY=VALUE...]
"""

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

import yaml  # type: ignore

ROOT = Path(__file__).resolve().parent
HOST = re.compile(r"^(\S+)\s+slots=(\d+)(?:\s+type=(\S+))?")  # utils.py:77
# What Hydra's grammar of overrides takes for a value without quotes.
PLAIN = re.compile(r"[\w/\-+.$%*@?|:= \t\\]+")
NOT_ARGUMENTS = ("log_dir", "details_dir", "scripts_dir", "pids_dir")  # :43


class Loader(yaml.SafeLoader):
    """Hydra's and OmegaConf's own: 1e-4 is a number, and a key stands once."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep) for key, _ in node.value]
        assert len(set(keys)) == len(keys), f"a key of {keys} stands twice"
        return super().construct_mapping(node, deep)


Loader.add_implicit_resolver("tag:yaml.org,2002:float",
                             re.compile(r"^[-+]?(?:\d[\d_]*\.?[\d_]*(?:[eE][-+]?\d+)|\d[\d_]*\.[\d_]*)$"),
                             list("-+0123456789."))


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader)


def merge(into, more):
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value


def composed(folder, name, overrides):
    """The primary file with what its defaults name, each in the package of its group; then the overrides, whose keys
    must be there (Hydra's structs)."""
    own = load(folder / f"{name}.yaml")
    defaults = own.pop("defaults")
    assert defaults[-1] == "_self_", "what stands last wins"
    config: dict = {}
    for entry in defaults[:-1]:
        (group, choice), = entry.items()
        merge(config, {group: load(folder / group / f"{choice}.yaml")})
    merge(config, own)
    del config["hydra"]  # where Hydra itself writes
    for override in overrides:
        key, _, value = override.partition("=")
        assert PLAIN.fullmatch(value), f"{override}: Hydra reads no such value without quotes"
        *path, last = key.split(".")
        part = config
        for word in path:
            part = part[word]
        assert last in part, f"Key '{last}' is not in struct"
        part[last] = value
    return config


def hosts_of(path):
    """utils.py:69; host: (slots, type)."""
    hosts = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        found = HOST.search(line)
        assert found and found[1] not in hosts, line
        hosts[found[1]] = (int(found[2]), found[3])
    types = [kind is not None for _, kind in hosts.values()]
    assert hosts and (all(types) or not any(types)), "all hosts have a type or none has"
    return hosts


def flat(values):
    """utils.py:271."""
    arguments = []
    for key, value in values.items():
        flag = "--" + key.replace("_", "-")
        if key in NOT_ARGUMENTS:
            continue
        if isinstance(value, dict):
            arguments += flat(value)
        elif isinstance(value, bool):
            arguments += [flag] if value else []
        else:
            arguments += [flag, *(str(one) for one in (value if isinstance(value, list) else [value]))]
    return arguments


def prepared(config):
    """:97. Where all that a training writes goes."""
    out = Path(config["experiment"]["exp_dir"]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    system = config["train"]["system"]
    logs = out / "logs"
    system.setdefault("checkpoint", {}).update(save=str(out / "checkpoints"), load=str(out / "checkpoints"))
    system.setdefault("logging", {}).update(
        log_dir=str(logs), scripts_dir=str(logs / "scripts"), pids_dir=str(logs / "pids"),
        details_dir=str(logs / "details"), tensorboard_dir=str(out / "tensorboard"), wandb_save_dir=str(out / "wandb"))
    train = config["train"]
    return flat({**train["system"], **train["model"], **train["data"]})  # :30


def variables_of(envs, host, kind):
    """utils.py:333."""
    own = dict(envs)
    kinds, nodes = own.pop("device_type_specific", None), own.pop("node_specific", None)
    if kinds is not None and kind is not None:
        own.update(kinds.get(kind, {}))
    if nodes is not None:
        own.update(nodes.get(host, {}))
    return own


def visible_of(variables):
    """:366. A number is no list of devices, and neither is one that is missing: the runner fails there."""
    shown = next((value for name, value in variables.items() if name.endswith("_VISIBLE_DEVICES")), None)
    assert isinstance(shown, str), "num_visible_devices is not set"
    return len(shown.split(","))


def torchrun_of(runner, system, where, count, rank, processes):
    """:157. where: the first host."""
    flags = {key: value for key, value in runner.items()
             if key not in ("type", "backend", "per_node_task", "hostfile", "ssh_port", "master_addr", "master_port",
                            "enable_monitoring")}
    backend = flags.get("rdzv_backend", "c10d")
    flags.update(rdzv_id="default", nnodes=count, node_rank=rank, nproc_per_node=processes, rdzv_backend=backend,
                 rdzv_endpoint=f"{where}:29500", log_dir=f"{system['logging']['details_dir']}/host_{rank}",
                 redirects=runner.get("redirects", "3"), tee=runner.get("tee", "3"))
    words = [runner.get("backend", "torchrun")]
    for key, value in flags.items():
        if isinstance(value, bool):
            words += [f"--{key}"] if value else []
        else:
            words += [f"--{key}", str(value)]
    return words


def script_of(system, rank, host, command, test):
    """:224. The command stands within double quotes and is split by a second bash."""
    logging = system["logging"]
    path = Path(logging["scripts_dir"]) / f"host_{rank}_{host}_run.sh"
    path.parent.mkdir(parents=True, exist_ok=True)
    folders = [system["checkpoint"]["load"], system["checkpoint"]["save"], *(
        logging[key] for key in ("log_dir", "pids_dir", "details_dir", "tensorboard_dir", "wandb_save_dir"))]
    start = 'bash -c "$cmd; sync" \n' if test else (
        f'nohup bash -c "$cmd; sync" >> {logging["log_dir"]}/host_{rank}_{host}.output 2>&1 & '
        f'echo $! > {logging["pids_dir"]}/host_{rank}_{host}.pid\n')
    path.write_text("#!/bin/bash\n\n\n" + "".join(f"mkdir -p {folder}\n" for folder in folders)
                    + f"\ncd {ROOT}\n\nexport PYTHONPATH={ROOT}/third_party/Megatron-LM:{ROOT}:${{PYTHONPATH}}\n\n"
                    + f'cmd="{command}"\n\n\n{start}\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def over_ssh(host, command, dryrun):
    """utils.py:189. Without a shared file system scripts would be copied first, which is off here."""
    line = f"ssh -f -n -p 22 {host} '{command}'"
    print(line)
    if not dryrun:
        subprocess.run(line, shell=True, check=True, capture_output=True, text=True)


def run(config, test=False, dryrun=False):
    """:482 and :349, one host after the other."""
    arguments = prepared(config)
    experiment, system = config["experiment"], config["train"]["system"]
    assert experiment["task"]["type"] == "train" and experiment["task"]["backend"] == "megatron"
    hosts = hosts_of(experiment["runner"]["hostfile"])
    for rank, (host, (slots, kind)) in enumerate(hosts.items()):
        variables = variables_of(experiment.get("envs", {}), host, kind)
        processes = min(slots, visible_of(variables))
        if kind is not None:  # :435
            place = arguments.index("--hetero-current-device-type")
            arguments[place + 1] = kind
        torchrun = torchrun_of(experiment["runner"], system, next(iter(hosts)), len(hosts), rank, processes)
        command = shlex.join([*(f"{k}={v}" for k, v in variables.items()), *torchrun,
                              experiment["task"]["entrypoint"], *arguments])
        script = script_of(system, rank, host, command, test)
        over_ssh(host, f"mkdir -p {script.parent}", dryrun)
        over_ssh(host, f"bash {script}", dryrun)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config-path", type=Path, required=True)
    parser.add_argument("--config-name", required=True)
    parser.add_argument("overrides", nargs="*")
    given = parser.parse_args()
    config = composed(given.config_path, given.config_name, given.overrides)
    if config["action"] not in ("run", "test", "dryrun"):
        sys.exit(f"Unknown action {config['action']}")  # stop, query and auto_tune start nothing
    run(config, config["action"] == "test", config["action"] == "dryrun")


if __name__ == "__main__":
    main()
