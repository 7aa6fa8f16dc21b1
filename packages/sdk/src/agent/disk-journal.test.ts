import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DiskJournal } from './disk-journal.ts'
import { SampleBuffer } from './sample-buffer.ts'

let folder: string
const troubles: unknown[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-journal-'))
  troubles.length = 0
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const text = (n: number) => JSON.stringify({ ts: n, payload: { n, padding: 'x'.repeat(100) } })

const open = (bytes = 1_000_000) =>
  new SampleBuffer(bytes, new DiskJournal(folder, bytes, (error) => troubles.push(error)))

const numbers = (keep: SampleBuffer) =>
  keep.oldest(Number.MAX_SAFE_INTEGER, 100_000).map((kept) => JSON.parse(kept.text).ts as number)

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

const sizeOnDisk = () =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)

it('gives back what was not acknowledged, in order, without having been closed', () => {
  const keep = open()
  for (const n of range(0, 3000)) keep.add(text(n))
  keep.acknowledged(keep.oldest(50_000, 100))
  keep.acknowledged(keep.oldest(50_000, 100))
  const again = open()
  expect(numbers(again)).toEqual(range(200, 3000))
  again.add(text(3000))
  again.acknowledged(again.oldest(Number.MAX_SAFE_INTEGER, 2000))
  expect(numbers(open())).toEqual(range(2200, 3001))
  expect(troubles).toEqual([])
})

it('leaves nothing behind when everything was acknowledged', () => {
  const keep = open()
  for (const n of range(0, 3000)) keep.add(text(n))
  keep.acknowledged(keep.oldest(Number.MAX_SAFE_INTEGER, 3000))
  expect([keep.waiting, sizeOnDisk()]).toEqual([0, 0])
  keep.add(text(3000))
  expect(numbers(open())).toEqual([3000])
  keep.acknowledged(keep.oldest(1, 1))
  keep.close()
  expect(readdirSync(folder)).toEqual([])
})

it.each(['+', '+4', '+41', '+41 ', '+41 {"ts":41,"pay', '-4'])('leaves a torn last line out: %s', (torn) => {
  const keep = open()
  for (const n of range(0, 10)) keep.add(text(n))
  const [file = ''] = readdirSync(folder)
  appendFileSync(path.join(folder, file), torn)
  const again = open()
  again.add(text(10))
  expect(numbers(open())).toEqual(range(0, 11))
})

it('leaves out what is no sample', () => {
  const keep = open()
  keep.add(text(0))
  const [file = ''] = readdirSync(folder)
  appendFileSync(path.join(folder, file), '\0\0\0\0\n+7 {"ts":\n\n')
  keep.add(text(1))
  expect(numbers(open())).toEqual([0, 1])
})

it('keeps to its bound on the disk too, also with what it finds', () => {
  const keep = open(200_000)
  const sizes = range(0, 5000).map((n) => {
    keep.add(text(n))
    return n % 100 === 0 ? sizeOnDisk() : 0
  })
  expect(Math.max(...sizes)).toBeLessThan(300_000)
  expect(keep.waiting + keep.dropped).toBe(5000)
  expect(numbers(keep)).toEqual(range(keep.dropped, 5000))
  const smaller = open(100_000)
  expect(smaller.waiting).toBeLessThan(keep.waiting)
  expect(numbers(smaller).at(-1)).toBe(4999)
  expect(sizeOnDisk()).toBeLessThan(150_000)
})

it('does not count as dropped what was on its way and has arrived', () => {
  const keep = open(10_000)
  for (const n of range(0, 20)) keep.add(text(n))
  const batch = keep.oldest(Number.MAX_SAFE_INTEGER, 10)
  for (const n of range(20, 100)) keep.add(text(n))
  expect(keep.dropped).toBeGreaterThan(10)
  const before = keep.dropped
  keep.acknowledged(batch)
  expect(keep.dropped).toBe(before - 10)
})

it('goes on in memory when the disk fails, and on disk again when it works', () => {
  const keep = open(40_000)
  keep.add(text(0))
  rmSync(folder, { recursive: true })
  for (const n of range(1, 100)) keep.add(text(n))
  expect(troubles.length).toBeGreaterThan(0)
  expect([keep.isOnDisk, keep.waiting]).toEqual([false, 100])
  mkdirSync(folder)
  keep.add(text(100))
  expect([keep.isOnDisk, keep.waiting]).toEqual([true, 101])
  expect(numbers(open())).toEqual([100])
})

it('tells when the folder cannot be used', () => {
  const file = path.join(folder, 'a-file')
  appendFileSync(file, '')
  chmodSync(file, 0o400)
  expect(() => new DiskJournal(file, 1000, () => {})).toThrow('EEXIST')
})
