import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import { output } from './tools.ts'

export const kubernetesFolder = path.join(import.meta.dirname, '../../deploy/kubernetes')

/** A Kubernetes resource, as far as all kinds have it in common. */
export interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> }
  [member: string]: unknown
}

const chart = path.join(kubernetesFolder, 'chart')

export const helmText = (...options: string[]): string =>
  output('helm', ['template', 'manc', chart, ...options])

export const helmResources = (...options: string[]): Resource[] => parseResources(helmText(...options))

/** What `kubectl apply -k` would apply. */
export const kustomizeResources = (folder: string): Resource[] =>
  parseResources(output('kubectl', ['kustomize', path.join(kubernetesFolder, folder)]))

export const chartFile = (name: string): string => path.join(chart, name)

const parseResources = (text: string): Resource[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null)
