"""Tools that rewrite, check or annotate ONNX models, as one program that speaks the worker protocol. Its first argument
names the tool.

The input of a request is the model, its output is what the tool makes of it: each is a tensor of uint8, whose elements are
the bytes of the model. A tool that makes several models of one answers with a sequence of such tensors, where a refusal may
stand in the place of a model. The model of the request itself says nothing.

A tool that is `command` is `rewriter` or `tool` and a command line, whose words `{in}` and `{out}` are replaced by the paths of two files.
"""

import importlib.metadata
import os
import subprocess
import sys
import tempfile
import traceback

from plumbline_worker import Refusal, claim_stdout, fail_to_start, serve

BYTES = "tensor(uint8)"

# How a refusal in the place of a model begins: a byte with which no model begins, and one for the kind.
KINDS = {"failed": b"\xff\x01", "limit": b"\xff\x02"}


def varint(number):
    head, rest = number & 0x7F, number >> 7
    return bytes([head | 0x80]) + varint(rest) if rest else bytes([head])


def read_varint(content, position):
    number = shift = 0
    while True:
        byte = content[position]
        position += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, position


def write_bytes(content):
    """A TensorProto of uint8 with one dimension."""
    return b"\x08" + varint(len(content)) + b"\x10\x02" + b"\x4a" + varint(len(content)) + content


def write_sequence(contents):
    """A SequenceProto of such tensors."""
    tensors = [write_bytes(content) for content in contents]
    return b"\x10\x01" + b"".join(b"\x1a" + varint(len(tensor)) + tensor for tensor in tensors)


def read_bytes(tensor):
    """The field `raw_data` of a TensorProto."""
    position, found = 0, b""
    while position < len(tensor):
        tag, position = read_varint(tensor, position)
        number, position = read_varint(tensor, position)
        if tag & 7 == 2:
            found = tensor[position : position + number] if tag >> 3 == 9 else found
            position += number
    return found


def of_command(words):
    """Runs a command, which reads a file and writes another."""

    def rewrite(model):
        with tempfile.TemporaryDirectory(prefix="plumbline-") as folder:
            source, target = os.path.join(folder, "in.onnx"), os.path.join(folder, "out.onnx")
            with open(source, "wb") as file:
                file.write(model)
            line = [word.replace("{in}", source).replace("{out}", target) for word in words]
            try:
                done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            except OSError as error:
                raise Refusal("failed", f"{line[0]}: {error.strerror}") from None
            said = done.stdout.decode(errors="replace").replace(folder + os.sep, "").strip()
            said = "\n".join(said.splitlines()[-8:])
            if done.returncode < 0:
                raise RuntimeError(f"the command ended by signal {-done.returncode}: {said}")
            if done.returncode:
                raise Refusal("failed", f"the command ended with exit status {done.returncode}: {said}")
            if not os.path.exists(target):
                raise Refusal("breaks-model", f"the command wrote no model: {said}")
            with open(target, "rb") as file:
                return file.read()

    return rewrite


def on_protos(change):
    """Makes a function of bytes from one of the package onnx's ModelProto."""
    import onnx

    return lambda model: change(onnx.load_from_string(model)).SerializeToString()


def onnxoptimizer(settings):
    import onnxoptimizer

    passes = onnxoptimizer.get_fuse_and_elimination_passes()
    known = set(onnxoptimizer.get_available_passes())
    if "pass" in settings:
        passes = [settings["pass"]]
    check_names(passes + settings["disable"], known, "a pass of onnxoptimizer")
    passes = [name for name in passes if name not in settings["disable"]]
    # Without a pass, nothing is rewritten. onnxoptimizer itself takes an empty list for all passes.
    return on_protos((lambda model: onnxoptimizer.optimize(model, passes)) if passes else lambda model: model)


def onnxsim(settings):
    import onnxsim

    skipped = list(settings["disable"])
    folds = "constant_folding" not in skipped
    skipped = [name for name in skipped if name != "constant_folding"]

    def change(model):
        return onnxsim.simplify(model, skipped_optimizers=skipped, skip_constant_folding=not folds, certify=False)[0]

    return on_protos(change)


