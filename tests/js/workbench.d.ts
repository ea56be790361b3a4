// What the workbench is given when it is built.

/** The document of the frame in which game files run. */
declare const FRAME: string;
/** The source of the workers in that frame. */
declare const RUNNER: string;
