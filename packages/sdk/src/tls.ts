/** For programs: certificates from files. */

export { fetchWith, tlsAdvice } from './tls.node.ts'
export { tlsAdviceWith } from './tls-advice.ts'
export { InvalidTlsFile, readTlsFiles, type TlsFiles } from './tls-files.ts'
export type { TlsOptions } from './tls-options.ts'
