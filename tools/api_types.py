"""The server's responses as types for the pages' JavaScript. `make golden` rewrites them."""

from typing import Any

from perfectplay_server.http.api import make_app
from perfectplay_server.http.responses import SCHEMAS
from perfectplay_server.settings import ServerSettings
from tools import ROOT

FILE = ROOT / "tests" / "js" / "api.d.ts"
HEAD = "// What the server says and takes, from its OpenAPI description. `make golden` writes this file.\n\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def declarations() -> str:
    """Every schema of the server as a type in the namespace `Api`."""
    schemas: Schema = make_app(ServerSettings()).openapi()["components"]["schemas"]
    types = "\n".join(
        f"  type {_name(name)} = {_type(schemas[name], '  ')};" for name in sorted(schemas, key=_name)
    )
    return f"{HEAD}declare namespace Api {{\n{types}\n}}\n"


def _name(schema: str) -> str:
    return schema.removesuffix("Schema")


def _type(schema: Schema, indent: str = "") -> str:
    """A JSON schema as a TypeScript type; KeyError for a feature that our schemas do not use yet."""
    if "$ref" in schema:
        return _name(schema["$ref"].removeprefix(SCHEMAS))
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return " | ".join(
            f'"{each}"' if isinstance(each, str) else str(each)
            for each in schema.get("enum", [schema.get("const")])
        )
    if schema["type"] == "array":
        items = _type(schema["items"])
        return f"({items})[]" if "|" in items else f"{items}[]"
    if "properties" in schema:
        return f"{{\n{_fields(schema, f'{indent}  ')}{indent}}}"
    if schema["type"] == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return PLAIN[schema["type"]]


def _fields(schema: Schema, indent: str) -> str:
    required = schema.get("required", [])
    return "".join(
        f"{indent}{name}{'' if name in required else '?'}: {_type(field, indent)};\n"
        for name, field in schema["properties"].items()
    )


if __name__ == "__main__":
    FILE.write_text(declarations())
