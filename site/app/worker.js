// @ts-check
// Python in a worker of the app's own pages. Its files come from the host once, and from the browser's cache ever after.

import { serve } from "./boot.js";
import { kept } from "./kept.js";

const ENGINE = new URL("../engine/", import.meta.url);

serve({
  load: (name) => import(new URL(name, ENGINE).href),
  file: (name) => kept(new URL(name, ENGINE).href),
});
