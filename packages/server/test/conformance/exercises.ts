import type { Exercise } from './exercise.ts'
import { agentAndAppExercises } from './exercises-agents-and-apps.ts'
import { networkExercises } from './exercises-network.ts'
import { userExercises } from './exercises-users.ts'

/** By the number of the operation. */
export const exercises: Record<number, Exercise> = {
  ...userExercises,
  ...agentAndAppExercises,
  ...networkExercises,
}
