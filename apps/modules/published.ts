import { budgetEvents } from '@trainyard/contract/calls/budget-event.ts'
import { entryEvents } from '@trainyard/contract/calls/entry-event.ts'
import { handEvents } from '@trainyard/contract/calls/hand-event.ts'
import { machineEvents } from '@trainyard/contract/calls/machine-event.ts'
import { registrationEvents } from '@trainyard/contract/calls/registration-event.ts'
import { trainingEvents } from '@trainyard/contract/calls/training-event.ts'

/** The events of all modules that other systems can subscribe to, in the order on screen. */
export const PUBLISHED = {
  ...machineEvents,
  ...trainingEvents,
  ...budgetEvents,
  ...entryEvents,
  ...handEvents,
  ...registrationEvents,
}
