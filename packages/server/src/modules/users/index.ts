export { checkedAdmin } from './bootstrap-admin.rules.ts'
export { type FirstAdminService, setupTokenPrefix } from './first-admin.service.ts'
export { createUsersModule, type UsersModule } from './users.module.ts'
export type { UserService } from './users.service.ts'
