import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { securityHeaders } from './security-headers.ts'

/** Where `npm run build` leaves it. */
const consoleFolder = path.join(import.meta.dirname, '../../../console/dist')

/** The pages that the console has, all of them one document. */
const pages = [
  '/',
  '/sign-in',
  '/sign-up',
  '/recover',
  '/reset',
  '/access-points/*',
  '/compare',
  '/emulate',
  '/jobs',
  '/administration',
  '/administration/*',
  '/developers',
]

/** Nothing from outside and no inline script; the components set styles of their own elements. */
const policy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  connectSrc: ["'self'"],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  // A controller without TLS, as one tries it at home, serves its console all the same.
  upgradeInsecureRequests: null,
}

const notBuilt = 'The console is not built: run npm run build. The interface is described at /docs.\n'

/** The built console, as files. */
export async function serveConsole(app: FastifyInstance, folder = consoleFolder): Promise<void> {
  const headers = securityHeaders({ contentSecurityPolicy: { useDefaults: false, directives: policy } })
  const document = path.join(folder, 'index.html')
  if (!existsSync(document)) {
    app.get('/', { config: { access: 'console' } }, async (_request, reply) =>
      reply.code(404).type('text/plain; charset=utf-8').send(notBuilt),
    )
    return
  }
  // With the files that are there now: the document of a later build would name others.
  const page = readFileSync(document)
  const assets = path.join(folder, 'assets') + path.sep
  await app.register(async (own) => {
    own.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'console' }
    })
    own.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers)
      done()
    })
    await own.register(files, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      decorateReply: false,
      // Names of built files change with what is in them.
      setHeaders: (reply, file) =>
        void reply.header(
          'cache-control',
          file.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
      globIgnore: ['**/*.gz', '**/*.br', '**/index.html', '.vite/**'],
    })
    for (const where of pages)
      own.get(where, async (_request, reply) =>
        reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
      )
  })
}