def onnxslim(settings):
    import onnxslim
    from onnxslim.core.optimization import OptimizationSettings
    from onnxslim.core.pattern.registry import DEFAULT_FUSION_PATTERNS

    steps, patterns = OptimizationSettings.keys(), list(DEFAULT_FUSION_PATTERNS)
    check_names(settings["disable"], {*steps, *patterns}, "a step or a pattern of onnxslim")
    steps = [name for name in steps if name in settings["disable"]]
    patterns = [name for name in patterns if name in settings["disable"]]

    def change(model):
        return onnxslim.slim(model, skip_optimizations=steps or None, skip_fusion_patterns=patterns or None)

    return on_protos(change)


def onnxscript_optimizer(settings):
    from onnxscript.optimizer import optimize

    return on_protos(optimize)


def onnxscript_rewriter(settings):
    from onnxscript.rewriter import rewrite

    return on_protos(rewrite)


def operators(model):
    """The operators of the default domain in a model, also those inside of functions and of other nodes."""
    nodes, found = [*model.graph.node, *(node for function in model.functions for node in function.node)], set()
    while nodes:
        node = nodes.pop()
        if node.domain in ("", "ai.onnx"):
            found.add(node.op_type)
        graphs = [graph for attribute in node.attribute for graph in (attribute.g, *attribute.graphs)]
        nodes.extend(inner for graph in graphs for inner in graph.node)
    return found


def raising(error):
    raise error


def version_converter(settings):
    import onnx
    from onnx.version_converter import ConvertError, convert_version

    def convert(model, target):
        try:
            return convert_version(model, target)
        except (RuntimeError, ConvertError) as error:
            text = str(error)
            # The converter says what it does not convert: an operator, sparse tensors, or an attribute with this value.
            missing = ("No Adapter", "No Previous Version", "nsupported", "not supported", "cannot", "is unallowed for")
            # In opsets before 7, operators broadcast less, and only where the extents are known.
            missing += ("broadcast", "instead of an int", "is not available")
            # A value that comes at run time cannot become an attribute. An older release does not know the opset.
            missing += ("No initializer or constant input", "must be a constant", "assertInVersionRange")
            # An older opset cannot express it.
            missing += ("is not representable",)
            kind = "limit" if "must have value" in text or "must not have value" in text else "failed"
            raise Refusal("unsupported" if any(words in text for words in missing) else kind, text) from None

    newest = onnx.defs.onnx_opset_version()
    if settings.get("to") != "all":
        if settings["disable"]:
            fail_to_start("`disable` leaves out steps of to=all")
        target = settings.get("to", str(newest))
        if not target.isdigit():
            fail_to_start(f"`{target}` is not an opset: write to=13, to=all, or to=each in `conformance`")
        if int(target) > newest:
            missing = Refusal("unsupported", f"this release of onnx has no opset {target}")
            return lambda model: raising(missing)
        return on_protos(lambda model: convert(model, int(target)))

    schemas = onnx.defs.get_all_schemas_with_history()
    versions = {(schema.name, schema.since_version) for schema in schemas if not schema.domain}

    def differs(model, opset, other):
        """Whether an operator of the model has another version in the one opset than in the other, its neighbour."""
        return any((name, max(opset, other)) in versions for name in operators(model))

    def change(content):
        """The model in every opset that the converter reaches, upward and then downward, until it fails.

        Between two opsets in which each operator of the model has the same version, the converter changes the number of
        the opset only. Such an opset is left out, unless it is the last one, to which all steps lead."""
        model = onnx.load_from_string(content)
        own = next((opset.version for opset in model.opset_import if opset.domain in ("", "ai.onnx")), None)
        if own is None:
            raise Refusal("unsupported", "the model imports no opset of ONNX's default domain")
        made, limits = [], []
        for step, last in ((1, newest), (-1, 1)):
            targets = list(range(own + step, last + step, step))
            left_out = [f"{target - step}-{target}" in settings["disable"] for target in targets]
            targets = targets[: left_out.index(True)] if any(left_out) else targets
            converted = model
            for target in targets:
                if target != targets[-1] and not differs(converted, target - step, target):
                    continue
                try:
                    converted = convert(model, target)
                    made.append(converted.SerializeToString())
                except Refusal as no:
                    if no.kind == "failed":
                        return [*made, KINDS["failed"] + f"to opset {target}: {no}".encode()]
                    if no.kind == "limit":
                        limits.append(KINDS["limit"] + f"to opset {target}: {no}".encode())
                    break
        return made + limits or [content]

    return change


