import { expect, it } from 'vitest'
import { type PartMessage, parsePartMessage } from './emulation-parts.ts'

const message: PartMessage = {
  job_number: '7',
  task_type: 'emulator_spinup',
  data: {
    part: 1,
    parts: 1,
    begins_at: '2026-03-10T08:00:00.000Z',
    specs: { 2: { access_point_type: 'WiFi', num_access_points: 1, num_devices: 5, duration: 60 } },
    agents: [{ ap_id: 'emu-wifi-1', password: 'secret', spec: 2, latitude: 48, longitude: 11 }],
  },
}

it('parses a part message', () => {
  expect(parsePartMessage(JSON.stringify(message))).toEqual(message)
})

it.each([
  '',
  'null',
  '{}',
  JSON.stringify({ ...message, task_type: 'agent_data' }),
  JSON.stringify({ ...message, data: { ...message.data, begins_at: 'soon' } }),
  JSON.stringify({ ...message, data: { ...message.data, agents: [{ ap_id: 'emu-wifi-1' }] } }),
])('refuses %s', (text) => {
  expect(parsePartMessage(text)).toBeUndefined()
})
