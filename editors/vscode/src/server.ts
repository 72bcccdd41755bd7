import { commands, type Disposable, type LogOutputChannel, window, workspace } from "vscode";
import { CancellationToken, LanguageClient, type ShowDocumentResult, State } from "vscode-languageclient/node";
import { folders } from "./folders";
import { sayMissing } from "./missing";
import { showPage } from "./page";
import { findProgram, NotFound } from "./program";

/** The language server, which is `depyf lsp`: at most one of them runs at a time. */
export class Server implements Disposable {
  private client: LanguageClient | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly log: LogOutputChannel) {}

  /** The client of the server that runs; undefined for none. */
  get running(): LanguageClient | undefined {
    return this.client?.isRunning() ? this.client : undefined;
  }

  /** Starts the server anew, with the settings of now. Calls are worked off one after the other. */
  restart(): Promise<void> {
    this.last = this.last.then(async () => {
      await this.end();
      await this.begin();
    });
    return this.last;
  }

  /** Ends the server. */
  stop(): Promise<void> {
    this.last = this.last.then(() => this.end());
    return this.last;
  }

  dispose(): void {
    void this.stop();
  }

  private async begin(): Promise<void> {
    const where = folders();
    if (where.length === 0) {
      this.log.info("no folder is open, so there is nowhere to look for dumps");
      return;
    }
    try {
      const program = await findProgram();
      const args = [...program.args, "lsp", ...where];
      this.log.info([program.command, ...args].join(" "));
      this.client = this.clientOf(program.command, args);
      this.client.onDidChangeState(({ newState }) => commands.executeCommand("setContext", "depyf.running", newState === State.Running));
      await this.client.start();
    } catch (error) {
      if (error instanceof NotFound) {
        this.log.error(`depyf was not found:\n${error.message}`);
        void sayMissing(error);
      } else {
        this.log.error(`the server did not start: ${String(error)}`);
        void window.showErrorMessage(`depyf: the server did not start: ${String(error)}`);
      }
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.log.warn(`the server did not end in order: ${String(error)}`);
    }
  }

  private clientOf(command: string, args: string[]): LanguageClient {
    return new LanguageClient(
      "depyf",
      "depyf",
      { command, args },
      {
        documentSelector: [{ scheme: "file", language: "python" }],
        outputChannel: this.log,
        initializationOptions: { definition: workspace.getConfiguration("depyf").get("definition", false) },
        middleware: {
          window: {
            // What the server wants shown outside of the editor is a page of the dump. A browser may be on another machine.
            showDocument: async (params, next) => {
              if (params.external === true) {
                await showPage(params.uri);
                return { success: true };
              }
              return (await next(params, CancellationToken.None)) as ShowDocumentResult; // the client's own handler does not fail
            },
          },
        },
      },
    );
  }
}
