import { describe, expect, it } from 'vitest'
import { addressesOf, hostOf } from './addresses.ts'

describe('the addresses of a setting', () => {
  it.each([
    ['postgres://manc:p@db:5432/manc', ['postgres://manc:p@db:5432/manc']],
    [
      'postgres://manc:p@db1:5432,db2:5433/manc?sslmode=require',
      ['postgres://manc:p@db1:5432/manc?sslmode=require', 'postgres://manc:p@db2:5433/manc?sslmode=require'],
    ],
    ['amqp://manc:p@b1,b2,[::1]:5673', ['amqp://manc:p@b1', 'amqp://manc:p@b2', 'amqp://manc:p@[::1]:5673']],
    ['amqps://manc:p@b1/site,amqps://other:q@b2/site', ['amqps://manc:p@b1/site', 'amqps://other:q@b2/site']],
    ['http://b1:15672,b2:15672', ['http://b1:15672', 'http://b2:15672']],
    // A comma in the password or in the path does not separate hosts.
    ['postgres://manc:a,b@db1,db2/ma,nc', ['postgres://manc:a,b@db1/ma,nc', 'postgres://manc:a,b@db2/ma,nc']],
    [
      'postgres://manc:p%40q@db1,db2/manc',
      ['postgres://manc:p%40q@db1/manc', 'postgres://manc:p%40q@db2/manc'],
    ],
  ])('%s has each host once', (setting, addresses) => {
    expect(addressesOf(setting)).toEqual(addresses)
  })

  it('that are malformed stay malformed, so that the check of the settings finds them', () => {
    for (const setting of [
      'postgres://manc:p@db1:5432,/manc',
      'postgres://db1:port,db2/manc',
      'amqp://b1:5672:1,b2',
    ])
      expect(addressesOf(setting).every((address) => URL.canParse(address))).toBe(false)
  })

  it('have a form for messages without user and password', () => {
    expect(hostOf('postgres://manc:secret@db1:5432/manc')).toBe('db1:5432')
  })
})
