"""
Writes src/manc/models.py from docs/openapi.json with datamodel-code-generator.

With --check it writes nothing, and fails if the file is out of date.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent
DOCUMENT = FOLDER.parent.parent / "docs" / "openapi.json"
OUTPUT = FOLDER / "src" / "manc" / "models.py"
HEADER = '''# Generated from docs/openapi.json by `npm run python -- models`. Do not edit.
"""Requests and responses. Values that a later version of the controller adds to a list of texts are accepted."""
'''

BOUNDS = {
    "const",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maximum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minimum",
    "minItems",
    "minLength",
    "pattern",
    "uniqueItems",
}

# Members that are left out of the text of a model, which is printed and logged. A fixed list of texts is no secret.
SECRETS = re.compile(
    r"^(    (?:\w+_)?(?:password|secret|token|api_key): (?!.*Literal)[^=\n]+?)(?: = (None))?$", re.MULTILINE
)
# A line of each model. The next one leaves inputs, such as passwords, out of the text of a ValidationError.
POPULATED = "        populate_by_name=True,\n"

OPTIONS = [
    "--input-file-type=openapi",
    "--output-model-type=pydantic_v2.BaseModel",
    "--target-python-version=3.10",
    "--use-standard-collections",
    "--use-union-operator",
    "--enum-field-as-literal=all",
    "--use-schema-description",
    "--use-field-description",
    "--output-datetime-class=datetime",
    "--allow-population-by-field-name",
    "--collapse-root-models",
    "--use-double-quotes",
    "--formatters=black",
    "--disable-timestamp",
    "--custom-file-header=# generated",
]


def relaxed(schema: Any) -> Any:
    """
    The schema as a client needs it: the controller checks bounds, and may add values to lists of texts.

    Ids stay texts, because paths and queries need texts.
    """
    if isinstance(schema, list):
        return [relaxed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "properties" in schema:
        # The keys of `properties` are names, not keywords.
        properties = {name: relaxed(each) for name, each in schema["properties"].items()}
        rest = relaxed({key: value for key, value in schema.items() if key != "properties"})
        return {**rest, "properties": properties}
    kept = {key: relaxed(value) for key, value in schema.items() if key not in BOUNDS and key != "required"}
    if "required" in schema:
        kept["required"] = schema["required"]
    if kept.get("format") in ("uuid", "email"):
        del kept["format"]
    if "enum" in kept and kept.get("type") == "string":
        options = {"type": kept.pop("type"), "enum": kept.pop("enum")}
        kept["anyOf"] = [options, {"type": "string"}]
    return kept


def generated() -> str:
    """The text of the module."""
    document = json.loads(DOCUMENT.read_text("utf-8"))
    schemas = {name: relaxed(schema) for name, schema in document["components"]["schemas"].items()}
    only_schemas = {
        "openapi": document["openapi"],
        "info": document["info"],
        "paths": {},
        "components": {"schemas": schemas},
    }
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "openapi.json"), Path(folder, "models.py")
        source.write_text(json.dumps(only_schemas), "utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", f"--input={source}", f"--output={target}"]
        subprocess.run([*command, *OPTIONS], check=True)
        code = target.read_text("utf-8").removeprefix("# generated").lstrip()
    code = SECRETS.sub(lambda found: f"{found[1]} = Field({found[2] or '...'}, repr=False)", code)
    code = code.replace(POPULATED, f"{POPULATED}        hide_input_in_errors=True,\n")
    return f"{HEADER}\n{code}"


def main() -> int:
    """Writes or checks the file; the result is the exit status."""
    text = generated()
    if OUTPUT.exists() and OUTPUT.read_text("utf-8") == text:
        return 0
    if "--check" in sys.argv[1:]:
        print(f"{OUTPUT.relative_to(FOLDER.parent.parent)} is out of date: run npm run python -- models.")
        return 1
    OUTPUT.write_text(text, "utf-8")
    print(f"wrote {OUTPUT.relative_to(FOLDER.parent.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
