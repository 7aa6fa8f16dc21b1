export { type Scenario, scenarios } from './scenarios.ts'
export { type Technology, technologies } from './types.ts'
