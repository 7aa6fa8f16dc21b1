import { Loading } from '../frame/states.tsx'

export function Emulate() {
  return <Loading what="this page" />
}
