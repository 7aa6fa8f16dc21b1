export { Advisor } from './advisor.ts'
export { namedPolicy } from './named-policies.ts'
export { parsePolicy } from './policy-file.ts'
export type { AccessPointView, ClientView, Outcome, Policy, Proposal, View } from './view.types.ts'
