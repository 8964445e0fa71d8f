import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'

/** @throws Problem conflict while an organisation has live machines */
export async function requireNoMachines(tx: Tx, organisations: readonly OrganisationInScope[]): Promise<void> {
  for (const { id, name } of organisations) {
    const { live } = await tx
      .selectFrom('machine')
      .select((eb) => eb.fn.countAll<number>().as('live'))
      .where('organisation_id', '=', id)
      .where('terminated_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (live === 0) continue
    const machines = live === 1 ? 'a live machine' : `${live} live machines`
    throw conflict(`${name} still has ${machines}. Delete its trainings first.`)
  }
}
