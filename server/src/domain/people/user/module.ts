import { serverModule } from '../../../core/module.ts'
import { classesOfInvited } from '../../lab/calendar/invited-classes.ts'
import { hasSecondFactor } from '../second-factor/factors.ts'
import { relyingPartyOf } from '../second-factor/relying-party.ts'
import { requireSecondStep } from '../second-factor/second-step.ts'
import { accountHandlers } from './own-sign-in-http.ts'
import { peopleHandlers } from './people-http.ts'
import { sessionHandlers } from './session-http.ts'
import { userHandlers } from './users-http.ts'

export default serverModule({
  name: 'users',
  calls: (parts) => ({
    account: accountHandlers(parts),
    session: sessionHandlers({
      ...parts,
      classesOf: classesOfInvited(parts.publicUrl),
      requireSecondStep: requireSecondStep(relyingPartyOf(parts.publicUrl)),
      hasSecondFactor,
      emulated: parts.azure.emulated,
    }),
    user: userHandlers(parts),
    people: peopleHandlers(parts),
  }),
})
