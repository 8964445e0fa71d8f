import { adminEmail, SUPERADMIN, trainingName } from './seed/size.ts'

const training = new URLSearchParams({ trainingName: trainingName(4) }).toString()
const organisation = 'organization=Organisation+1'
/** The ten most frequent calls. */
export const USUAL_CALLS: readonly (readonly [name: string, email: string, path: string])[] = [
  ['session', adminEmail(1), '/user/me'],
  ['machines of a training of 10', adminEmail(1), `/azure/machines?${training}`],
  ['trainings', adminEmail(1), `/azure/trainingName?${organisation}`],
  ['machine names', adminEmail(1), `/azure/vmnames?${training}`],
  ['bill', adminEmail(1), `/azure/billing?${training}`],
  ['days', adminEmail(1), `/azure/usage?${training}&days=30`],
  ['Home', adminEmail(1), `/admin/home?${organisation}`],
  ['account', adminEmail(1), '/admin/ledger/accounts'],
  ['Control Center', SUPERADMIN, '/admin/dashboard'],
  ['quota', SUPERADMIN, `/admin/quota?${organisation}&${training}`],
]
