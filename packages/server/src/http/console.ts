import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { securityHeaders } from './security-headers.ts'

/** The output of `npm run build`. */
const consoleFolder = path.join(import.meta.dirname, '../../../console/dist')

/** Paths of the single-page console; all return the same document. */
const pages = [
  '/',
  '/sign-in',
  '/sign-up',
  '/confirm',
  '/recover',
  '/reset',
  '/access-points',
  '/access-points/*',
  '/clients',
  '/clients/*',
  '/compare',
  '/alarms',
  '/alarms/*',
  '/events',
  '/decisions',
  '/experiments',
  '/emulate',
  '/jobs',
  '/account',
  '/administration',
  '/administration/*',
  '/developers',
]

/** No external resources but map tiles where they are configured, and no inline scripts. Components set inline styles. */
const policyWith = (tiles: readonly string[]) => ({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:', ...tiles],
  connectSrc: ["'self'", ...tiles],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  // The console must also work over plain HTTP.
  upgradeInsecureRequests: null,
})

const notBuilt = 'The console is not built: run npm run build. The API is described at /docs.\n'

interface ConsoleOptions {
  folder?: string
  /** Browsers may load map tiles from there. */
  tileOrigin?: string | undefined
}

/** Serves the files of the built console. */
export async function serveConsole(app: FastifyInstance, options: ConsoleOptions = {}): Promise<void> {
  const { folder = consoleFolder, tileOrigin } = options
  const directives = policyWith(tileOrigin === undefined ? [] : [tileOrigin])
  const headers = securityHeaders({ contentSecurityPolicy: { useDefaults: false, directives } })
  const document = path.join(folder, 'index.html')
  if (!existsSync(document)) {
    app.get('/', { config: { access: 'console' } }, async (_request, reply) =>
      reply.code(404).type('text/plain; charset=utf-8').send(notBuilt),
    )
    return
  }
  // Read once: the document of a later build names other files.
  const page = readFileSync(document)
  const assets = path.join(folder, 'assets') + path.sep
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'console' }
    })
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers)
      done()
    })
    await scope.register(files, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      decorateReply: false,
      // The names of built files contain a hash of their content.
      setHeaders: (reply, file) =>
        void reply.header(
          'cache-control',
          file.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
      globIgnore: ['**/*.gz', '**/*.br', '**/index.html', '.vite/**'],
    })
    for (const where of pages)
      scope.get(where, async (_request, reply) =>
        reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
      )
  })
}
