import type { Content } from './notifications.types.ts'

export const testContent: Content = { groupLabels: {}, commonLabels: {}, severities: {}, alarms: [] }
