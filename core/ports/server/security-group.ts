import { organisationTurns } from '@trainyard/organisations/server/turns.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { type Clouds, cloudOf, type Deletion, type OpenPort } from '@trainyard/templates/server/cloud.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import { managementSourcesOf, securityGroupName } from '@trainyard/machines/server/spec.ts'
import type { SecurityGroupRow } from '../tables.gen.ts'
import { selectKindsOfMachines } from './queries.ts'

export interface SecurityGroupDependencies {
  readonly db: Db
  readonly clouds: Clouds
  /** IPv4 prefixes of the portal itself. */
  readonly egress?: readonly string[]
}

/** Number of groups that a worker processes concurrently. The provider changes only one rule of a group at a time. */
const AT_ONCE = 8
/** Seconds after which rules are compared again, because users may change them outside the portal. */
const DRIFT_SECONDS = 600
/**
 * Seconds until a group without ports is compared again. In such a group only the rules for management ports can
 * differ.
 */
const MANAGEMENT_DRIFT_SECONDS = 3600
/**
 * Minimum and maximum seconds until a missing group is read again. The group is created with the training's first
 * machine.
 */
const ABSENT_SECONDS = { least: 1, most: 30 }

export const securityGroupKind = ({ db, clouds, egress = [] }: SecurityGroupDependencies): Kind<SecurityGroupRow> => ({
  table: 'security_group',
  maxConcurrent: AT_ONCE,
  turns: organisationTurns(AT_ONCE - 2),
  async step(group, signal) {
    const cloud = cloudOf(clouds, group.provider)
    const ref = { place: group.place, name: securityGroupName(group.training_id) }
    const requested = await wantedOf(db, group, egress)
    const hasPorts = requested.ports.length > 0
    const outcome: StepOutcome = requested.hasMachines
      ? await cloud.updateRules(ref, requested, signal)
      : (await cloud.deleteSecurityGroup(ref, signal)).remaining
    return async (tx, row) => {
      // The group is retained if machines were ordered again while it was being deleted.
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
  readonly managementSources: readonly string[]
}

async function wantedOf(db: Db, group: SecurityGroupRow, egress: readonly string[]): Promise<WantedRules> {
  const { rows } = await selectKindsOfMachines(db, group)
  const ports = await db
    .selectFrom('port')
    .select(['port', 'priority', 'protocol', 'source'])
    .where('training_id', '=', group.training_id)
    .orderBy('priority')
    .execute()
  const managementSources = await managementSourcesOf(db, group.organisation_id, {
    egress,
    isPrivate: rows.every(({ isPrivate }) => isPrivate),
  })
  return { hasMachines: rows.length > 0, ports, managementSources }
}

type StepOutcome = 'held' | 'changed' | 'absent' | Deletion['remaining']

function pauseAfterStep(outcome: StepOutcome, attempts: number, hasPorts: boolean): number {
  if (outcome === 'changed') return 0
  if (outcome === 'something' || outcome === 'nothing') return 1
  if (!hasPorts) return MANAGEMENT_DRIFT_SECONDS
  return outcome === 'held' ? DRIFT_SECONDS : Math.min(ABSENT_SECONDS.most, ABSENT_SECONDS.least * 1.5 ** attempts)
}
