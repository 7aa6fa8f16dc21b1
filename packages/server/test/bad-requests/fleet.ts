import { noBox, noMark, noTechnology } from './items.ts'
import type { BadBody } from './shape.ts'

const bbox = ['query', 'bbox']

const wrongBoxes = [
  '',
  'here',
  '1,2,3',
  '1,2,3,4,5',
  '-181,0,0,1',
  '0,-91,1,0',
  '0,0,181,1',
  '0,0,1,91',
  '0,5,1,4',
  '0,NaN,1,1',
  '0,0,1e1,1',
  '0,0,Infinity,1',
  '0,0,,1',
  "0,0,1,1')",
]

export const wrongMarks: BadBody[] = [
  '',
  'now',
  '7',
  '7.8.9',
  '-1.5.6.all',
  '18446744073709551616.1.1.all',
  "1.1.1.'",
].map((text) => ({
  title: `the mark ${JSON.stringify(text)}`,
  query: `after=${encodeURIComponent(text)}`,
  expected: [noMark(['query', 'after'])],
}))

export const wrongFleets: BadBody[] = [
  ...wrongBoxes.map((text) => ({
    title: `the box ${JSON.stringify(text)}`,
    query: `bbox=${encodeURIComponent(text)}`,
    expected: [noBox(bbox)],
  })),
  {
    title: 'an unknown technology',
    query: 'technology=6G',
    expected: [noTechnology(['query', 'technology', 0])],
  },
  {
    title: 'an unknown technology beside a known one',
    query: 'technology=WiFi&technology=wifi',
    expected: [noTechnology(['query', 'technology', 1])],
  },
]
