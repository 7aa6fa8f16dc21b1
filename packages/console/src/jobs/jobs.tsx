import { Loading } from '../frame/states.tsx'

export function Jobs() {
  return <Loading what="this page" />
}
