export { Jwt } from './jwt.ts'
export { createTokensModule, type TokensModule } from './tokens.module.ts'
