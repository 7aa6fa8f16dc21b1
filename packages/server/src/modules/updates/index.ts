export { UpdateConsumer } from './updates.consumer.ts'
export { updateRoutes } from './updates.routes.ts'
export { UpdateService } from './updates.service.ts'
