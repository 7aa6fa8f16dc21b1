// Generated from the contract by `npm run docs`. Do not edit.
/** Resources with a generated list command, and their lines in the help. */
export const resources: Readonly<Record<string, string>> = {
  users: "people who manage and watch the network",
  rollouts: "changes of the configuration of many access points, in stages",
  apps: "applications that consume the platform",
  emulations: "networks of emulated access points",
  views: "saved views of the table of agents",
  clients: "end-user devices and the access points that they are attached to",
  alarms: "conditions of access points that need attention, the rules that detect them, and silences",
  decisions: "what applications decide and why, the expected and the measured effect",
  experiments: "comparisons of policies in simulated worlds",
  audit: "record of changes",
}
