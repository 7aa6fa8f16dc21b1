import { Loading } from '../frame/states.tsx'

export function Compare() {
  return <Loading what="this page" />
}
