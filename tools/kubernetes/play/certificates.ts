import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A private CA (ca.crt) and a certificate for 127.0.0.1 (tls.crt, tls.key), as in the Secret manc-mqtt-tls. */
export function createCertificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=CA', '-keyout', 'ca.key', '-out', 'ca.crt')
  openssl('req', '-new', ...key, '-subj', '/CN=broker', '-keyout', 'tls.key', '-out', 'tls.csr')
  writeFileSync(path.join(folder, 'tls.ext'), 'subjectAltName=IP:127.0.0.1\n')
  const sign = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'tls.ext']
  openssl('x509', '-req', '-in', 'tls.csr', ...sign, '-out', 'tls.crt')
  chmodSync(path.join(folder, 'tls.key'), 0o644)
}
