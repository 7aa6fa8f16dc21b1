import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveConsole } from './console.ts'

/** Of a name that says nothing about what is in it. */
const folder = mkdtempSync(path.join(tmpdir(), 'manc-')) + '/assets'
const app = Fastify()

beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'), { recursive: true })
  mkdirSync(path.join(folder, '.vite'))
  const files = {
    'index.html': 'first',
    'favicon.svg': '<svg/>',
    'assets/a-1.js': 'a',
    'assets/a-1.js.gz': 'z',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  writeFileSync(path.join(folder, '.vite/manifest.json'), '{}')
  await serveConsole(app, { folder })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  rmSync(path.dirname(folder), { recursive: true })
})

const get = (url: string, headers = {}) => app.inject({ url, headers })

describe('The built console', () => {
  it.each(['/', '/sign-in', '/access-points', '/access-points/a%2Fb', '/administration/users'])(
    'returns the same uncached document at %s, with a policy against external resources',
    async (url) => {
      const answer = await get(url)
      expect(answer.body).toBe('first')
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      })
      const policy = String(answer.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).not.toContain('unsafe-eval')
    },
  )

  it('returns it at every page that the router of the console has', async () => {
    const router = readFileSync(new URL('../../../console/src/app/router.tsx', import.meta.url), 'utf8')
    const routes = [...router.matchAll(/=> (?:root|inside),\n {2}path: '([^']+)'/g)].map(
      ([, found = '']) => found,
    )
    expect(routes).toContain('/access-points/$apId')
    for (const route of routes)
      expect([route, (await get(route.replace(/\$\w+/, 'a'))).body]).toEqual([route, 'first'])
  })

  it('allows map tiles from their origin only', async () => {
    const other = Fastify()
    await serveConsole(other, { folder, tileOrigin: 'https://tiles.example.org' })
    const { headers } = await other.inject('/')
    await other.close()
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("img-src 'self' data: blob: https://tiles.example.org;")
    expect(policy).toContain("connect-src 'self' https://tiles.example.org;")
    expect(policy).toContain("script-src 'self';")
  })

  it('has immutable assets with hashed names, compressed for browsers that accept it', async () => {
    const script = await get('/assets/a-1.js', { 'accept-encoding': 'gzip' })
    expect(script).toMatchObject({ statusCode: 200, body: 'z' })
    expect(script.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache')
  })

  it.each([
    '/.vite/manifest.json',
    '/assets/a-1.js.gz',
    '/assets/../index.html',
    '/..%2f..%2fetc%2fpasswd',
    '/other',
  ])('is 404 at %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })

  it('keeps serving its document when the console is rebuilt in place', async () => {
    writeFileSync(path.join(folder, 'index.html'), 'second')
    expect((await get('/')).body).toBe('first')
  })
})
