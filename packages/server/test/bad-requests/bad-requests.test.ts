import { type Operation, type OperationId, operations } from '@manc/contract'
import { describe, expect } from 'vitest'
import { wrongConfirmations, wrongRecoveries, wrongResets, wrongSignups } from './accounts.ts'
import { largeConfigurations, rightAgent, wrongAgentChanges, wrongAgents, wrongApIds } from './agents.ts'
import { wrongAcknowledgements, wrongAssignees, wrongComments, wrongRules } from './alarms.ts'
import { rightApp, wrongAppChanges, wrongAppNames, wrongApps } from './apps.ts'
import { wrongAuditReads } from './audit.ts'
import { wrongDecisions } from './decisions.ts'
import { derivedIds, wrongQueries } from './derived.ts'
import { wrongEnrolments } from './enrolment.ts'
import { expectNoSecrets, test as it, pathOf, type RecordingEnvironment, type Sent } from './environment.ts'
import { wrongExperiments, wrongRunReports, wrongWhatIfs } from './experiments.ts'
import { wrongFleets, wrongMarks } from './fleet.ts'
import { missing } from './items.ts'
import {
  wrongCommands,
  wrongCommandsToMany,
  wrongNumbers,
  wrongPeriods,
  wrongPosts,
  wrongSubscriptions,
} from './jobs.ts'
import { wrongPages } from './lists.ts'
import { wrongLogins } from './login.ts'
import { malformedJson } from './malformed-json.ts'
import { wrongChoices, wrongReadings } from './metrics.ts'
import { wrongNotificationRoutes, wrongReceivers } from './notifications.ts'
import { wrongPasswords, wrongSecrets } from './passwords.ts'
import { wrongLimits, wrongPeriodsOfQueries, wrongPrometheusQueries, wrongSelectors } from './prometheus.ts'
import { wrongRollouts, wrongSelections } from './rollouts.ts'
import { at, type BadBody, type BadRequest, secret } from './shape.ts'
import { wrongSilenceChanges, wrongSilences } from './silences.ts'
import { wrongUsernames } from './usernames.ts'
import { createdUsers, wrongRoles, wrongUserChanges } from './users.ts'
import { wrongViews } from './views.ts'
import { otherNamesOfJson, wrongBodies } from './whole-bodies.ts'

let environment: RecordingEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const sent = new Map<OperationId, number>()
const rightUser = { username: 'right@bad.test', password: secret('right'), roles: ['user'] }
const unknown = { username: 'unknown@bad.test', ap_id: 'unknown', app_name: 'unknown', id: 'unknown' }

describe('logging in (1) refuses', () => {
  refused(at('logIn', wrongLogins))
})

describe.each(['createUserPublic', 'createUser'] as const)('creating a user (2, 7) by %s refuses', (id) => {
  refused(at(id, createdUsers))
  refused(at(id, wrongPasswords('password', rightUser)))
  refused(at(id, wrongRoles(rightUser)))
  refused(at(id, wrongUsernames(rightUser).slice(0, 4)))
})

describe('signing up (3) refuses', () => {
  refused(at('signUp', wrongSignups))
  refused(at('signUp', wrongUsernames({ password: secret('signup') })))
  refused(at('signUp', wrongPasswords('password', { username: 'right@bad.test' })))
})

describe('confirming a sign-up refuses', () => {
  refused(at('confirmSignUp', wrongConfirmations))
  refused(at('confirmSignUp', wrongPasswords('password', { token: secret('token') })))
})

describe('requesting a reset token (4) refuses', () => {
  refused(at('recoverPassword', wrongRecoveries))
  refused(at('recoverPassword', wrongUsernames({})))
})

describe('resetting a password (5) refuses', () => {
  refused(at('resetPassword', wrongResets))
  refused(at('resetPassword', wrongPasswords('new_password', { token: secret('token') })))
})

describe('listing users (6) refuses', () => {
  refused(wrongPages('listUsers'))
})

