#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A trainer whose configuration has the fields of a list and no others, and whose checks are its own.

trainer_stub.py KIND LIST PLAN VALUES: imports PLAN as the trainer would, hands configure() a configuration in
which VALUES (JSON, by dotted name) are set already, applies the trainer's checks and prints what was set.
KIND is torchtitan, megatron-bridge or nemo2; torchtitan-flavor imports PLAN as releases before main do the module
that tells a flavor what its model has otherwise.
"""

import importlib
import json
import os
import re
import runpy
import sys
import types
from typing import Any, Dict

TITAN_FAMILIES = ("llama3", "deepseek_v3", "qwen3", "gpt_oss")
TRANSFORMERS = "transformers_modeling_backend"
FLAVORS = {"llama3_configs": "llama3", "llama3_args": "llama3", "deepseekv3_args": "deepseek_v3",
           "qwen3_args": "qwen3"}
ROOTS = {"torchtitan": "config", "megatron-bridge": "cfg", "nemo2": "recipe"}


class Part:
    """What stands behind one dotted name: its fields are those of the list, as with slots."""

    def __init__(self, name, known):
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_known", known)
        object.__setattr__(self, "_values", {})

    def __getattr__(self, key):
        name = f"{self._name}.{key}"
        if key not in self._values:
            if not any(known == name or known.startswith(name + ".") for known in self._known):
                raise AttributeError(f"{name} does not exist")
            self._values[key] = Part(name, self._known)
        return self._values[key]

    def __setattr__(self, key, value):
        if f"{self._name}.{key}" not in self._known:
            raise AttributeError(f"{self._name}.{key} does not exist")
        self._values[key] = value

    def flat(self):
        values = {}
        for key, value in self._values.items():
            if isinstance(value, Part):
                values.update(value.flat())
            else:
                plain = isinstance(value, (int, float, list, type(None)))
                values[f"{self._name}.{key}"] = value if plain else str(value)
                values.update(value.flat() if isinstance(value, Spec) else {})
        return values


class Spec:
    """A model of torchtitan's registry: what it was asked for, and its configurations of a class."""

    def __init__(self, asked, known):
        self._asked = asked
        self._parts = {name: Part(name, known) for name in ("RoPE", "RMSNorm")}

    def __repr__(self):
        return self._asked

    def traverse(self, config):
        part = self._parts[config.__qualname__.split(".")[0]]
        for layer in range(2):
            yield f"layers.{layer}", part, None, None

    def flat(self):
        return {name: value for part in self._parts.values() for name, value in part.flat().items()}


def module(name, **members):
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        sys.modules.setdefault(".".join(parts[:end]), types.ModuleType(".".join(parts[:end])))
    for key, value in members.items():
        setattr(sys.modules[name], key, value)


def provide(known):
    """The modules that an exported file imports, with the names that the list has."""
    def named(kind):
        return {line.split(" ", 1)[1] for line in known if line.startswith(kind + " ")}

    def maker(name):
        def made(*arguments, **more):
            stated = [*map(repr, arguments), *(f"{key}={value!r}" for key, value in more.items())]
            return f"{name}({', '.join(stated)})"
        return made

    def single(name, said=sorted):
        """Made of the arguments that the list has, for fp32."""
        def make(**more):
            unknown = [key for key in more if f"argument {name}.{key}" not in known]
            if unknown:
                raise TypeError(f"{name}() got an unexpected keyword argument {unknown[0]}")
            return f"{name} {said(more)}"
        return {name: make} if name in named("class") else {}

    def classes(*names):
        return {n: type(n, (), {"Config": staticmethod(maker(n))}) for n in names if n in named("class")}

    functions = {name: maker(name) for name in named("function")}
    module("torch", float16="float16", bfloat16="bfloat16", float32="float32")
    module("torchtitan.config", **{n: maker(n) for n in named("class") if n == "CompileConfig"})
    module("torchtitan.distributed.activation_checkpoint", **classes("FullAC", "SelectiveAC"))
    module("torchtitan.models.common.config_utils",
           **{n: f for n, f in functions.items() if n == "decoder_vocab_size"})
    parts = {n: type(n, (), {"Config": type("Config", (), {"__qualname__": f"{n}.Config"})})
             for n in ("RoPE", "RMSNorm") if n in named("class")}
    module("torchtitan.models.common", **parts)
    for family in TITAN_FAMILIES:
        registry = {n: lambda *a, f=f, **k: Spec(f(*a, **k), known) for n, f in functions.items()
                    if n == "model_registry"}
        module(f"torchtitan.models.{family}", **registry)
    module("torchtitan.models.deepseek_v3.mtp", **classes("MTPLoss"))
    flavors: Dict[str, Any] = {}
    module(f"torchtitan.experiments.{TRANSFORMERS}", flavors=flavors, **classes("HFTransformerModel"),
           **single("TitanModelConfig", dict), **single("TitanMoeModelConfig", dict),
           model_registry=lambda flavor: flavors[flavor])
    module("nemo_run", Config=lambda made, **more: made(**more))
    module("nemo.collections.nlp.modules.common.tokenizer_utils",
           **{n: f for n, f in functions.items() if n == "get_nmt_tokenizer"})
    module("nemo.lightning.pytorch.plugins", **single("MegatronMixedPrecision"))
    module("megatron.bridge.training.mixed_precision", **single("MixedPrecisionConfig"))
    return functions


