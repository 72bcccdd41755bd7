// Stands in for the module `vscode` where no editor is needed: settings, folders and extensions are what a test says, and what the
// extension asks of the editor is written down.
import { resolve } from "node:path";

/** What a test says, and what it sees. */
export const editor = { settings: {}, folders: [], active: undefined, python: undefined, answer: undefined, asked: [] };

export class Uri {
  constructor(scheme, path) {
    Object.assign(this, { scheme, path, fsPath: path });
  }
  static file = (path) => new Uri("file", resolve(path));
  static parse = (text) => new Uri(...text.split(/:(.*)/s));
  toString() {
    return `${this.scheme}:${this.path}`;
  }
}

export const workspace = {
  get workspaceFolders() {
    return editor.folders.length > 0 ? editor.folders.map((path) => ({ uri: Uri.file(path) })) : undefined;
  },
  getConfiguration: (section) => ({ get: (name, otherwise) => editor.settings[`${section}.${name}`] ?? otherwise }),
};

export const window = {
  get activeTextEditor() {
    return editor.active && { document: { uri: editor.active } };
  },
  showErrorMessage: async (...message) => {
    editor.asked.push(message);
    return editor.answer;
  },
};

export const extensions = { getExtension: (id) => (id === "ms-python.python" ? editor.python : undefined) };
export const commands = { executeCommand: async (...command) => void editor.asked.push(command) };
export const env = { openExternal: async (uri) => void editor.asked.push(uri.toString()) };
export const debug = {};

/** The Python extension, with an interpreter selected. */
export const pythonAt = (path) => ({
  isActive: true,
  exports: {
    environments: {
      getActiveEnvironmentPath: () => ({ path }),
      resolveEnvironment: async () => ({ executable: { uri: Uri.file(path) } }),
    },
  },
});
