export { enrolmentRoutes } from './enrolment.routes.ts'
export { EnrolmentService, enrolmentTokenPrefix } from './enrolment.service.ts'
export { EnrolmentStore } from './enrolment.store.ts'