def started(kind, plan, configuration):
    """What the trainer would train as the file is started, each configuration by dotted name."""
    trained = []
    if kind == "nemo2":
        class Models:
            def __getattr__(self, name):
                return types.SimpleNamespace(pretrain_recipe=lambda: configuration)
        module("nemo.collections", llm=Models())

        def run(recipe, direct):
            assert direct, "within this process, which is one of torchrun's"
            trained.append(recipe.flat())
            # Made-up words of a tokenizer of n + 1 are those of the model, not of the one that the data have by
            # themselves.
            said = trained[-1].pop("recipe.data.tokenizer")
            words = re.fullmatch(r"get_nmt_tokenizer\(library='null', model_name='NullTokenizer', "
                                 r"vocab_size=(\d+)\)", said)
            assert words and int(words[1]) < recipe.model.config.vocab_size, "words of the data"
        module("nemo_run", run=run)
    else:
        class Recipes(types.ModuleType):
            def __getattr__(self, name):
                if not name.endswith("_config"):
                    raise AttributeError(name)
                return lambda: configuration
        for family in ("llama", "deepseek", "gpt"):
            module(f"megatron.bridge.recipes.{family}")
            sys.modules[f"megatron.bridge.recipes.{family}.h100"] = Recipes("h100")
        module("megatron.bridge.training.gpt_step", forward_step="forward_step")

        def pretrain(cfg, forward_step):
            assert forward_step == "forward_step"
            trained.append(cfg.flat())
        module("megatron.bridge.training.pretrain", pretrain=pretrain)
    runpy.run_path(plan, run_name="__main__")
    return trained


def check_transformers(values, pipelined):
    """Of torchtitan's transformers backend: parallelize.py, pipeline.py, trainer.py, model.py."""
    assert values["config.parallelism.spmd_backend"] == "partial_dtensor", "sharding backend"
    with open(os.path.join(values["config.hf_model"], "config.json"), encoding="utf-8") as file:
        model = json.load(file)
    assert len(model["architectures"]) == 1 and model["model_type"], "model class"
    experts = "TitanMoeModelConfig" in values["config.model_spec"]
    assert experts == any(key in model for key in ("num_experts", "num_local_experts")), "kind of configuration"
    assert not (experts and pipelined), "a pipeline of experts"
    assert not experts or "'norm_topk_prob': True" in values["config.model_spec"], "weights of experts"
    together = values["config.training.num_tokens_per_microbatch_per_dp_rank"]
    apart = "block_causal" in values["config.model_spec"]
    assert apart == (together > values["config.training.max_context_length"]), "mask"
    if values["config.parallelism.context_parallel_degree"] > 1:
        assert values["config.parallelism.context_parallel_load_balancer"] == "ptrr", "load balancer"
    for part in values.get("config.parallelism.module_fqns_per_model_part", []):
        assert "rotary_emb" in part, "rotary positions"
        assert any(name.startswith("layers.") for name in part), "a part without layers"


def check_layout(values, where):
    """Of Megatron's core: transformer_config.py:992 of NeMo's, 2004 of Bridge's."""
    if values[where + "pipeline_model_parallel_layout"] is not None:
        for name in ("account_for_embedding_in_pipeline_split", "account_for_loss_in_pipeline_split"):
            assert not values[where + name], "a layout beside " + name
        for name in ("num_layers_in_first_pipeline_stage", "num_layers_in_last_pipeline_stage"):
            assert values[where + name] is None, "a layout beside " + name


