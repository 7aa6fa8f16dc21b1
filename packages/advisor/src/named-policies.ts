import type { SteeringPolicyName } from '@manc/contract'
import bestExperience from '../policies/best-experience.json' with { type: 'json' }
import energyFirst from '../policies/energy-first.json' with { type: 'json' }
import lifiFirst from '../policies/lifi-first.json' with { type: 'json' }
import loadBalancing from '../policies/load-balancing.json' with { type: 'json' }
import { Advisor } from './advisor.ts'
import { DawnLike } from './baselines/dawn-like.ts'
import { StrongestSignal } from './baselines/strongest-signal.ts'
import { UsteerLike } from './baselines/usteer-like.ts'
import { parsePolicy } from './policy-file.ts'
import type { Policy } from './view.types.ts'

const ours = (file: unknown) => () => new Advisor(parsePolicy(file))

const policies: Record<SteeringPolicyName, () => Policy | undefined> = {
  none: () => undefined,
  strongest: () => new StrongestSignal(),
  usteer: () => new UsteerLike(),
  dawn: () => new DawnLike(),
  'best-experience': ours(bestExperience),
  'load-balancing': ours(loadBalancing),
  'lifi-first': ours(lifiFirst),
  'energy-first': ours(energyFirst),
}

/** A new instance: policies remember what they have seen. Undefined where clients decide by themselves. */
export const namedPolicy = (name: SteeringPolicyName): Policy | undefined => policies[name]()
