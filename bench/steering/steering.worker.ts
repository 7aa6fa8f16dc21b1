/** Runs worlds in a thread, one after the other, as they are sent. */
import { parentPort } from 'node:worker_threads'
import { type Run, runOne } from './run-one.ts'

parentPort?.on('message', (run: Run) => parentPort?.postMessage(runOne(run)))
