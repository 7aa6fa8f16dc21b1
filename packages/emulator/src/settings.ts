import { readFileSync } from 'node:fs'
import { InvalidTlsFile, readTlsFiles, type TlsOptions } from '@manc/sdk/tls'

export const help = `npm run emulator: runs emulated access points and experiments; start as many processes as you like

  MANC_API_URL            the controller, for example http://localhost:8080
  MANC_MQTT_URL           where its agents connect, for example mqtt://localhost:1883
  MANC_RABBITMQ_URL       the broker from which it takes parts and runs; several nodes: amqp://…@b1:5672,b2:5672
  MANC_EMULATOR_APP       name and key of an app with the scope callbacks:post,
  MANC_EMULATOR_KEY       with which it reports
  MANC_EMULATOR_PARTS     parts of up to 1,000 agents that this process runs at once (40), with 10,000 agents in all
  MANC_EMULATOR_RUNS      runs of experiments that this process executes at once, each on one core (1); 0 for none
  MANC_CA_FILE            trust this CA (PEM) for https, mqtts and amqps, instead of those of the system
  MANC_CERT_FILE          client certificate (PEM) for servers that require one,
  MANC_CLIENT_KEY_FILE    and its key

Any setting X that is required can be given as X_FILE, the path of a file with its value. npm run dev starts one.`

export interface Settings {
  url: string
  mqttUrl: string
  rabbitMqUrl: string
  tls: TlsOptions | undefined
  /** An app with the scope `callbacks:post`. */
  appName: string
  apiKey: string
  maxParts: number
  maxRuns: number
}

export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings'
}

/** Reads settings by their name. `X_FILE` may name a file with the value of `X`, for secrets. */
export function environmentValue(environment: NodeJS.ProcessEnv): (name: string) => string {
  return (name) => {
    const file = environment[`${name}_FILE`]
    const value = environment[name] ?? (file && contentOf(file, `${name}_FILE`))
    if (!value) throw new InvalidSettings(`Set ${name}, or ${name}_FILE to a file with its value.`)
    return value
  }
}

function contentOf(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new InvalidSettings(`${name} cannot be read: ${(error as Error).message}`)
  }
}

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const required = environmentValue(environment)
  const count = (name: string, fallback: number, least = 1): number => {
    const value = Number(environment[name] ?? fallback)
    if (!Number.isSafeInteger(value) || value < least)
      throw new InvalidSettings(`Set ${name} to a whole number of at least ${least}.`)
    return value
  }
  return {
    url: required('MANC_API_URL'),
    mqttUrl: required('MANC_MQTT_URL'),
    rabbitMqUrl: required('MANC_RABBITMQ_URL'),
    tls: readCertificates(environment),
    appName: required('MANC_EMULATOR_APP'),
    apiKey: required('MANC_EMULATOR_KEY'),
    maxParts: count('MANC_EMULATOR_PARTS', 40),
    maxRuns: count('MANC_EMULATOR_RUNS', 1, 0),
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
