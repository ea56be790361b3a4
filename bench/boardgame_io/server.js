// Dual Direction on boardgame.io: `node server.js [FOLDER]`. With a folder it stores its matches there as files.

import { createRequire } from "node:module";

const { Server, FlatFile } = createRequire(import.meta.url)("boardgame.io/server");

const POSITIONS = 11;

const DualDirection = {
  name: "dual-direction",
  setup: () => ({ position: (POSITIONS + 1) / 2 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    left: ({ G }) => {
      G.position -= 1;
    },
    right: ({ G }) => {
      G.position += 1;
    },
  },
  endIf: ({ G }) => {
    if (G.position === 1) return { winner: "0" };
    if (G.position === POSITIONS) return { winner: "1" };
  },
};

const folder = process.argv[2];
const server = Server({
  games: [DualDirection],
  origins: [],
  ...(folder ? { db: new FlatFile({ dir: folder }) } : {}),
});
const { appServer } = await server.run({ port: 0 });
console.log(`Serving at http://127.0.0.1:${appServer.address().port}/`);
