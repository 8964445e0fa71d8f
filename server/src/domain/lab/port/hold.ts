import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../../db/schema.ts'
import type { Cloud, Deletion, OpenPort } from '../../../providers/cloud.ts'
import type { Kind } from '../../../reconcile/loop.ts'
import { SECURITY_GROUP_DUE } from '../machine/security-groups.ts'
import { securityGroupName } from '../machine/spec.ts'

/** A training's security group in one resource group, as its row says. */
export type SecurityGroupRow = Selectable<Schema['security_group']>

export interface HoldParts {
  readonly db: Db
  readonly cloud: Cloud
}

/** Groups at work at once: the provider works on one rule of each at a time, so each takes long. */
const AT_ONCE = 8
/** Rules are compared with the ports this often, in case somebody else changed them. */
const DRIFT_SECONDS = 600
/** A group comes into being with the first machine of a training: until then it is looked for. */
const ABSENT_SECONDS = { least: 1, most: 30 }

/** Makes the rules of security groups agree with their trainings' ports; each group has one writer at a time. */
export const securityGroupKind = ({ db, cloud }: HoldParts): Kind<SecurityGroupRow> => ({
  table: 'security_group',
  channel: SECURITY_GROUP_DUE,
  atOnce: AT_ONCE,
  async step(group, signal) {
    const place = { resourceGroup: group.resource_group, name: securityGroupName(group.training_id) }
    const wanted = await wantedOf(db, group)
    const hasPorts = wanted.ports.length > 0
    const came: Came = wanted.stands
      ? await cloud.holdPorts(place, wanted.ports, signal)
      : (await cloud.deleteSecurityGroup(place, signal)).remaining
    return async (tx, row) => {
      // Ordered anew meanwhile, it is still needed.
      if (came === 'nothing' && row.generation === group.generation) {
        await tx.deleteFrom('security_group').where('id', '=', row.id).execute()
        return { next: 'over' }
      }
      const agrees = came === 'held' || (came === 'absent' && !hasPorts)
      const attempts = came === 'absent' && hasPorts ? row.attempts + 1 : 0
      return {
        set: { attempts, ...(agrees ? { settled_generation: group.generation } : {}) },
        next: pauseAfterStep(came, attempts, hasPorts),
      }
    }
  },
})

interface Wanted {
  /** True while machines are in it; without any it is deleted. */
  readonly stands: boolean
  readonly ports: readonly OpenPort[]
}

async function wantedOf(db: Db, { training_id, resource_group }: SecurityGroupRow): Promise<Wanted> {
  const { rows } = await sql<{ stands: boolean }>`
    select exists (select from machine where training_id = ${training_id}
      and lower(resource_group) = ${resource_group} and terminated_at is null) as stands`.execute(db)
  const ports = await db
    .selectFrom('port')
    .select(['port', 'priority'])
    .where('training_id', '=', training_id)
    .orderBy('priority')
    .execute()
  return { stands: rows[0]!.stands, ports }
}

type Came = 'held' | 'changed' | 'absent' | Deletion['remaining']

/** null: nothing is held there, so nothing can come undone. */
function pauseAfterStep(came: Came, attempts: number, hasPorts: boolean): number | null {
  if (came === 'changed') return 0
  if (came === 'something' || came === 'nothing') return 1
  if (!hasPorts) return null
  return came === 'held' ? DRIFT_SECONDS : Math.min(ABSENT_SECONDS.most, ABSENT_SECONDS.least * 1.5 ** attempts)
}