def check(kind, values, known):
    """Asserted by the trainer itself; the places are in the exporters."""
    if kind == "torchtitan":
        pipelined = values["config.parallelism.pipeline_parallel_degree"] > 1
        experts = values.get("config.parallelism.expert_parallel_degree", 1) > 1
        assert not (pipelined or experts) or values["config.training.disable_cuda_graphs"] in (True, "True"), \
            "CUDA graphs and a pipeline or an all-to-all of experts"
        step = values["config.training.num_tokens_per_microbatch_per_dp_rank"]
        step *= values.get("config.parallelism.num_pp_microbatches", 1) if pipelined else 1
        step *= values["config.parallelism.data_parallel_shard_degree"]
        assert values["config.training.num_tokens_per_train_step"] % step == 0, "tokens of a step"
        if "config.hf_model" in values:
            check_transformers(values, pipelined)
        csv = values.get("config.parallelism.pipeline_parallel_schedule_csv")
        assert csv is None or os.path.isfile(csv), "schedule file"
    if kind in ("megatron-bridge", "nemo2"):
        check_layout(values, "cfg.model." if kind == "megatron-bridge" else "recipe.trainer.strategy.")
    if kind == "megatron-bridge":
        assert values["cfg.model.seq_length"] == values["cfg.dataset.seq_length"], "sequence lengths"
        assert values["cfg.mixed_precision"].startswith("MixedPrecisionConfig"), "mixed precision"
        assert values["cfg.ddp.overlap_param_gather"] == values["cfg.optimizer.overlap_param_gather"], "gathers"
        either = values["cfg.ddp.use_distributed_optimizer"] or values["cfg.optimizer.use_distributed_optimizer"]
        values["cfg.ddp.use_distributed_optimizer"] = either
        # param_and_grad_buffer.py:435 of its core: an error of the first forward pass.
        assert either or not values["cfg.ddp.overlap_param_gather"], "gathers without the distributed optimizer"
        assert either or not values["cfg.optimizer.use_precision_aware_optimizer"], "precision-aware optimizer"
    if kind == "nemo2":
        values["recipe.trainer.strategy.ddp.use_distributed_optimizer"] = values[
            "recipe.optim.config.use_distributed_optimizer"]


def told_flavor(plan, known):
    """What the module PLAN sets, by dotted name."""
    told = {name: Part(name, known) for name in FLAVORS if any(line.startswith(name + ".") for line in known)}
    for name, part in told.items():
        module(f"torchtitan.models.{FLAVORS[name]}", **{name: {"8B": part, "671B": part, "32B": part}})
    runpy.run_path(plan)
    return {name: value for part in told.values() for name, value in part.flat().items()}


def main():
    kind, list_file, plan, stated = sys.argv[1:]
    with open(list_file, encoding="utf-8") as file:
        known = {line.strip() for line in file if not line.startswith("#")}
    if kind == "torchtitan-flavor":
        print(json.dumps(told_flavor(plan, known), sort_keys=True))
        return
    root = ROOTS[kind]
    functions = provide(known)
    if kind == "torchtitan":
        known |= {f"{root}.{line}" for line in known}
        own = known - {f"{root}.hf_model"}  # which configurations of the transformers backend alone have
        for family in TITAN_FAMILIES:
            module(f"torchtitan.models.{family}.config_registry",
                   **{n: (lambda: Part(root, own)) for n in functions if n.startswith(family + "_")})
        module(f"torchtitan.experiments.{TRANSFORMERS}.config_registry",
               **{n: (lambda: Part(root, known)) for n in functions if n.startswith(TRANSFORMERS)})
    sys.path.insert(0, os.path.dirname(plan))
    planned = importlib.import_module(os.path.splitext(os.path.basename(plan))[0])
    if kind == "torchtitan":
        configuration = planned.planned()
    else:
        configuration = Part(root, known)
        for name, value in json.loads(stated).items():
            part = configuration
            for key in name.split(".")[1:-1]:
                part = getattr(part, key)
            setattr(part, name.split(".")[-1], value)
        configuration = planned.configure(configuration)
    values = configuration.flat()
    if kind != "torchtitan":
        with open(plan, encoding="utf-8") as file:
            starts = "__main__" in file.read()
        assert started(kind, plan, configuration) == ([values] if starts else []), "what is trained"
    check(kind, values, known)
    print(json.dumps(values, sort_keys=True))


if __name__ == "__main__":
    main()
