/** What they mean is said there. */
export { type Scenario, scenarios } from '@manc/contract'