def ort_saved(settings):
    import onnxruntime

    levels = onnxruntime.GraphOptimizationLevel
    level = {"basic": levels.ORT_ENABLE_BASIC, "extended": levels.ORT_ENABLE_EXTENDED, "all": levels.ORT_ENABLE_ALL}
    name = settings.get("level", "basic")
    check_names([name], set(level), "a level of ort-saved")

    def start(model, level, path=None):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = level
        options.log_severity_level = 4
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        if path is not None:
            options.optimized_model_filepath = path
        onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def rewrite(model):
        with tempfile.TemporaryDirectory(prefix="plumbline-") as folder:
            path = os.path.join(folder, "out.onnx")
            try:
                start(model, level[name], path)
            except Exception as error:
                # What ONNX Runtime does not load at all, the backend `onnxruntime` finds.
                try:
                    start(model, levels.ORT_DISABLE_ALL)
                except Exception as plain:
                    raise Refusal("unsupported", f"not loaded without optimizations either: {plain}") from None
                raise Refusal("optimizer", str(error)) from None
            with open(path, "rb") as file:
                return file.read()

    return rewrite


def is_set(settings, key):
    """Whether a setting is on, which it is by default."""
    value = settings.get(key, "on")
    check_names([value], {"on", "off"}, f"a value of {key}")
    return value == "on"


def onnx_errors(error):
    """The refusal that an exception of the package onnx stands for: an operator or an IR that is newer is unsupported."""
    text = str(error)
    missing = ("No Op registered for", "is higher than the checker's", "No opset registered for domain")
    return Refusal("unsupported" if any(words in text for words in missing) else "failed", text)


def shape_inference(settings):
    from onnx import shape_inference

    strict, data = is_set(settings, "strict"), is_set(settings, "data-propagation")

    def annotate(model):
        try:
            return shape_inference.infer_shapes(model, strict_mode=strict, data_prop=data).SerializeToString()
        except shape_inference.InferenceError as error:
            raise onnx_errors(error) from None

    return annotate


def symbolic_shape_inference(settings):
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    # Where it does not get through, it writes the model into the current folder. This one lasts as long as `annotate`.
    folder = tempfile.TemporaryDirectory(prefix="plumbline-")
    os.chdir(folder.name)

    def annotate(model, _folder=folder):
        if min((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), default=7) < 7:
            raise Refusal("unsupported", "it takes models of opset 7 and newer ones only")
        try:
            inferred = SymbolicShapeInference.infer_shapes(model)
        except Exception as error:
            # It says that it has not inferred all shapes, which no text promises.
            if "Incomplete symbolic shape inference" in str(error):
                raise Refusal("unsupported", str(error)) from None
            # It asserts that types are those of tensors and sequences, and no sequences where a Loop carries them.
            place = traceback.extract_tb(error.__traceback__)[-1]
            if isinstance(error, AssertionError) and "is_sequence" in place.name + (place.line or ""):
                raise Refusal("unsupported", f"it does not take this type: {place.line}") from None
            raise
        if inferred is None:
            raise Refusal("unsupported", "it takes models with an opset of the default domain only")
        return inferred

    return on_protos(annotate)


def onnx_shape_inference(settings):
    import onnx_ir
    from onnx_shape_inference import infer_symbolic_shapes

    return on_protos(lambda model: onnx_ir.to_proto(infer_symbolic_shapes(onnx_ir.from_proto(model))))


def checker(settings):
    from onnx import checker, shape_inference

    full = is_set(settings, "full")

    def check(model):
        try:
            checker.check_model(model, full_check=full)
        except (checker.ValidationError, shape_inference.InferenceError) as error:
            raise onnx_errors(error) from None
        return model

    return check