describe('changing a user (9), existing or not, refuses', () => {
  refused(at('updateUser', wrongUserChanges, unknown))
  refused(at('updateUser', wrongPasswords('password', {}), unknown))
  refused(at('updateUser', wrongRoles({}), unknown))
})

describe.each(['createAgentPublic', 'createAgent'] as const)(
  'registering an agent (12, 13) by %s refuses',
  (id) => {
    refused(at(id, wrongAgents))
    refused(at(id, wrongApIds))
    refused(at(id, wrongSecrets('password', rightAgent)))
    refused(at(id, largeConfigurations))
  },
)

describe('changing an agent (15), existing or not, refuses', () => {
  refused(at('updateAgent', wrongAgentChanges, unknown))
  refused(at('updateAgent', wrongSecrets('password', {}), unknown))
})

describe('registering an app (17) refuses', () => {
  refused(at('createApp', wrongApps))
  refused(at('createApp', wrongAppNames))
  refused(at('createApp', wrongSecrets('api_key', rightApp)))
})

describe('listing apps refuses', () => {
  refused(wrongPages('listApps'))
})

describe('changing an app (19), existing or not, refuses', () => {
  refused(at('updateApp', wrongAppChanges, unknown))
  refused(at('updateApp', wrongSecrets('api_key', {}), unknown))
})

describe.each(['createAlarmRule', 'previewAlarmRule', 'updateAlarmRule'] as const)(
  'storing a rule of alarms by %s refuses',
  (id) => {
    refused(at(id, wrongRules, { id: 'presence.offline' }))
  },
)

describe('changing an alarm, existing or not, refuses', () => {
  refused(at('acknowledgeAlarm', wrongComments, { id: '1' }))
  refused(at('acknowledgeAlarms', wrongAcknowledgements))
  refused(at('assignAlarm', wrongAssignees, { id: '1' }))
})

describe('creating a silence refuses', () => {
  refused(at('createSilence', wrongSilences))
})

describe('changing a silence, existing or not, refuses', () => {
  refused(at('updateSilence', wrongSilenceChanges, { id: '1' }))
})

describe('creating a decision refuses', () => {
  refused(at('createDecision', wrongDecisions))
})

describe('creating an experiment refuses', () => {
  refused(at('createExperiment', wrongExperiments))
})

describe('asking what if refuses', () => {
  refused(at('createWhatIf', wrongWhatIfs))
})

describe('reporting on a run of an experiment, existing or not, refuses', () => {
  refused(at('postExperimentRun', wrongRunReports))
})

describe('saving a view refuses', () => {
  refused(at('createView', wrongViews))
})

describe('changing a view, existing or not, refuses', () => {
  refused(at('updateView', wrongViews, { id: '1' }))
})

describe('creating a receiver of notifications refuses', () => {
  refused(at('createNotificationReceiver', wrongReceivers))
})

describe.each(['createNotificationRoute', 'updateNotificationRoute'] as const)(
  'storing a route of notifications by %s refuses',
  (id) => {
    refused(at(id, wrongNotificationRoutes, { id: '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11' }))
  },
)

describe('creating an enrolment token refuses', () => {
  refused(at('createEnrolmentToken', wrongEnrolments))
})

describe('listing agents with their details (26) refuses', () => {
  refused(wrongPages('listAgentDetails'))
})

describe.each(['getAgentData', 'getAgentMetrics'] as const)(
  'reading metrics (27, 29) by %s refuses',
  (id) => {
    refused(at(id, wrongReadings))
  },
)

describe('reading chosen metrics (28) refuses', () => {
  refused(at('getAgentMultiMetricData', wrongChoices))
})

describe('a query of Prometheus as a form refuses', () => {
  refused(at('prometheusQueryForm', wrongPrometheusQueries))
  refused(at('prometheusQueryRangeForm', wrongPeriodsOfQueries))
  refused(at('prometheusSeriesForm', wrongSelectors))
  refused(at('prometheusLabelsForm', wrongLimits))
})

describe('listing the fleet refuses', () => {
  refused(at('listFleetAgents', wrongFleets))
  refused(at('getFleetTable', wrongFleets))
  refused(at('getFleetCells', wrongFleets))
})

