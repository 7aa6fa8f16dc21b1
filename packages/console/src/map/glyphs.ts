import type { AgentState, Technology } from '@manc/sdk'

const size = 36
const clusterSize = 72
const edgeWidth = 6
const middle = size / 2

/** Each technology has its own shape, so that colour is not the only difference. */
function pathOf(technology: Technology, radius: number, x = middle, y = middle): Path2D {
  const path = new Path2D()
  if (technology === '5G') polygon(path, 6, radius * 1.12, x, y, Math.PI / 6)
  else if (technology === 'LiFi') polygon(path, 4, radius * 1.25, x, y, 0)
  else if (technology === 'WiFi') path.arc(x, y, radius, 0, 2 * Math.PI)
  else polygon(path, 4, radius * 1.2, x, y, Math.PI / 4)
  return path
}

function polygon(path: Path2D, corners: number, radius: number, x: number, y: number, turn: number): void {
  for (let corner = 0; corner < corners; corner++) {
    const angle = turn + (corner * 2 * Math.PI) / corners
    path.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle))
  }
  path.closePath()
}

interface Colours {
  shape: string
  background: string
  /** By default the colour of the shape. */
  outline?: string | undefined
  /** Only for a symbol with a mark. */
  mark?: string
}

/** What is drawn in the corner of an access point that needs attention. */
export type Mark = 'bad' | 'degraded' | 'none'

/** Solid: online. Hollow: stale. Crossed out: offline. In the corner a disc: bad, a triangle: degraded. */
export function technologyImage(
  { technology, state, mark }: { technology: Technology; state: AgentState; mark: Mark },
  colours: Colours,
): ImageData {
  const { shape: colour, background, outline = colour } = colours
  const canvas = document.createElement('canvas')
  canvas.width = size
  canvas.height = size
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw on a canvas. Use another browser.')
  const shape = pathOf(technology, 10)
  context.lineJoin = 'round'
  context.lineWidth = 7
  context.strokeStyle = background
  context.stroke(shape)
  context.fillStyle = state === 'online' ? colour : background
  context.fill(shape)
  context.lineWidth = 3
  context.strokeStyle = outline
  context.globalAlpha = state === 'offline' ? 0.75 : 1
  context.stroke(shape)
  if (state === 'offline') {
    context.globalAlpha = 1
    context.beginPath()
    for (const [from, to] of [
      [-5, 5],
      [5, -5],
    ] as const) {
      context.moveTo(middle + from, middle - 5)
      context.lineTo(middle + to, middle + 5)
    }
    context.stroke()
  }
  if (mark !== 'none') drawMark(context, mark, colours)
  return context.getImageData(0, 0, size, size)
}

function pathOfMark(mark: Exclude<Mark, 'none'>): Path2D {
  const [x, y] = [middle + 9, middle - 9]
  const path = new Path2D()
  if (mark === 'bad') path.arc(x, y, 6, 0, 2 * Math.PI)
  else polygon(path, 3, 7.5, x, y, -Math.PI / 2)
  return path
}

function drawMark(context: CanvasRenderingContext2D, mark: Exclude<Mark, 'none'>, colours: Colours): void {
  const shape = pathOfMark(mark)
  context.lineWidth = 4
  context.strokeStyle = colours.background
  context.stroke(shape)
  context.fillStyle = colours.mark ?? colours.shape
  context.fill(shape)
}

/** A cluster: a ring with the shares of its groups, and an edge if an access point needs attention: dashed if none is bad. */
export function clusterImage(
  shares: readonly { share: number; colour: string }[],
  background: string,
  edge?: { colour: string; isDashed: boolean },
): ImageData {
  const canvas = document.createElement('canvas')
  const total = shares.reduce((sum, { share }) => sum + share, 0)
  const width = clusterSize + (edge ? 2 * edgeWidth : 0)
  canvas.width = canvas.height = width
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw on a canvas. Use another browser.')
  const centre = width / 2
  const radius = clusterSize / 2 - 7
  const fillDisc = (discRadius: number, colour: string) => {
    context.fillStyle = colour
    context.beginPath()
    context.arc(centre, centre, discRadius, 0, 2 * Math.PI)
    context.fill()
  }
  fillDisc(clusterSize / 2 - 1, background)
  if (edge) {
    context.lineWidth = edgeWidth - 1
    context.strokeStyle = edge.colour
    if (edge.isDashed) context.setLineDash([12, 7])
    context.beginPath()
    context.arc(centre, centre, clusterSize / 2 + edgeWidth / 2 - 1, 0, 2 * Math.PI)
    context.stroke()
    context.setLineDash([])
  }
  context.lineWidth = 10
  let from = -Math.PI / 2
  for (const { share, colour } of shares) {
    const to = from + (share / total) * 2 * Math.PI
    context.strokeStyle = colour
    context.beginPath()
    context.arc(centre, centre, radius, from, to)
    context.stroke()
    from = to
  }
  return context.getImageData(0, 0, width, width)
}

/** A triangle that points to the right, in the direction of its line. */
export function arrowImage(colour: string, background: string): ImageData {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw on a canvas. Use another browser.')
  const shape = pathOfArrow()
  context.lineJoin = 'round'
  context.lineWidth = 4
  context.strokeStyle = background
  context.stroke(shape)
  context.fillStyle = colour
  context.fill(shape)
  return context.getImageData(0, 0, size, size)
}

function pathOfArrow(): Path2D {
  const path = new Path2D()
  polygon(path, 3, 10, middle, middle, 0)
  return path
}
