/** The contract describes each scenario. */
export { type Scenario, scenarios } from '@manc/contract'
