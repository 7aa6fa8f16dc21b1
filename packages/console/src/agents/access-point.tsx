import { Loading } from '../frame/states.tsx'

export function AccessPoint() {
  return <Loading what="this page" />
}