describe('reading changes of the fleet refuses', () => {
  refused(at('getFleetChanges', wrongMarks))
})

describe('requesting data (23) refuses', () => {
  refused(at('requestAgentData', wrongPeriods))
})

describe('sending a command (24) refuses', () => {
  refused(at('sendCommand', wrongCommands))
})

describe('sending a command to several agents refuses', () => {
  refused(at('sendCommands', wrongCommandsToMany))
})

describe('previewing a rollout refuses', () => {
  refused(at('previewRollout', wrongSelections))
})

describe('creating a rollout refuses', () => {
  refused(at('createRollout', wrongRollouts))
})

describe('subscribing to agents refuses', () => {
  refused(at('subscribeAgentData', wrongSubscriptions))
})

describe.each(['postAgentDetails', 'postEmulator'] as const)('posting to %s (31, 32) refuses', (id) => {
  refused(at(id, wrongPosts))
})

describe('posting to postAgentData (30) refuses', () => {
  refused(at('postAgentData', wrongNumbers))
})

describe.each(derivedIds)('%s refuses a wrong query:', (id) => {
  refused(wrongQueries(id))
})

describe('reading the audit log refuses', () => {
  refused(at('listAudit', wrongAuditReads))
})

describe('malformed JSON is refused:', () => {
  refused(malformedJson)
})

const kindOf = (id: OperationId) =>
  id === 'sendUpdate' ? 'free form' : operations[id].tag === 'Callbacks' ? 'list' : 'fields'

/** So that nothing but the body is wrong. */
const withJobNumber =
  (id: OperationId) =>
  (body: BadBody): BadBody =>
    operations[id].tag === 'Callbacks' ? { query: 'job_number=bad', ...body } : body

const withBodies = Object.values<Operation>(operations).filter(({ body }) => body)

describe.each(withBodies.map(({ id }) => id as OperationId))('%s with any body schema refuses', (id) => {
  refused(at(id, wrongBodies(kindOf(id)).map(withJobNumber(id)), unknown))
})

describe('a body is parsed as JSON with every JSON content type:', () => {
  refused(at('recoverPassword', otherNamesOfJson([missing(['body', 'username'])])))
  refused(at('signUp', otherNamesOfJson([missing(['body', 'username']), missing(['body', 'password'])])))
})

expectNoSecrets()

describe('the suite', () => {
  it('has sent a bad request to every operation that can refuse one', () => {
    const canRefuse = Object.values<Operation>(operations).filter(
      ({ query, body, form }) => query ?? body ?? form,
    )
    expect([...sent.keys()].sort()).toEqual(canRefuse.map(({ id }) => id).sort())
  })

  it('has sent at least 120 bad requests', () => {
    const count = [...sent.values()].reduce((sum, one) => sum + one, 0)
    expect(count).toBeGreaterThanOrEqual(120)
  })
})

function refused(table: BadRequest[]): void {
  it.each(table.map((request) => [request.title, request] as const))('%s', async (_, request) => {
    const { operation, path, query } = request
    const { method, auth, tag }: Operation = operations[operation]
    sent.set(operation, (sent.get(operation) ?? 0) + 1)
    const reply = await environment.send({
      method,
      path: pathOf(operation, path) + (query === undefined ? '' : `?${query}`),
      ...(auth === 'bearer' && { token: environment.adminToken }),
      ...bodyOf(request),
    })
    const ofPrometheus = { status: 'error', errorType: 'bad_data', error: expect.any(String) }
    expect([reply.status, reply.json]).toEqual([
      422,
      { detail: request.expected, ...(tag === 'Prometheus' && ofPrometheus) },
    ])
  })
}

function bodyOf({ json, text, form, contentType }: BadBody): Pick<Sent, 'body' | 'contentType'> {
  if (form) return { body: new URLSearchParams(form) }
  if (json === undefined && text === undefined) return {}
  return { body: text ?? JSON.stringify(json), contentType: contentType ?? 'application/json' }
}
