import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { openApiDocument } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'

/** No external resources and no inline scripts. The page sets inline styles. */
const policy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** Serves the OpenAPI document and a page to read and try it, without external resources. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  const document = openApiDocument() as unknown as OpenAPIV3.Document
  // Encoded once: it has hundreds of kilobytes, and anyone may request it.
  const content = Buffer.from(JSON.stringify(document))
  app.get('/openapi.json', { config: { access: 'openapi' } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(content),
  )
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'docs' }
    })
    await pages.register(swagger, { mode: 'static', specification: { document } })
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: policy,
      uiConfig: { url: '/openapi.json', validatorUrl: null, deepLinking: true, persistAuthorization: false },
    })
  })
}
