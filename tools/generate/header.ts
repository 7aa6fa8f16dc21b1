/** First line of every generated source file. */
export const header = '// Generated from the contract by `npm run docs`. Do not edit.'
