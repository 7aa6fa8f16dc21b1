import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Workload } from '../pods.ts'
import { kubernetesFolder, type Resource } from '../render.ts'
import { podman } from './podman.ts'

const groupId = 10_001

/** The Secrets of an installation: those of deploy/kubernetes/secrets, and the one of CloudNativePG. */
export class Secrets {
  readonly #secrets = new Map<string, Record<string, string>>()

  constructor() {
    const text = execFileSync(path.join(kubernetesFolder, 'secrets'), { encoding: 'utf8' })
    for (const document of parseAllDocuments(text)) {
      const { metadata, stringData } = document.toJS() as Resource & { stringData: Record<string, string> }
      this.#secrets.set(metadata.name, stringData)
    }
    const password = randomBytes(16).toString('hex')
    this.#secrets.set('manc-postgres-app', {
      uri: `postgresql://manc:${password}@manc-postgres-rw:5432/postgres`,
    })
  }

  get(name: string, key: string): string {
    const value = this.#secrets.get(name)?.[key]
    if (value === undefined) throw new Error(`There is no Secret ${name} with the key ${key}.`)
    return value
  }

  get names(): string[] {
    return [...this.#secrets.keys()]
  }

  /** Without their values: podman requires the Secrets, but takes the values from the volumes below. */
  get resources(): Resource[] {
    return this.names.map((name) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } }))
  }

  /**
   * The volumes of the pods as the kubelet makes them. podman 4 neither decodes values nor applies `items`, but uses an
   * existing volume with the name of the Secret.
   */
  createVolumes({ pod }: Workload): void {
    for (const { secret } of pod.volumes ?? []) {
      if (!secret) continue
      const { secretName, items } = secret
      podman(['volume', 'create', secretName])
      const folder = podman(['volume', 'inspect', secretName, '--format', '{{.Mountpoint}}'])
      for (const { key, path: name } of items) {
        const file = path.join(folder, name)
        writeFileSync(file, this.get(secretName, key), { mode: 0o440 })
        chownSync(file, 0, groupId)
      }
    }
  }
}
