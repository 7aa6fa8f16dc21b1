export { createEnrolmentModule, type EnrolmentModule } from './enrolment.module.ts'
export { type EnrolmentService, enrolmentTokenPrefix } from './enrolment.service.ts'
