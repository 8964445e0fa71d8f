import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../../db/schema.ts'
import type { Cloud, Deletion, OpenPort } from '../../../providers/cloud.ts'
import type { Kind } from '../../../reconcile/loop.ts'
import { securityGroupName } from '../machine/spec.ts'

export type SecurityGroupRow = Selectable<Schema['security_group']>

export interface SecurityGroupParts {
  readonly db: Db
  readonly cloud: Cloud
}

/** The provider changes only one rule of a group at a time. */
const AT_ONCE = 8
/** Rules may be changed outside the portal. */
const DRIFT_SECONDS = 600
/** The group is created with the training's first machine. */
const ABSENT_SECONDS = { least: 1, most: 30 }

export const securityGroupKind = ({ db, cloud }: SecurityGroupParts): Kind<SecurityGroupRow> => ({
  table: 'security_group',
  maxConcurrent: AT_ONCE,
  async step(group, signal) {
    const place = { resourceGroup: group.resource_group, name: securityGroupName(group.training_id) }
    const wanted = await wantedOf(db, group)
    const hasPorts = wanted.ports.length > 0
    const outcome: StepOutcome = wanted.hasMachines
      ? await cloud.updatePorts(place, wanted.ports, signal)
      : (await cloud.deleteSecurityGroup(place, signal)).remaining
    return async (tx, row) => {
      // Keep the group if machines were ordered again while it was being deleted.
      if (outcome === 'nothing' && row.generation === group.generation) {
        await tx.deleteFrom('security_group').where('id', '=', row.id).execute()
        return { next: 'never' }
      }
      const agrees = outcome === 'held' || (outcome === 'absent' && !hasPorts)
      const attempts = outcome === 'absent' && hasPorts ? row.attempts + 1 : 0
      return {
        set: { attempts, ...(agrees ? { settled_generation: group.generation } : {}) },
        next: pauseAfterStep(outcome, attempts, hasPorts),
      }
    }
  },
})

interface WantedRules {
  readonly hasMachines: boolean
  readonly ports: readonly OpenPort[]
}

async function wantedOf(db: Db, { training_id, resource_group }: SecurityGroupRow): Promise<WantedRules> {
  const { rows } = await sql<{ hasMachines: boolean }>`
    select exists (select from machine where training_id = ${training_id}
      and lower(resource_group) = ${resource_group} and terminated_at is null) as "hasMachines"`.execute(db)
  const ports = await db
    .selectFrom('port')
    .select(['port', 'priority'])
    .where('training_id', '=', training_id)
    .orderBy('priority')
    .execute()
  return { hasMachines: rows[0]!.hasMachines, ports }
}

type StepOutcome = 'held' | 'changed' | 'absent' | Deletion['remaining']

function pauseAfterStep(outcome: StepOutcome, attempts: number, hasPorts: boolean): number | null {
  if (outcome === 'changed') return 0
  if (outcome === 'something' || outcome === 'nothing') return 1
  if (!hasPorts) return null
  return outcome === 'held' ? DRIFT_SECONDS : Math.min(ABSENT_SECONDS.most, ABSENT_SECONDS.least * 1.5 ** attempts)
}
