import type { StyleSpecification } from 'maplibre-gl'

const tones = {
  light: {
    sea: '#e9eef3',
    land: '#f8f9f7',
    border: '#c5ccd4',
    name: '#5b6472',
    halo: '#f8f9f7',
    ink: '#1c2530',
    trouble: '#c02626',
  },
  dark: {
    sea: '#10151b',
    land: '#1a2129',
    border: '#34404d',
    name: '#94a0ae',
    halo: '#1a2129',
    ink: '#eef2f6',
    trouble: '#ff6b6b',
  },
} as const

export type Scheme = keyof typeof tones
export const paletteOf = (scheme: Scheme) => tones[scheme]

/** A map out of nothing but what we serve: land, borders, the names of places. */
export function baseStyle(scheme: Scheme): StyleSpecification {
  const tone = tones[scheme]
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: empty, attribution: 'Natural Earth, GeoNames' },
      places: { type: 'geojson', data: empty },
      grid: { type: 'geojson', data: empty },
    },
    layers: [
      {
        id: 'land',
        type: 'fill',
        source: 'countries',
        // The borders are its edge.
        paint: { 'fill-color': tone.land, 'fill-antialias': false },
      },
      {
        id: 'borders',
        type: 'line',
        source: 'countries',
        paint: { 'line-color': tone.border, 'line-width': 1 },
      },
      {
        id: 'grid',
        type: 'line',
        source: 'grid',
        paint: { 'line-color': tone.border, 'line-width': 0.6, 'line-opacity': 0.7 },
      },
      {
        id: 'places',
        type: 'symbol',
        source: 'places',
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['sans-serif'],
          'text-size': ['interpolate', ['linear'], ['get', 'thousands'], 50, 11, 5000, 14],
          'symbol-sort-key': ['-', 0, ['get', 'thousands']],
          'text-padding': 6,
        },
        paint: { 'text-color': tone.name, 'text-halo-color': tone.halo, 'text-halo-width': 1.2 },
        filter: [
          '>=',
          ['get', 'thousands'],
          ['step', ['zoom'], 4000, 3, 1500, 4, 700, 5, 250, 6, 100, 7, 50],
        ],
      },
    ],
  }
}

export const empty = { type: 'FeatureCollection' as const, features: [] }
