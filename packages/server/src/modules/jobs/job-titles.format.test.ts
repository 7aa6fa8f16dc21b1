import { describe, expect, it } from 'vitest'
import { jobTitles } from './job-titles.format.ts'

describe('the title of an emulation', () => {
  it('has one number for each technology', () => {
    const specs = Array.from({ length: 100 }, (_, n) => ({ technology: n % 2 ? 'WiFi' : 'LiFi', agents: 3 }))
    expect(jobTitles.emulation(specs)).toBe('Emulate 150 LiFi, 150 WiFi')
    expect(jobTitles.emulation([{ technology: '5G', agents: 1 }])).toBe('Emulate 1 5G')
  })

  it('is short, whatever the technologies are called', () => {
    const specs = Array.from({ length: 100 }, (_, n) => ({ technology: `technology ${n}`, agents: 1 }))
    expect(jobTitles.emulation(specs).length).toBeLessThanOrEqual(161)
  })
})
