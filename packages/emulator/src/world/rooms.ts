interface Plan {
  xs: Float64Array
  ys: Float64Array
  floors: readonly number[]
  /** Sides of the rooms of the access points. */
  roomsM: readonly number[]
}

interface Place {
  x: number
  y: number
  floor: number
}

interface Room extends Place {
  sizeM: number
}

/**
 * Rooms of luminaires: the first one is in the middle of a square room, and others within it share the room. A place belongs
 * to the nearest room of its floor, so that the wall is half-way between two rooms that would overlap.
 */
export class Rooms {
  readonly #rooms: Room[] = []
  readonly #ofLuminaire = new Map<number, number>()

  constructor(luminaires: readonly number[], { xs, ys, floors, roomsM }: Plan) {
    for (const index of luminaires) {
      const place = { x: xs[index] as number, y: ys[index] as number, floor: floors[index] as number }
      const known = this.#rooms.findIndex(
        (room) => room.floor === place.floor && metresOf(room, place) <= room.sizeM / 2,
      )
      const number = known >= 0 ? known : this.#rooms.push({ ...place, sizeM: roomsM[index] as number }) - 1
      this.#ofLuminaire.set(index, number)
    }
  }

  roomOf(luminaire: number): number {
    return this.#ofLuminaire.get(luminaire) ?? -1
  }

  /** The room of a place, of those of its nearest luminaires, which begin at `from`; -1 where it is in none of them. */
  roomAt(nearest: Int32Array, from: number, count: number, place: Place): number {
    let best = -1
    let bestM = Number.POSITIVE_INFINITY
    for (let slot = from; slot < from + count; slot++) {
      const index = nearest[slot] as number
      if (index < 0) break
      const number = this.roomOf(index)
      const room = this.#rooms[number]
      if (!room || room.floor !== place.floor) continue
      const metres = metresOf(room, place)
      if (metres > room.sizeM / 2 || metres >= bestM) continue
      best = number
      bestM = metres
    }
    return best
  }
}

/** The larger of the distances along both walls. */
function metresOf(room: Place, place: Place): number {
  return Math.max(Math.abs(room.x - place.x), Math.abs(room.y - place.y))
}
