import { Loading } from '../frame/states.tsx'

export function Administration() {
  return <Loading what="this page" />
}
