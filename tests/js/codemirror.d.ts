// The editor, which is installed only where the site is built. Its types are not checked.

export const EditorState: any;
export const EditorView: any;
export const HighlightStyle: any;
export const basicSetup: any;
export const indentUnit: any;
export const indentWithTab: any;
export const keymap: any;
export const lintGutter: any;
export const python: any;
export const setDiagnostics: any;
export const syntaxHighlighting: any;
export const tags: any;
