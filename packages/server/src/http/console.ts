import { existsSync } from 'node:fs'
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
  workerSrc: ["'self'", 'blob:'],
  manifestSrc: ["'self'"],
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
  if (!existsSync(path.join(folder, 'index.html'))) {
    app.get('/', { config: { access: 'console' } }, async (_request, reply) =>
      reply.code(404).type('text/plain; charset=utf-8').send(notBuilt),
    )
    return
  }
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
      decorateReply: true,
      // Names of built files change with what is in them.
      setHeaders: (reply, file) =>
        void reply.header(
          'cache-control',
          file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
      globIgnore: ['**/*.gz', '**/*.br', '**/index.html', '.vite/**'],
    })
    for (const page of pages) own.get(page, async (_request, reply) => reply.sendFile('index.html'))
  })
}
