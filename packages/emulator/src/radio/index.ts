export { Cell } from './cell.ts'
export { type Scenario, scenarios } from './scenarios.ts'
export { type CellOptions, type Controls, type Technology, technologies } from './types.ts'
