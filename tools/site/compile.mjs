// Compiles the modules in a zip with the Python of the browser, so that a tab need not: node tools/site/compile.mjs FROM TO

import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "../../site/node_modules/pyodide/pyodide.mjs";

const [, , from, to] = process.argv;
const python = await loadPyodide();
python.FS.writeFile("/from.zip", readFileSync(from));
python.runPython(`
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash
from zipfile import ZIP_DEFLATED, ZipFile

with ZipFile("/from.zip") as source, ZipFile("/to.zip", "w", ZIP_DEFLATED, compresslevel=9) as compiled:
    for entry in source.infolist():
        data = source.read(entry)
        if entry.filename.endswith(".py"):
            code = compile(data, entry.filename, "exec", dont_inherit=True)
            # Nothing checks whether it is newer than its source, which is not there.
            data = bytes(_code_to_hash_pyc(code, source_hash(data), False))
            entry.filename += "c"
        compiled.writestr(entry, data)
`);
writeFileSync(to, python.FS.readFile("/to.zip"));
