import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Nullable } from './schema.ts'

export const MapLayers = Type.Object(
  {
    tiles: Nullable(
      Type.String({
        description:
          'URL of map tiles with `{z}`, `{x}` and `{y}`, from `MANC_MAP_TILES`. Null if there are none.',
      }),
    ),
    attribution: Nullable(
      Type.String({ description: 'Of the tiles or the GeoJSON, to be shown on the map.' }),
    ),
    geojson: Nullable(
      Type.Unknown({
        description:
          'A GeoJSON `FeatureCollection` such as streets and buildings, from the file `MANC_MAP_GEOJSON`. Null if there is none.',
      }),
    ),
  },
  { title: 'MapLayers' },
)
export type MapLayers = Static<typeof MapLayers>

export const mapOperations = {
  getMapLayers: operation({
    id: 'getMapLayers',
    method: 'GET',
    path: '/api/v1/map/layers',
    tag: 'Fleet',
    summary: 'Get what a map shows below the access points',
    description:
      'The operator of the controller configures it. Without it, maps show land, borders and a grid.',
    auth: 'bearer',
    response: MapLayers,
    refusals: [401, 403, 429, 503],
  }),
}
