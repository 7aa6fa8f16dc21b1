export { Jwt } from './jwt.ts'
export { tokenRoutes } from './tokens.routes.ts'
export { TokenService } from './tokens.service.ts'
