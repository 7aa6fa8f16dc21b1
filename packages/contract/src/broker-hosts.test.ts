import { describe, expect, it } from 'vitest'
import { BrokerHosts, brokerTarget } from './broker-hosts.ts'

describe('the URL of a broker', () => {
  it('has defaults for all that it leaves out', () => {
    expect(brokerTarget('amqp://broker')).toEqual({
      protocol: 'amqp',
      hostname: 'broker',
      port: 5672,
      username: 'guest',
      password: 'guest',
      vhost: '',
      heartbeat: 10,
    })
  })

  it('is read with its user, virtual host, port and parameters', () => {
    expect(brokerTarget('amqps://ma%40nc:p%2Fq@[::1]:5673/si%2Fte?heartbeat=30&frameMax=4096')).toEqual({
      protocol: 'amqps',
      hostname: '::1',
      port: 5673,
      username: 'ma@nc',
      password: 'p/q',
      vhost: 'si%2Fte',
      heartbeat: 30,
      frameMax: 4096,
    })
    expect(brokerTarget('amqps://manc:p@broker').port).toBe(5671)
  })
})

describe('the hosts of a broker', () => {
  it('are tried in turn, beginning with any of them', () => {
    const first = new Set<string>()
    for (let n = 0; n < 200; n += 1) {
      const hosts = new BrokerHosts('amqp://manc:p@b1:5672,b2:5673,b3:5674')
      const { target } = hosts
      const names = [0, 1, 2, 3].map(() => {
        const { name } = hosts
        expect(name).toBe(`${target.hostname}:${target.port}`)
        hosts.next()
        return name
      })
      first.add(names[0] ?? '')
      expect(new Set(names)).toEqual(new Set(['b1:5672', 'b2:5673', 'b3:5674']))
      expect(names[3]).toBe(names[0])
    }
    expect([...first].toSorted()).toEqual(['b1:5672', 'b2:5673', 'b3:5674'])
  })
})
