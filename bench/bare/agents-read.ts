/** The bare engine of `agents-read`: Fastify and pg as their documentation shows them, without auth. */
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
const app = Fastify()
const schema = {
  response: {
    200: {
      type: 'object',
      required: ['id', 'ap_id', 'configuration'],
      properties: {
        id: { type: 'string' },
        ap_id: { type: 'string' },
        configuration: { type: 'object', additionalProperties: true },
      },
    },
  },
}

app.get<{ Params: { ap_id: string } }>('/agents/:ap_id', { schema }, async (request, reply) => {
  const { rows } = await pool.query({
    name: 'agent',
    text: 'select id, ap_id, configuration from agents where ap_id = $1',
    values: [request.params.ap_id],
  })
  return rows[0] ?? reply.code(404).send({ detail: 'Agent not found' })
})

process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
