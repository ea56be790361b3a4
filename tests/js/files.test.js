import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const HERE = new URL("./", import.meta.url);
const STATIC = new URL("../../src/perfectplay/web/static/", HERE);
const SITE = new URL("../../site/", HERE);

/** The JavaScript files of a folder, and what each says. */
function scripts(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
  return new Map(names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));
}

const places = readdirSync(SITE, { withFileTypes: true }).filter((each) => each.isDirectory() && each.name !== "node_modules");
/** The scripts of the server's pages and of the site's; some have the same name in both. */
const pages = [STATIC, ...places.map(({ name }) => new URL(`${name}/`, SITE))].flatMap((folder) => [...scripts(folder)]);
const tests = scripts(HERE);

test("every script of the pages is checked by its editor too", () => {
  for (const [name, text] of pages) assert.ok(text.startsWith("// @ts-check\n"), name);
});

test("nothing is exported that no other script or test imports", () => {
  const imported = new Set();
  for (const text of [...pages.map(([, text]) => text), ...tests.values()]) {
    for (const [, names, from] of text.matchAll(/import \{([^}]*)\} from "[^"]*?([^"/]*)"/g)) {
      for (const name of names.split(",")) imported.add(`${from} ${name.trim()}`);
    }
  }
  const exported = pages.flatMap(([file, text]) =>
    [...text.matchAll(/^export (?:async )?(?:function|class|const|let) (\w+)/gm)].map(([, name]) => `${file} ${name}`),
  );
  assert.ok(exported.length > 20);
  assert.deepEqual(exported.filter((each) => !imported.has(each)), []);
});