def function_bodies(settings):
    import onnx
    from onnx import checker, shape_inference

    inline = settings.get("inline", "off")
    check_names([inline], {"on", "off"}, "a value of inline")
    try:
        from onnx.inliner import inline_local_functions
    except ImportError:  # before onnx 1.15
        if inline == "on":
            raise
        inline_local_functions = None

    domain = "bodies"

    def body_of(schema, node, opset, types):
        """The function for a node, or None."""
        fits = [version for version in schema.function_opset_versions if version <= opset]
        if fits:
            return schema.get_function_with_opset_version(max(fits))
        fits = [version for version in schema.context_dependent_function_opset_versions if version <= opset]
        if not fits:
            return None
        kinds = [types.get(name, onnx.TypeProto()).SerializeToString() for name in node.input]
        content = schema.get_context_dependent_function_with_opset_version(max(fits), node.SerializeToString(), kinds)
        return content or None

    invalid = (checker.ValidationError, shape_inference.InferenceError)

    def change(model):
        try:
            checker.check_model(model, full_check=True)
        except invalid as error:
            # What the tools say of the operator itself is not about its body.
            raise Refusal("unsupported", f"refused with the operator itself: {error}") from None
        if model.functions and inline_local_functions is not None:
            # The operator is in a function of the model's own.
            model = inline_local_functions(model)
        of_model = len(model.functions)
        types = types_of(shape_inference.infer_shapes(model).graph)
        opsets = {entry.domain: entry.version for entry in model.opset_import}
        imported = set(opsets)
        for node in model.graph.node:
            opset = opsets.get(node.domain)
            if opset is None or not onnx.defs.has(node.op_type, node.domain) or captures(node):
                continue
            schema = onnx.defs.get_schema(node.op_type, opset, node.domain)
            content = body_of(schema, node, opset, types)
            if content is None:
                continue
            body = onnx.FunctionProto.FromString(content)
            body.domain, body.name = domain, f"{node.op_type}{len(model.functions)}"
            given = {attribute.name for attribute in node.attribute}
            for name in body.attribute:
                default = schema.attributes[name].default_value if name in schema.attributes else None
                if name not in given and default is not None and default.type:
                    node.attribute.append(default)
            node.domain, node.op_type = domain, body.name
            model.functions.append(body)
            for entry in body.opset_import:
                if opsets.setdefault(entry.domain, entry.version) == entry.version and entry.domain not in imported:
                    imported.add(entry.domain)
                    model.opset_import.append(entry)
        if len(model.functions) == of_model:
            raise Refusal("unsupported", "no operator of the model is a function for these inputs and attributes")
        model.opset_import.append(onnx.helper.make_opsetid(domain, 1))
        try:
            checker.check_model(model, full_check=True)
        except invalid as error:
            # An operator that the body uses has a newer version in the opset of the model. ONNX has no body for it.
            kind = "unsupported" if "Opset import for domain" in str(error) else "breaks-model"
            raise Refusal(kind, str(error)) from None
        return inline_local_functions(model) if inline == "on" else model

    return on_protos(change)


def captures(node):
    """Whether a graph inside of a node reads values from outside, which no function can give it."""
    graphs = [graph for attribute in node.attribute for graph in (attribute.g, *attribute.graphs) if graph.node]
    return any(name and name not in defined(graph) for graph in graphs for inner in graph.node for name in inner.input)


def defined(graph):
    """The names of the values that a graph defines itself."""
    values = [*graph.input, *graph.initializer]
    return {value.name for value in values} | {name for node in graph.node for name in node.output}


def types_of(graph):
    """The type of each value of a graph, by name."""
    import onnx

    def of(tensor):
        return onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)

    found = {tensor.name: of(tensor) for tensor in graph.initializer}
    return found | {info.name: info.type for info in [*graph.value_info, *graph.output, *graph.input]}


def ort_float16(settings):
    from onnxruntime.transformers.onnx_model import OnnxModel

    def change(model):
        changed = OnnxModel(model)
        changed.convert_float_to_float16(keep_io_types=True)
        # ONNX Runtime's own tools do so when they save a model.
        changed.topological_sort()
        return changed.model

    return on_protos(change)


