export { type Certificate, TestCa } from './certificates.ts'
export { TlsProxy } from './tls-proxy.ts'
