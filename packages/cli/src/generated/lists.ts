// Generated from the contract by `npm run docs`. Do not edit.
import type { ListCommand } from '../list-types.ts'

export const lists: Readonly<Record<string, ListCommand>> = {
  users: {
    description: "list all users",
    read: (manc, filter: Parameters<typeof manc.users.list>[0]) => manc.users.list(filter),
    filters: [],
    columns: [
      "username",
      "roles",
    ],
  },
  apps: {
    description: "list all third-party applications, without their keys",
    read: (manc, filter: Parameters<typeof manc.apps.list>[0]) => manc.apps.list(filter),
    filters: [],
    columns: [
      "app_name",
      "id",
      "permissions",
    ],
  },
  emulations: {
    description: "list your emulations, newest first",
    read: (manc, filter: Parameters<typeof manc.emulations.list>[0]) => manc.emulations.list(filter),
    defaultLimit: 100,
    filters: [],
    columns: [
      "job_number",
      "owner",
      "agents",
      "state",
      "started_at",
      "ends_at",
    ],
  },
  audit: {
    description: "list audit entries, newest first",
    read: (manc, filter: Parameters<typeof manc.audit.list>[0]) => manc.audit.list(filter),
    defaultLimit: 100,
    filters: [
      { name: "actor", kind: "text", description: "exact name of the user, agent or application" },
      { name: "action", kind: "choice", description: "only this action", choices: ["login", "login.failed", "logout", "user.create", "user.confirm", "user.update", "user.delete", "user.reset-password", "agent.create", "agent.update", "agent.delete", "agent.send-samples", "agent.command", "agents.command", "app.create", "app.update", "app.delete", "app.read-key", "enrolment-token.create", "enrolment-token.delete", "emulator.spin-up", "emulator.stop", "keys.rotate"] },
      { name: "target", kind: "text", description: "part of the name of what was changed; case is ignored" },
      { name: "from", kind: "time", description: "changes from this time on" },
      { name: "to", kind: "time", description: "changes up to this time" },
    ],
    columns: [
      "at",
      "actor",
      "action",
      "target",
      "detail",
    ],
  },
}
