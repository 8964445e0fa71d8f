import { PROOF_LEARNER } from '../../contract/proof-words.ts'
import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const PROOF_INVARIANTS: readonly Invariant[] = [
  {
    name: 'GP1',
    description: 'The machines of guide proofs belong to proofs that have not ended, or are being deleted.',
    when: 'always',
    query: `select m.id from machine m where m.email = '${PROOF_LEARNER}' and m.desired <> 'gone'
      and not exists (select from proof p where p.machine_id = m.id)`,
  },
  {
    name: 'GP2',
    description: 'A proof that has not ended is scheduled.',
    when: 'always',
    query: `select id from proof where phase <> 'ended' and reconcile_at is null`,
  },
]
