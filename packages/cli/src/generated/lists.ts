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
  views: {
    description: "list your views of the table of agents, and those that others share",
    read: (manc, filter: Parameters<typeof manc.views.list>[0]) => manc.views.list(filter),
    defaultLimit: 100,
    filters: [],
    columns: [
      "id",
      "name",
      "shared",
      "created_by",
      "sort",
      "order",
      "filters",
      "updated_at",
    ],
  },
  alarms: {
    description: "list alarms, newest first",
    read: (manc, filter: Parameters<typeof manc.alarms.list>[0]) => manc.alarms.list(filter),
    defaultLimit: 100,
    filters: [
      { name: "state", kind: "choice", description: "the default is open", choices: ["open", "cleared", "all"] },
      { name: "severity", kind: "choices", description: "only these severities. Can be repeated", choices: ["info", "warning", "critical"] },
      { name: "ap_id", kind: "text", description: "only alarms of this access point" },
      { name: "rule", kind: "text", description: "only alarms of the rule with this id" },
      { name: "technology", kind: "choices", description: "only these technologies. Can be repeated", choices: ["5G", "WiFi", "LiFi", "other"] },
      { name: "acknowledged", kind: "choice", description: "only alarms that are acknowledged, or that are not", choices: ["true", "false"] },
      { name: "silenced", kind: "choice", description: "only alarms that are silenced now, or that are not", choices: ["true", "false"] },
      { name: "emulated", kind: "choice", description: "emulated agents to include: own are those of your emulations, all also those of other callers. The default is own", choices: ["own", "all", "none"] },
      { name: "from", kind: "time", description: "only alarms that were open at this time or later" },
      { name: "to", kind: "time", description: "only alarms that were raised up to this time" },
    ],
    columns: [
      "id",
      "severity",
      "ap_id",
      "rule",
      "state",
      "raised_at",
      "acknowledged_by",
    ],
  },
  audit: {
    description: "list audit entries, newest first",
    read: (manc, filter: Parameters<typeof manc.audit.list>[0]) => manc.audit.list(filter),
    defaultLimit: 100,
    filters: [
      { name: "actor", kind: "text", description: "exact name of the user, agent or application" },
      { name: "action", kind: "choice", description: "only this action", choices: ["login", "login.failed", "logout", "user.create", "user.confirm", "user.update", "user.delete", "user.reset-password", "agent.create", "agent.update", "agent.delete", "agent.send-samples", "agent.command", "agents.command", "app.create", "app.update", "app.delete", "app.read-key", "enrolment-token.create", "enrolment-token.delete", "alarm.acknowledge", "alarm.assign", "alarm-rule.create", "alarm-rule.update", "alarm-rule.delete", "silence.create", "silence.update", "silence.end", "view.create", "view.update", "view.delete", "notification-receiver.create", "notification-receiver.update", "notification-receiver.delete", "notification-receiver.rotate-secret", "notification-receiver.test", "notification-route.create", "notification-route.update", "notification-route.delete", "notification-delivery.retry", "emulator.spin-up", "emulator.stop", "keys.rotate"] },
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
