import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'

/** The Prometheus metrics of the process. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests = new Histogram({
    name: 'manc_http_request_duration_seconds',
    help: 'Time from the request to the end of the answer, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  })

  readonly #brokerQuestions = new Counter({
    name: 'manc_broker_questions_total',
    help: 'Questions of the broker about agents, by kind and answer',
    labelNames: ['kind', 'answer'],
    registers: [this.registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  countBrokerQuestion(kind: string, answer: 'allow' | 'deny' | 'refused' | 'unavailable'): void {
    this.#brokerQuestions.inc({ kind, answer })
  }

  observe(app: FastifyInstance): void {
    app.addHook('onResponse', (request, reply, done) => {
      const operation = request.routeOptions.config.access ?? 'unknown'
      this.#requests.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000)
      done()
    })
  }
}
