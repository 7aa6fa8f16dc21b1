import { describe, expect, it } from 'vitest'
import { alarmFills, brand, colours } from './colours.ts'

type Triple = readonly [number, number, number]

/** Linear red, green and blue, 0 to 1, of `#rrggbb` [IEC 61966-2-1]. */
function linearOf(hex: string): Triple {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return [red, green, blue]
}

const multiply = (matrix: readonly Triple[], [x, y, z]: Triple): Triple => {
  const [a = 0, b = 0, c = 0] = matrix.map(([p, q, r]) => p * x + q * y + r * z)
  return [a, b, c]
}

/** From 1 to 21 [WCAG 2.2, contrast ratio]. */
function contrastOf(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [red, green, blue] = linearOf(hex)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/**
 * Severity 1.0, for linear values [Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
 * Deficiency, IEEE TVCG 15 (6), 2009, table 1].
 */
const deuteranopia: readonly Triple[] = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
]

type Vision = 'normal' | 'deuteranopia'

function seen(hex: string, vision: Vision): Triple {
  const linear = linearOf(hex)
  if (vision === 'normal') return linear
  const [red, green, blue] = multiply(deuteranopia, linear)
  const limited = (value: number) => Math.min(1, Math.max(0, value))
  return [limited(red), limited(green), limited(blue)]
}

/** sRGB to XYZ relative to its white, D65 [IEC 61966-2-1]. */
const toXyz: readonly Triple[] = [
  [0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339 / 1.08883, 0.119192 / 1.08883, 0.9503041 / 1.08883],
]

/** CIE L*a*b* [CIE 15:2004, 8.2.1]. */
function labOf(linear: Triple): Triple {
  const root = (value: number) =>
    value > 216 / 24_389 ? Math.cbrt(value) : ((24_389 / 27) * value + 16) / 116
  const [x, y, z] = multiply(toXyz, linear)
  return [116 * root(y) - 16, 500 * (root(x) - root(y)), 200 * (root(y) - root(z))]
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const cos = (degrees: number) => Math.cos(radians(degrees))

/** CIEDE2000 [Sharma, Wu, Dalal: The CIEDE2000 Color-Difference Formula, Color Research and Application 30 (1), 2005]. */
function deltaE([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const chromaWeight = (chroma: number) => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7))
  const g = 0.5 * (1 - chromaWeight((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2))
  const polar = (a: number, b: number) => {
    const stretched = (1 + g) * a
    const hue = (Math.atan2(b, stretched) * 180) / Math.PI
    return { chroma: Math.hypot(stretched, b), hue: (hue + 360) % 360 }
  }
  const one = polar(a1, b1)
  const two = polar(a2, b2)
  const isGrey = one.chroma * two.chroma === 0
  const turn = two.hue - one.hue
  const hueStep = isGrey ? 0 : turn - 360 * Math.round(turn / 360)
  const lightness = l2 - l1
  const chroma = two.chroma - one.chroma
  const hue = 2 * Math.sqrt(one.chroma * two.chroma) * Math.sin(radians(hueStep / 2))
  const meanL = (l1 + l2) / 2
  const meanC = (one.chroma + two.chroma) / 2
  const meanH = isGrey ? one.hue + two.hue : (one.hue + hueStep / 2 + 360) % 360
  const t =
    1 - 0.17 * cos(meanH - 30) + 0.24 * cos(2 * meanH) + 0.32 * cos(3 * meanH + 6) - 0.2 * cos(4 * meanH - 63)
  const scaledL = lightness / (1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2))
  const scaledC = chroma / (1 + 0.045 * meanC)
  const scaledH = hue / (1 + 0.015 * meanC * t)
  const rotation = -2 * chromaWeight(meanC) * Math.sin(radians(60 * Math.exp(-(((meanH - 275) / 25) ** 2))))
  return Math.sqrt(scaledL ** 2 + scaledC ** 2 + scaledH ** 2 + rotation * scaledC * scaledH)
}

/** How different two colours look; about 2 is just visible. */
const distanceOf = (one: string, other: string, vision: Vision): number =>
  deltaE(labOf(seen(one, vision)), labOf(seen(other, vision)))

/** Of text of any size, and of shapes [WCAG 2.2, 1.4.3 and 1.4.11, level AA]. */
const textContrast = 4.5
const shapeContrast = 3
/** Of two areas that are not side by side. Shapes and words differ too. */
const leastDistance: Record<Vision, number> = { normal: 15, deuteranopia: 10 }

const schemes = ['light', 'dark'] as const
const visions = ['normal', 'deuteranopia'] as const

const pairsOf = (named: Record<string, string>) => {
  const entries = Object.entries(named)
  return entries.flatMap(([one, oneColour], at) =>
    entries.slice(at + 1).map(([other, otherColour]) => ({
      name: `${one} – ${other}`,
      pair: [oneColour, otherColour] as const,
    })),
  )
}

describe.each(schemes)('in the %s scheme', (scheme) => {
  const { technology, alarm, health, load, backgrounds, dimmed } = colours[scheme]
  const action = scheme === 'light' ? brand[6] : brand[4]

  it('the shapes of technologies and healths have enough contrast on the page and on the map', () => {
    for (const [name, colour] of Object.entries({ ...technology, ...health }))
      for (const background of Object.values(backgrounds))
        expect(contrastOf(colour, background), `${name} on ${background}`).toBeGreaterThanOrEqual(
          shapeContrast,
        )
  })

  it('the texts of alarms and of less importance have enough contrast', () => {
    for (const [name, colour] of Object.entries({ ...alarm, dimmed }))
      expect(contrastOf(colour, backgrounds.page), `text of ${name}`).toBeGreaterThanOrEqual(textContrast)
    for (const [name, fill] of Object.entries(alarmFills))
      expect(contrastOf('#ffffff', fill), `white on ${name}`).toBeGreaterThanOrEqual(textContrast)
  })

  it.each(visions)('technologies, alarms and buttons look different with %s vision', (vision) => {
    expectDistinct('technology', { ...technology, ...alarm, button: action }, vision)
  })

  it.each(visions)('on the map, healths look different with %s vision', (vision) => {
    expectDistinct('health', { ...health, ...alarm }, vision)
  })

  it.each(visions)('on the map, steps of load look different with %s vision', (vision) => {
    expectDistinct('load', Object.fromEntries(load.map((colour, n) => [`step ${n}`, colour])), vision, 10)
  })

  function expectDistinct(
    what: string,
    named: Record<string, string>,
    vision: Vision,
    least = leastDistance[vision],
  ): void {
    const pairs = pairsOf(named).map(({ name, pair }) => ({ name, distance: distanceOf(...pair, vision) }))
    const lines = pairs.map(({ name, distance }) => `${name.padEnd(20)} ΔE ${distance.toFixed(1)}`)
    // oxlint-disable-next-line no-console -- the distances are documented with the output of this test
    console.info([`${what}, ${scheme}, ${vision}:`, ...lines].join('\n  '))
    for (const { name, distance } of pairs)
      expect(distance, `distance of ${name}`).toBeGreaterThanOrEqual(least)
  }
})

it('the distance is that of the published examples', () => {
  const examples = [
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
  ] as const
  for (const [one, other, expected] of examples) expect(deltaE(one, other)).toBeCloseTo(expected, 4)
})

it('the contrast of black and white is 21', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
})
