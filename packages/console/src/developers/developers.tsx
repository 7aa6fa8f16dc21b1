import { Loading } from '../frame/states.tsx'

export function Developers() {
  return <Loading what="this page" />
}
