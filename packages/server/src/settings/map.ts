import Type from 'typebox'

/** What maps show below the access points. */
export const mapSettings = {
  MANC_MAP_GEOJSON: Type.Optional(
    Type.String({
      description:
        'File with a GeoJSON `FeatureCollection` that maps of the console show, such as streets and buildings. At most 8 MiB. Read once, when an `api` process starts. Signed-in users can read it.',
    }),
  ),
  MANC_MAP_TILES: Type.Optional(
    Type.String({
      maxLength: 1024,
      description:
        'URL of raster map tiles of 256 pixels with `{z}`, `{x}` and `{y}`, such as `https://tiles.example.org/{z}/{x}/{y}.png`. Browsers request them from there, and the content security policy of the console allows it. None by default: the console sends no request to other hosts.',
    }),
  ),
  MANC_MAP_ATTRIBUTION: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Attribution of the tiles or the GeoJSON, shown on the map.',
    }),
  ),
}
