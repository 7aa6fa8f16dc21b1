import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  Advisor,
  DawnLike,
  type Policy,
  parsePolicy,
  StrongestSignal,
  UsteerLike,
} from '../../packages/advisor/src/index.ts'

const folder = path.join(import.meta.dirname, '../../packages/advisor/policies')
const ours = (name: string) => () =>
  new Advisor(parsePolicy(JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'))))

const policies = {
  none: () => undefined,
  strongest: () => new StrongestSignal(),
  usteer: () => new UsteerLike(),
  dawn: () => new DawnLike(),
  best_experience: ours('best-experience'),
  load_balancing: ours('load-balancing'),
  lifi_first: ours('lifi-first'),
  energy_first: ours('energy-first'),
} satisfies Record<string, () => Policy | undefined>

export type PolicyName = keyof typeof policies
export const policyNames = Object.keys(policies) as PolicyName[]

export const policyOf = (name: PolicyName): Policy | undefined => policies[name]()
