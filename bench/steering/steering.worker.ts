/** Runs worlds in a thread, one after the other, as they are sent. */
import { parentPort } from 'node:worker_threads'
import { type NamedRun, runNamed } from '@manc/emulator/experiment'

parentPort?.on('message', (run: NamedRun) => parentPort?.postMessage(runNamed(run)))
