/** Builds dashboards in Grafana's JSON format from short definitions. */

export interface Panel {
  title: string
  /** What it means and what to do about a bad value. */
  description: string
  /** Unit id of Grafana, for example `s`, `bytes`, `reqps`, `percentunit`, `short`. */
  unit: string
  /** PromQL expression and legend of each series. */
  series: readonly { expr: string; legend: string }[]
  kind?: 'timeseries' | 'stat'
}

export interface Dashboard {
  uid: string
  title: string
  description: string
  rows: readonly { title: string; panels: readonly Panel[] }[]
}

interface Link {
  title: string
  url: string
}

const width = 24
const height = { timeseries: 8, stat: 4 }
const datasource = { type: 'prometheus', uid: '${datasource}' }

/** Dashboards of the engines, by their makers. */
const engineLinks: readonly Link[] = [
  { title: 'RabbitMQ overview', url: 'https://grafana.com/grafana/dashboards/10991' },
  { title: 'PostgreSQL', url: 'https://grafana.com/grafana/dashboards/9628' },
  { title: 'VictoriaMetrics', url: 'https://grafana.com/grafana/dashboards/10229' },
]

export function toGrafana({ uid, title, description, rows }: Dashboard): object {
  return {
    uid,
    title,
    description,
    tags: ['manc'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    links: [
      {
        title: 'MANC',
        type: 'dashboards',
        tags: ['manc'],
        asDropdown: true,
        includeVars: true,
        keepTime: true,
      },
      ...engineLinks.map((link) => ({ ...link, type: 'link', targetBlank: true })),
    ],
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panelsOf(rows),
  }
}

function panelsOf(rows: Dashboard['rows']): object[] {
  let y = 0
  let id = 0
  return rows.flatMap(({ title, panels }) => {
    const head = { id: ++id, type: 'row', title, collapsed: false, gridPos: { x: 0, y: y++, w: width, h: 1 } }
    const w = Math.floor(width / panels.length)
    const body = panels.map((panel, n) => toPanel(panel, { id: ++id, x: n * w, y, w }))
    y += Math.max(...panels.map(({ kind = 'timeseries' }) => height[kind]))
    return [head, ...body]
  })
}

function toPanel(
  { title, description, unit, series, kind = 'timeseries' }: Panel,
  { id, ...position }: { id: number; x: number; y: number; w: number },
): object {
  return {
    id,
    type: kind,
    title,
    description,
    datasource,
    gridPos: { ...position, h: height[kind] },
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(kind === 'timeseries' && { custom: { fillOpacity: 8, showPoints: 'never' } }),
      },
      overrides: [],
    },
    options:
      kind === 'stat'
        ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'none', graphMode: 'area' }
        : { tooltip: { mode: 'multi', sort: 'desc' }, legend: { displayMode: 'list', placement: 'bottom' } },
    targets: series.map(({ expr, legend }, n) => ({
      refId: String.fromCharCode(65 + n),
      datasource,
      expr,
      legendFormat: legend,
    })),
  }
}
