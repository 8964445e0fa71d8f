import { budgetEvents } from './calls/budget-event.ts'
import { entryEvents } from './calls/entry-event.ts'
import { handEvents } from './calls/hand-event.ts'
import { machineEvents } from './calls/machine-event.ts'
import { registrationEvents } from './calls/registration-event.ts'
import { trainingEvents } from './calls/training-event.ts'

/** The events of all modules that other systems can subscribe to, in the order on screen. */
export const PUBLISHED = {
  ...machineEvents,
  ...trainingEvents,
  ...budgetEvents,
  ...entryEvents,
  ...handEvents,
  ...registrationEvents,
}
