import { isoText, momentText } from "@cm/terminal-text";
import { openWorkspaces, type WorkspaceFields } from "@cm/workspace";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { allOf } from "../objects/pages.ts";

const columns = [
  { title: "workspace", shrinks: true },
  { title: "scope" },
  { title: "folder", shrinks: true },
  { title: "user", shrinks: true },
  { title: "sessions", align: "right" },
  { title: "last activity" },
] as const;

export function workspacesCommand(run: CommandRun): Command {
  const command = new Command("workspaces").description(
    "list the workspaces of governed sessions, newest activity first",
  );
  return command.action(() =>
    run.run(command, async ({ output, open }) => {
      const workspaces = openWorkspaces({ records: await open() });
      const found = await allOf(async (page) => {
        const { workspaces: rows, next } = await workspaces.listWorkspaces(page);
        return { rows, next };
      });
      const rows: (readonly string[])[] = [];
      for (const workspace of found) {
        const sessions = await allOf(async (page) => {
          const { sessions: each, next } = await workspaces.listSessions(workspace.workspace_id, page);
          return { rows: each, next };
        });
        if (output.json)
          await output.value(
            workspaceValue(
              workspace,
              sessions.map(({ sessionId }) => sessionId),
            ),
          );
        rows.push(workspaceRow(workspace, sessions.length));
      }
      if (output.json) return undefined;
      if (rows.length === 0)
        output.note(
          "There is no workspace in this store; servers with a policy (`npx @cm/server --policy FILE`) write them.",
        );
      else await output.table(columns, rows);
      return undefined;
    }),
  );
}

const workspaceRow = (workspace: WorkspaceFields, sessions: number): readonly string[] => [
  workspace.workspace_id,
  workspace.scope,
  workspace.local_path ?? "",
  workspace.user_id,
  `${sessions}`,
  momentText(workspace.last_active_at),
];

const workspaceValue = (workspace: WorkspaceFields, sessions: readonly string[]) => ({
  ...{ workspace: workspace.workspace_id, scope: workspace.scope, folder: workspace.local_path },
  ...{ tenant: workspace.tenant_id, user: workspace.user_id, sessions },
  ...{ createdAt: isoText(workspace.created_at), lastActiveAt: isoText(workspace.last_active_at) },
});
