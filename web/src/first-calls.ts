import { ahead } from './api.ts'
import { scopeOf } from './chosen.ts'
import type { ScreenRow } from './screen-row.ts'
import { readSearch } from './search.ts'
import type { Session } from './session.ts'

/** Begins the calls that the shell and the screen at this address make first of all. */
export function beginFirstCalls(session: Session, here: ScreenRow | undefined): void {
  const { organization, ofTraining } = scopeOf(session, readSearch(location.search))
  const picks = session.role === 'superadmin'
  void ahead.session.me()
  if (picks) void ahead.organisation.list()
  if (organization !== null && (picks || session.role === 'admin' || session.role === 'user'))
    void ahead.training.names({ organization })
  if (ofTraining) void here?.first?.(ahead, ofTraining)
}
