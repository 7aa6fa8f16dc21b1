import type { closeCodes } from '@manc/contract'

export type CloseReason = keyof typeof closeCodes

/** The texts of close frames, at most 123 bytes each (RFC 6455). Clients may connect again after all but `done`. */
export const closeTexts: Record<CloseReason, string> = {
  done: 'The job has ended and its result is complete.',
  jobFailed: 'The job has failed. GET /api/v1/jobs/{job_number} has the reason.',
  restart: 'This server stops. Connect again, with ?after=<seq>.',
  failed: 'Internal error. Connect again, with ?after=<seq>.',
  replaced: 'Another client reads this job now.',
  tokenEnded: 'The token has ended. Log in and connect again, with ?after=<seq>.',
  slow: 'Reading too slowly. Unread messages are kept: connect again, with ?after=<seq>.',
  idle: 'No message for a long time. Connect again when you expect one.',
  tooMany: 'Too many frames or sockets. Send less, close other sockets, and connect again later.',
  wrongMessage: 'Only {"type": "ack", "seq": <number>} is accepted here.',
}
