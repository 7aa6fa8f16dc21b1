import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Figures, NamedRun } from '@manc/emulator/experiment'

const maxThreads = 2

/** Runs all, in as many threads as there are cores but at most two, in any order. */
export async function runAll(
  runs: readonly NamedRun[],
  onResult: (run: NamedRun, figures: Figures) => void,
): Promise<void> {
  const left = runs.toReversed()
  const threads = Math.min(maxThreads, availableParallelism(), runs.length)
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL('./steering.worker.ts', import.meta.url))
      try {
        for (let run = left.pop(); run; run = left.pop()) onResult(run, await resultOf(worker, run))
      } finally {
        await worker.terminate()
      }
    }),
  )
}

function resultOf(worker: Worker, run: NamedRun): Promise<Figures> {
  return new Promise((resolve, reject) => {
    const onMessage = (figures: Figures) => {
      worker.off('error', onError)
      resolve(figures)
    }
    const onError = (error: unknown) => {
      worker.off('message', onMessage)
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    worker.once('message', onMessage)
    worker.once('error', onError)
    worker.postMessage(run)
  })
}
