import { serverModule } from '../../../core/module.ts'
import { wakeSecurityGroupsOf } from '../../lab/machine/security-groups.ts'
import { requireSettled } from '../../money/ledger/balance.ts'
import { organisationCalls } from './http.ts'
import { endPasswordSessions } from '../user/sessions.ts'

export default serverModule({
  name: 'organisations',
  calls: () => ({ organisation: organisationCalls(requireSettled, wakeSecurityGroupsOf, endPasswordSessions) }),
})
