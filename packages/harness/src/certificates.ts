import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A certificate and its key, in files and as PEM. */
export interface Certificate {
  certFile: string
  keyFile: string
  cert: string
  key: string
}

/** A private CA, made with openssl as operators make one. */
export class TestCa {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'manc-ca-'))
  readonly file = path.join(this.folder, 'ca.pem')
  readonly #keyFile = path.join(this.folder, 'ca-key.pem')

  constructor(name = 'MANC test CA') {
    this.#openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      this.#keyFile,
      '-out',
      this.file,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    )
  }

  get pem(): string {
    return readFileSync(this.file, 'utf8')
  }

  /** For a server: its names, for example `DNS:localhost,IP:127.0.0.1`. */
  issue(name: string, subjectAltName = `DNS:${name}`): Certificate {
    const certFile = path.join(this.folder, `${name}.pem`)
    const keyFile = path.join(this.folder, `${name}-key.pem`)
    const request = path.join(this.folder, `${name}.csr`)
    const extensions = path.join(this.folder, `${name}.ext`)
    writeFileSync(extensions, `subjectAltName=${subjectAltName}\n`)
    this.#openssl('req', ...newKey, '-keyout', keyFile, '-out', request, '-subj', `/CN=${name}`)
    const signer = ['-CA', this.file, '-CAkey', this.#keyFile, '-CAcreateserial']
    this.#openssl(
      'x509',
      '-req',
      '-in',
      request,
      ...signer,
      '-days',
      '2',
      '-extfile',
      extensions,
      '-out',
      certFile,
    )
    return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #openssl(...args: string[]): void {
    execFileSync('openssl', args, { stdio: 'pipe' })
  }
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
