import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type AlarmRule, builtinRules } from '@manc/contract'
import { kpiNames, kpis } from '@manc/contract/kpis'
import { call } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { vmalertProgram } from '@manc/harness/vmalert-process'
import { expect } from 'vitest'

it('every KPI with thresholds has two built-in rules, whose alarms are cleared at a better value', () => {
  for (const name of kpiNames) {
    const own = builtinRules.filter(({ metric }) => metric === name)
    expect(own.map(({ severity }) => severity)).toEqual(kpis[name].thresholds ? ['warning', 'critical'] : [])
    for (const { op, threshold, clearThreshold } of own) {
      const isBetter = op === '>=' ? clearThreshold! < threshold! : clearThreshold! > threshold!
      expect([name, isBetter]).toEqual([name, true])
    }
  }
})

it('vmalert accepts the rules of the internal listener, with names and expressions of any characters', async ({
  environment,
}) => {
  for (const metric of ['expression', 'clients'])
    await environment.request('POST', '/api/v1/alarm_rules', {
      name: `"quotes" {{ $value }} 'and' \n: - # ${metric}`,
      severity: 'info',
      metric,
      raise_op: '<=',
      raise_threshold: -1.5e-9,
      clear_threshold: 1e9,
      ap_ids: ['hall-*', 'a_b:c'],
      ...(metric === 'expression' && {
        expr: 'sum by (ap_id) (rate({__name__=~"throughput_.*"}[5m])) # "comment"',
      }),
    })
  const { status, body } = await call(environment.server.internalUrl, 'GET', '/alarms/rules.yml')
  expect(status).toBe(200)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const rules = JSON.parse(text).groups[0].rules as { expr: string; labels?: { rule_id: string } }[]
  const idsOf = ({ expr, labels }: (typeof rules)[number]) =>
    labels ? [labels.rule_id] : [...expr.matchAll(/"rule_id", "([^"]+)"/g)].map(([, id = '']) => id)
  const { body: all } = await environment.request('GET', '/api/v1/alarm_rules')
  // Without the one of presence. Those of one KPI are evaluated together.
  expect(rules.flatMap(idsOf).toSorted()).toEqual(
    (all as AlarmRule[])
      .filter(({ metric }) => metric !== 'presence')
      .map(({ id }) => id)
      .toSorted(),
  )
  const kpisWithRules = kpiNames.filter((name) => kpis[name].thresholds)
  expect(rules).toHaveLength(kpisWithRules.length + 1 + 2)
  // An alert for each agent of the fleet would be sent otherwise.
  expect(rules.filter(({ expr }) => expr.includes('"hall-.*|a_b:c"'))).toHaveLength(2)
  const ofClients = rules.filter(({ expr }) => expr.includes('unless on (ap_id)')).flatMap(idsOf)
  expect(ofClients).toEqual(['signal_quality.bad', 'signal_quality.degraded'])
  const folder = mkdtempSync(path.join(tmpdir(), 'manc-rules-'))
  try {
    const file = path.join(folder, 'rules.yml')
    writeFileSync(file, text)
    // Fails with what vmalert says.
    execFileSync(vmalertProgram(), ['-dryRun', `-rule=${file}`], { stdio: 'pipe' })
    writeFileSync(file, text.replaceAll('last_over_time', 'no_such_function'))
    expect(() => execFileSync(vmalertProgram(), ['-dryRun', `-rule=${file}`], { stdio: 'pipe' })).toThrow(
      'no_such_function',
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
