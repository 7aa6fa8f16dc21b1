import type { StyleSpecification } from 'maplibre-gl'
import { colours, type Scheme } from '../ui/colours.ts'

const palettes = {
  light: {
    ...colours.light.backgrounds,
    border: '#c5ccd4',
    name: '#5b6472',
    halo: '#f8f9f7',
    ink: '#1c2530',
    ...colours.light.alarm,
  },
  dark: {
    ...colours.dark.backgrounds,
    border: '#34404d',
    name: '#94a0ae',
    halo: '#1a2129',
    ink: '#eef2f6',
    ...colours.dark.alarm,
  },
} as const

export type { Scheme }
export const paletteOf = (scheme: Scheme) => palettes[scheme]

/** Land, borders and place names from data that the controller serves; no external tiles. */
export function baseStyle(scheme: Scheme): StyleSpecification {
  const palette = palettes[scheme]
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: emptyCollection, attribution: 'Natural Earth, GeoNames' },
      places: { type: 'geojson', data: emptyCollection },
      grid: { type: 'geojson', data: emptyCollection },
    },
    layers: [
      {
        id: 'land',
        type: 'fill',
        source: 'countries',
        // The borders are the outline.
        paint: { 'fill-color': palette.land, 'fill-antialias': false },
      },
      {
        id: 'borders',
        type: 'line',
        source: 'countries',
        paint: { 'line-color': palette.border, 'line-width': 1 },
      },
      {
        id: 'grid',
        type: 'line',
        source: 'grid',
        paint: { 'line-color': palette.border, 'line-width': 0.6, 'line-opacity': 0.7 },
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
        paint: { 'text-color': palette.name, 'text-halo-color': palette.halo, 'text-halo-width': 1.2 },
        filter: [
          '>=',
          ['get', 'thousands'],
          ['step', ['zoom'], 4000, 3, 1500, 4, 700, 5, 250, 6, 100, 7, 50],
        ],
      },
    ],
  }
}

export const emptyCollection = { type: 'FeatureCollection' as const, features: [] }
