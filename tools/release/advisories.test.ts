import { describe, expect, it } from 'vitest'
import { advisoriesOf, notAssessed } from './advisories.ts'

const url = 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc'
const advisory = { name: 'fastify', severity: 'high', url }
const report = {
  vulnerabilities: {
    fastify: { via: [advisory] },
    '@fastify/websocket': { via: ['fastify', advisory] },
  },
}

describe('advisories of the registry', () => {
  it('are listed once, with their package', () => {
    expect(advisoriesOf(report)).toEqual([{ package: 'fastify', severity: 'high', url }])
    expect(advisoriesOf({ vulnerabilities: {} })).toEqual([])
  })

  it('are not known if the registry does not answer such requests', () => {
    expect(advisoriesOf({ statusCode: 405, message: '405 Method Not Allowed' })).toBeUndefined()
  })

  it('have to be assessed, by their address', () => {
    const found = advisoriesOf(report) ?? []
    expect(notAssessed(found, `| 2026-11-18 | fastify | ${url} | no | – |`)).toEqual([])
    expect(notAssessed(found, '| 2026-11-18 | fastify | another | no | – |')).toEqual(found)
  })
})
