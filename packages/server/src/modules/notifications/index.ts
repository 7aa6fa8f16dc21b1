export { createNotificationsModule, type NotificationsModule } from './notifications.module.ts'