def ort_quantizer(settings):
    import onnx
    from onnxruntime.quantization import quantize_dynamic

    # Its shape inference writes weights into the current folder, and leaves them there.
    own = tempfile.TemporaryDirectory(prefix="plumbline-")
    os.chdir(own.name)

    def change(model, _own=own):
        with tempfile.TemporaryDirectory(prefix="plumbline-") as folder:
            path = os.path.join(folder, "out.onnx")
            quantize_dynamic(model, path)
            return onnx.load(path)

    return on_protos(change)


# Each tool with its function, and the packages that its result depends on.
TOOLS = {
    "onnxoptimizer": (onnxoptimizer, ("onnxoptimizer", "onnx")),
    "onnxsim": (onnxsim, ("onnxsim", "onnxruntime")),
    "onnxslim": (onnxslim, ("onnxslim", "onnx")),
    "onnxscript-optimizer": (onnxscript_optimizer, ("onnxscript", "onnx-ir", "onnx")),
    "onnxscript-rewriter": (onnxscript_rewriter, ("onnxscript", "onnx-ir", "onnx")),
    "version-converter": (version_converter, ("onnx",)),
    "ort-saved": (ort_saved, ("onnxruntime",)),
    "shape-inference": (shape_inference, ("onnx",)),
    "symbolic-shape-inference": (symbolic_shape_inference, ("onnxruntime", "onnx")),
    "onnx-shape-inference": (onnx_shape_inference, ("onnx-shape-inference", "onnx-ir", "onnx")),
    "checker": (checker, ("onnx",)),
    "function-bodies": (function_bodies, ("onnx",)),
    "ort-float16": (ort_float16, ("onnxruntime", "onnx")),
    "ort-quantizer": (ort_quantizer, ("onnxruntime", "onnx")),
}

# The names that begin with `tool:`, with what the tool does not promise to refuse.
UNCHECKED = {
    "function-bodies": [],
    "checker": ["values"],
    "shape-inference": ["values", "models"],
    "symbolic-shape-inference": ["values", "models"],
    "onnx-shape-inference": ["values", "models"],
}


def check_names(names, known, what):
    for name in names:
        if name not in known:
            fail_to_start(f"`{name}` is not {what}: write one of {', '.join(sorted(known))}")


def read_settings(arguments):
    """Reads `--pass NAME` and the like. `disable` is a list."""
    settings = {key.removeprefix("--"): value for key, value in zip(arguments[::2], arguments[1::2])}
    return settings | {"disable": [name for name in settings.get("disable", "").split("+") if name]}


def versions(packages, arguments):
    """The version of the tool, those of the packages that it uses, and its settings."""
    first, *others = packages
    text = [importlib.metadata.version(first), *(f"{name}-{importlib.metadata.version(name)}" for name in others)]
    pairs = [f"{key.removeprefix('--')}={value}" for key, value in zip(arguments[::2], arguments[1::2])]
    return ",".join(["+".join(text), *pairs])


def main(name, arguments):
    claim_stdout()
    if name == "command":
        base, *words = arguments
        identity, rewrite = (base, " ".join(words)), of_command(words)
    else:
        tool, packages = TOOLS[name]
        kind = "tool" if name in UNCHECKED else "rewriter"
        settings = read_settings(arguments)
        check_names([settings.get("coverage", "off")], {"on", "off"}, "a value of coverage")
        if settings.get("optimization") == "none":
            tool = lambda settings: on_protos(lambda model: model)  # noqa: E731
        try:
            identity, rewrite = (f"{kind}:{name}", versions(packages, arguments)), tool(settings)
        except ImportError as error:
            fail_to_start(str(error))

    def run(_, inputs):
        try:
            rewritten = rewrite(read_bytes(inputs[0][1]))
        except Refusal:
            raise
        except Exception as error:
            if name == "command":
                raise  # a breakdown
            while error.__cause__ is not None:
                error = error.__cause__
            kind = "unsupported" if isinstance(error, NotImplementedError) else "failed"
            raise Refusal(kind, f"{type(error).__name__}: {error}") from None
        if isinstance(rewritten, list):
            return [(f"seq({BYTES})", write_sequence(rewritten))]
        return [(BYTES, write_bytes(rewritten))]

    serve(identity[0], identity[1], run=run, profile={"accuracy": "ieee-754", "unchecked": UNCHECKED.get(name, [])})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
