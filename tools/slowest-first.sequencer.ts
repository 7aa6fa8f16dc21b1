import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These take more than a minute. Started last, they would run while the other workers have nothing left to do. */
const slowest = [
  'tools/new/new-operation.test.ts',
  'packages/server/test/emulations/atomicity.test.ts',
  'examples/test/sleep-and-handover.test.ts',
  'packages/server/test/jobs/slow-clients.test.ts',
  'packages/agent/test/reference-agent.test.ts',
  'packages/agent/test/gateway.test.ts',
  'packages/sdk/test/resume.test.ts',
  'packages/emulator/test/emulator.test.ts',
  'tools/engines/lifetime.test.ts',
  'packages/cli/test/transcripts.test.ts',
]

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowest.findIndex((file) => moduleId.endsWith(file))
      return index === -1 ? slowest.length : index
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
