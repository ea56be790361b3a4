// How the search ranks what it finds: guides first, then the pages of games; the reference, audits and the changelog later.

const LATER = /^(api|docs\/(studies|audits|modules|mutants|crosstable))|^CHANGELOG|^examples/;

// biome-ignore lint/correctness/noUnusedVariables: Sphinx looks for it
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([page, , anchor, , score]) => score + (LATER.test(page) ? -20 : page.startsWith("games/") ? 35 : 20) + (anchor ? -2 : 0),
};
