import assert from "node:assert/strict";
import { test } from "node:test";
import { Drafts, nameOf, thin } from "../../site/workbench/drafts.js";

/** The storage of a browser, with room for so many characters. */
class Room {
  #kept = new Map();

  constructor(room = Number.POSITIVE_INFINITY) {
    this.room = room;
  }

  get length() {
    return this.#kept.size;
  }

  key(index) {
    return [...this.#kept.keys()][index] ?? null;
  }

  getItem(key) {
    return this.#kept.get(key) ?? null;
  }

  setItem(key, text) {
    const others = [...this.#kept].filter(([each]) => each !== key);
    if (others.reduce((sum, pair) => sum + pair.join("").length, key.length + text.length) > this.room) throw new Error("QuotaExceededError");
    this.#kept.set(key, text);
  }

  removeItem(key) {
    this.#kept.delete(key);
  }
}

/** A tab: the drafts in a storage, by a clock that goes on by a second each time it is read. */
function tab(room = new Room()) {
  let time = 0;
  return new Drafts(room, () => {
    time += 1000;
    return time;
  });
}

const sample = (text) => ({ id: null, name: "Nim", text, held: false, linked: false });
const texts = (drafts) => Object.fromEntries(drafts.all().map(({ name, text }) => [name, text]));

test("an edited sample becomes a draft, which further typing changes", () => {
  const drafts = tab();
  let opened = drafts.write(sample("a"), "ab");
  opened = drafts.write(opened, "abc");
  assert.deepEqual(texts(drafts), { Nim: "abc" });
  drafts.write(sample("a"), "x"); // the same sample again, without a look at the draft
  assert.deepEqual(texts(drafts), { Nim: "abc", "Nim (2)": "x" });
});

test("a tab that does not know what another has written makes a draft of its own", () => {
  const room = new Room();
  const [one, two] = [tab(room), tab(room)];
  const first = one.write(sample(""), "start");
  const second = { ...first }; // both have it open
  one.write(first, "one");
  const own = two.write(second, "two");
  assert.deepEqual(texts(one), { Nim: "one", "Nim (2)": "two" });
  two.write(own, "two more"); // and goes on in it
  assert.deepEqual(texts(one), { Nim: "one", "Nim (2)": "two more" });
});

test("a draft that another tab has deleted comes back when somebody types in it", () => {
  const drafts = tab();
  const opened = drafts.write(sample(""), "kept");
  drafts.remove(opened.id);
  assert.deepEqual(texts(drafts), {});
  drafts.write(opened, "typed");
  assert.deepEqual(texts(drafts), { Nim: "typed" });
});

test("versions are kept once each, and go with their draft", () => {
  const drafts = tab();
  let opened = sample("");
  for (const text of ["one", "two", "one"]) {
    opened = drafts.write(opened, text);
    drafts.keepVersion(opened);
  }
  assert.deepEqual(drafts.versions(opened.id).map(({ text }) => text), ["two", "one"]);
  assert.deepEqual(JSON.parse(drafts.exportAll()).drafts.map(({ name, text, versions }) => [name, text, versions.length]), [["Nim", "one", 2]]);
  drafts.remove(opened.id);
  assert.deepEqual(drafts.versions(opened.id), []);
});

test("of many versions the recent ones stay, and of the old ones some", () => {
  const all = Array.from({ length: 1000 }, (_, i) => ({ text: `v${i}`, time: i * 1000 }));
  let left = [];
  for (const version of all) left = thin([...left, version], version.time);
  assert.equal(left.length, 50);
  const times = left.map(({ time }) => time / 1000);
  assert.deepEqual(times.slice(-5), [995, 996, 997, 998, 999]);
  assert.equal(times[0], 0);
  assert.ok(times.filter((time) => time < 800).length > 5);
  const long = all.slice(0, 40).map((version) => ({ ...version, text: "x".repeat(30_000) }));
  assert.equal(thin(long, 50_000).length, 10);
});

test("without room, versions go before any text, and what is not kept is said", () => {
  const room = new Room(3000);
  const drafts = tab(room);
  let opened = sample("");
  for (const letter of "abcdefgh") {
    opened = drafts.write(opened, letter.repeat(300));
    drafts.keepVersion(opened);
  }
  assert.equal(drafts.full, false);
  assert.ok(drafts.versions(opened.id).length < 8);
  opened = drafts.write(opened, "y".repeat(2000));
  assert.equal(drafts.full, false);
  const same = drafts.write(opened, "z".repeat(4000));
  assert.equal(drafts.full, true);
  assert.deepEqual(texts(drafts), { Nim: "y".repeat(2000) });
  drafts.write(same, "short again"); // into the same draft
  assert.equal(drafts.full, false);
  assert.deepEqual(texts(drafts), { Nim: "short again" });
});

test("a version without room takes the place of others of its draft, and of no other's", () => {
  const drafts = tab(new Room(4000));
  const other = drafts.write(sample(""), "other");
  drafts.keepVersion(other);
  let opened = sample("");
  const counts = [];
  for (const letter of "abcdefghijklmnop") {
    opened = drafts.write(opened, letter.repeat(300));
    drafts.keepVersion(opened);
    counts.push(drafts.versions(opened.id).length);
    assert.equal(drafts.versions(opened.id).at(-1).text, opened.text);
  }
  assert.ok(Math.min(...counts.slice(5)) >= 4, String(counts));
  assert.deepEqual(drafts.versions(other.id).map(({ text }) => text), ["other"]);
});

test("without storage, drafts last as long as the tab", () => {
  const drafts = new Drafts(null);
  assert.equal(drafts.lasting, false);
  drafts.write(sample(""), "x");
  assert.deepEqual(texts(drafts), { Nim: "x" });
});

test("names are those of the games, differ, and are not empty", () => {
  assert.equal(nameOf('class A:\n    title = "Nim"  # x\n', "sample"), "Nim");
  assert.equal(nameOf("title = 3", "From a link"), "From a link");
  assert.equal(nameOf(`    title = "${"x".repeat(500)}"`, "").length, 60);
  const drafts = tab();
  const [one, two] = ["a", "b"].map((text) => drafts.write(sample(""), text).id);
  drafts.rename(two, " Nim ");
  drafts.rename(one, "   ");
  assert.deepEqual(texts(drafts), { Nim: "a", "Nim (2)": "b" });
  drafts.rename(two, "Other");
  assert.deepEqual(texts(drafts), { Nim: "a", Other: "b" });
});

test("a draft from a link waits until it is released", () => {
  const drafts = tab();
  const id = drafts.add({ name: "Nim", text: "x", held: true, linked: true });
  drafts.write({ ...sample("x"), id, held: true }, "y");
  assert.equal(drafts.get(id).held, true);
  drafts.release(id);
  assert.equal(drafts.get(id).held, false);
});
