import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { licenceList, productionDependencies } from './licences.ts'
import { productionSbom } from './sbom.ts'
import { versionOf } from './versions.ts'

/** Writes SBOM, licences and OpenAPI document to `target`, and the checksums of all files that are there. */
export function writeReleaseFiles(root: string, target: string): void {
  const name = `manc-${versionOf(root)}`
  const write = (file: string, text: string) => writeFileSync(path.join(target, file), text)
  write(`${name}.sbom.json`, `${JSON.stringify(productionSbom(completeSbom(root)), undefined, 2)}\n`)
  write(`${name}.licences.txt`, licenceList(productionDependencies(root)))
  copyFileSync(path.join(root, 'docs/openapi.json'), path.join(target, `${name}.openapi.json`))
  write('SHA256SUMS', checksums(target))
}

function completeSbom(root: string) {
  const parameters = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  return JSON.parse(
    execFileSync('npm', parameters, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  )
}

/** In the format of `sha256sum --check`. */
function checksums(folder: string): string {
  const lines = readdirSync(folder).map((file) => {
    const hash = createHash('sha256').update(readFileSync(path.join(folder, file)))
    return `${hash.digest('hex')}  ${file}\n`
  })
  return lines.join('')
}
