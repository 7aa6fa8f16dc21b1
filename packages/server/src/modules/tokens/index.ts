export { Jwt } from './jwt.format.ts'
export { createTokensModule, type TokensModule } from './tokens.module.ts'
