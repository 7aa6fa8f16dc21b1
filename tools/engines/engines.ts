import type { Engine } from './engine.ts'
import { etcd } from './etcd.ts'
import { patroni } from './patroni.ts'
import { postgres } from './postgres.ts'
import { rabbitmq } from './rabbitmq.ts'
import type { UnitKind } from './units.ts'
import { victoria } from './victoria.ts'
import { vmalert } from './vmalert.ts'

export const ENGINES: Readonly<Record<UnitKind, Engine>> = {
  postgres,
  rabbitmq,
  victoria,
  vmalert,
  patroni,
  etcd,
}
