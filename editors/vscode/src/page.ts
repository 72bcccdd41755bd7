import { env, Uri, ViewColumn, type WebviewPanel, window, workspace } from "vscode";

/** Shows a page of the dump in a tab. A browser would not do: the files may be on another machine than it. */
export async function showPage(uri: string): Promise<void> {
  const panel = window.createWebviewPanel("depyf.page", "depyf", ViewColumn.Active, { enableScripts: true, enableFindWidget: true, retainContextWhenHidden: true });
  let page = Uri.parse(uri);
  panel.webview.onDidReceiveMessage(async (link: string) => {
    const to = /^[a-z]+:/.test(link) ? Uri.parse(link) : Uri.joinPath(page, "..", decodeURIComponent(link.replace(/[?#].*/, "")));
    if (to.scheme !== "file") {
      await env.openExternal(to);
    } else if (to.path.endsWith(".html")) {
      page = to;
      await load(panel, page);
    } else {
      await window.showTextDocument(to, { viewColumn: ViewColumn.Beside });
    }
  });
  await load(panel, page);
}

async function load(panel: WebviewPanel, page: Uri): Promise<void> {
  panel.title = page.path.split("/").slice(-2).join("/");
  panel.webview.html = frame(new TextDecoder().decode(await workspace.fs.readFile(page)));
}

/**
 * The page in a frame of its own. Links within it change its fragment, for which the page opens what is folded; left to the editor, they
 * would only scroll, and left to the frame, lead to the address of the tab. Links that lead out of it are told to the extension.
 */
function frame(html: string): string {
  const quoted = html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!DOCTYPE html>
<style>html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100vh; display: block; background: white }</style>
<iframe srcdoc="${quoted}"></iframe>
<script>
const editor = acquireVsCodeApi();
const inner = document.querySelector("iframe");
inner.addEventListener("load", () => inner.contentDocument.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]")?.getAttribute("href");
  if (!link) {
    return;
  }
  event.preventDefault();
  if (link.startsWith("#")) {
    inner.contentWindow.location.hash = link;
  } else {
    editor.postMessage(link);
  }
}));
</script>`;
}
