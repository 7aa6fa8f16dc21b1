import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { DecisionMode } from '@manc/sdk'
import { InvalidTlsFile, readTlsFiles, type TlsOptions } from '@manc/sdk/tls'
import { type PolicyFile, parsePolicy } from '../policy-file.ts'

const modes = ['watch', 'advise', 'act'] as const satisfies readonly DecisionMode[]
const policies = path.join(import.meta.dirname, '../../policies')

export const help = `manc-advisor: moves clients between 5G, WiFi and LiFi and puts access points to sleep, by a policy

  MANC_API_URL                      the controller, for example http://localhost:8080
  MANC_ADVISOR_APP                  name and key of an app that an administrator has registered
  MANC_ADVISOR_KEY                    for it (docs/advisor.md)
  MANC_ADVISOR_POLICY               a policy by its name, or the path of a file (best-experience)
  MANC_ADVISOR_MODE                 watch: decisions are recorded; advise: a person confirms them (the default);
                                      act: they are executed at once
  MANC_ADVISOR_EXPIRES_SECONDS      a proposal that is not answered expires after this time (300)
  MANC_ADVISOR_OPEN                 proposals that wait for an answer at a time (10)
  MANC_ADVISOR_DECISIONS_PER_HOUR   decisions within an hour (600)
  MANC_ADVISOR_ACCESS_POINTS        access points that it watches, at most 4096 (2000)
  MANC_ADVISOR_CLIENTS              clients that it reads (20000)
  MANC_CA_FILE                      trust this CA (PEM) for https, instead of those of the system
  MANC_CERT_FILE                    client certificate (PEM) for a controller that requires one,
  MANC_CLIENT_KEY_FILE                and its key

Any setting X that is required can be given as X_FILE, the path of a file with its value.
Policies: ${policyNames().join(', ')}.`

export interface Settings {
  url: string
  appName: string
  apiKey: string
  tls: TlsOptions | undefined
  policy: PolicyFile
  mode: DecisionMode
  expiresS: number
  maxOpen: number
  decisionsPerHour: number
  maxAccessPoints: number
  maxClients: number
}

export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings'
}

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const required = (name: string): string => {
    const file = environment[`${name}_FILE`]
    const value = environment[name] ?? (file && contentOf(file, `${name}_FILE`).trim())
    if (!value) throw new InvalidSettings(`Set ${name}, or ${name}_FILE to a file with its value.`)
    return value
  }
  const count = (name: string, fallback: number, [min, max]: readonly [number, number]): number => {
    const value = Number(environment[name] ?? fallback)
    if (!Number.isSafeInteger(value) || value < min || value > max)
      throw new InvalidSettings(`Set ${name} to a whole number from ${min} to ${max}.`)
    return value
  }
  return {
    url: required('MANC_API_URL'),
    appName: required('MANC_ADVISOR_APP'),
    apiKey: required('MANC_ADVISOR_KEY'),
    tls: readCertificates(environment),
    policy: readPolicy(environment['MANC_ADVISOR_POLICY'] ?? 'best-experience'),
    mode: readMode(environment['MANC_ADVISOR_MODE'] ?? 'advise'),
    expiresS: count('MANC_ADVISOR_EXPIRES_SECONDS', 300, [10, 86_400]),
    maxOpen: count('MANC_ADVISOR_OPEN', 10, [1, 100]),
    decisionsPerHour: count('MANC_ADVISOR_DECISIONS_PER_HOUR', 600, [1, 100_000]),
    maxAccessPoints: count('MANC_ADVISOR_ACCESS_POINTS', 2000, [2, 4096]),
    maxClients: count('MANC_ADVISOR_CLIENTS', 20_000, [1, 100_000]),
  }
}

function readMode(text: string): DecisionMode {
  const mode = modes.find((each) => each === text)
  if (!mode) throw new InvalidSettings(`Set MANC_ADVISOR_MODE to one of ${modes.join(', ')}.`)
  return mode
}

/** By its name, or the path of a file. */
function readPolicy(text: string): PolicyFile {
  const file = policyNames().includes(text) ? path.join(policies, `${text}.json`) : text
  try {
    return parsePolicy(JSON.parse(contentOf(file, 'MANC_ADVISOR_POLICY')))
  } catch (error) {
    if (error instanceof InvalidSettings) throw error
    throw new InvalidSettings(`MANC_ADVISOR_POLICY: ${file}: ${(error as Error).message}`)
  }
}

function policyNames(): string[] {
  return readdirSync(policies)
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .map((name) => path.basename(name, '.json'))
    .toSorted()
}

function contentOf(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new InvalidSettings(`${name} cannot be read: ${(error as Error).message}`)
  }
}

function readCertificates(environment: NodeJS.ProcessEnv): TlsOptions | undefined {
  try {
    return readTlsFiles({
      ca: environment['MANC_CA_FILE'],
      cert: environment['MANC_CERT_FILE'],
      key: environment['MANC_CLIENT_KEY_FILE'],
    })
  } catch (error) {
    throw error instanceof InvalidTlsFile ? new InvalidSettings(error.message) : error
  }
}
