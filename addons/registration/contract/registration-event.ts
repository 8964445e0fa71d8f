import { z } from 'zod'
import { common, published, reference } from '@trainyard/platform/contract/published.ts'

const linkData = {
  ...common,
  /** The registration link. */
  link: reference,
  training: reference,
}

const registrationData = {
  ...linkData,
  /** E-mail address of the learner. */
  learner: z.string(),
}

/** @property decidedBy e-mail address of the user who approved or declined the registration */
const decisionData = z.strictObject({ ...registrationData, decidedBy: z.string() })

export const registrationEvents = {
  'registration.requested': published('A learner registered and waits for approval', z.strictObject(registrationData)),
  'registration.waiting': published(
    'A learner joined the waiting list of a registration link',
    z.strictObject(registrationData),
  ),
  'registration.approved': published('A registration was approved', decisionData),
  'registration.declined': published('A registration was declined', decisionData),
  'registration.seated': published('A learner got a seat of a registration link', z.strictObject(registrationData)),
  'registration.link_full': published(
    'All seats of a registration link are taken',
    z.strictObject({ ...linkData, seats: z.int() }),
  ),
}
