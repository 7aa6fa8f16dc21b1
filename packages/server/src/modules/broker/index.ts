export { createBrokerModule } from './broker.module.ts'
