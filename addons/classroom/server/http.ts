import type { ClassView } from '../contract/classroom.ts'
import { CLASS, EXTENSION_MINUTES, machinesRunUntil, timeIn } from '../contract/classroom-words.ts'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { WATCHING } from '@trainyard/remote-access/contract/watching.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { type MachineChanges, mayWatch, watchChanges } from '@trainyard/machines/server/watch.ts'
import { classInScope, lockTrainingToPlan, trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { addInstructor, instructorsOf, leadsClass, removeInstructor } from '@trainyard/trainings/server/instructor.ts'
import { deferStops } from '@trainyard/schedules/server/deferred-stops.ts'
import { extendWindow, windowOf } from '@trainyard/trainings/server/window.ts'
import { announce, removeAnnouncement } from './announcement.ts'
import { handsOf, lowerHand, lowerHands, raiseHand } from './hand.ts'
import { confirmPresence } from './presence.ts'
import { invitationsOf, inviteLearner } from './invitations.ts'
import { startable, startStopped, stopAll, stopIdleNow } from './power.ts'
import { roomOf, seatsOf } from './rows.ts'
import { watchOwn } from './watch-own.ts'
import { ownClasses } from './own-classes.ts'
import { updateIdleStop, updateWatching } from './queries.ts'
import { CLASS_CHANNEL, classChanged, MACHINE_CHANNEL } from '@trainyard/trainings/server/machine-changes.ts'

const CHANNELS = [MACHINE_CHANNEL, CLASS_CHANNEL] as const

interface ClassroomDependencies {
  readonly changes: MachineChanges
  readonly secondFactor: SecondFactorRule
  readonly jobs: JobQueue
}

export const classroomHandlers = ({ changes, secondFactor, jobs }: ClassroomDependencies): HandlersOf<'classroom'> => ({
  async list(db, { actor, query }) {
    const { id } = await classInScope(db, actor, query)
    return classOf(db, id, null)
  },

  async watch(db, { actor, query, sessionHash }, { send, closed }) {
    const { id } = await classInScope(db, actor, query)
    await watchChanges<ClassView>({
      actor,
      subscribe: (onChange) => changes.subscribe(id, onChange, CHANNELS),
      closed,
      send,
      load: (machineIds) => classOf(db, id, machineIds),
      isStillAllowed: async () =>
        sessionHash !== null &&
        (await mayWatch(db, sessionHash, actor.role, secondFactor)) &&
        leadsClass(db, actor, id),
    })
  },

  mine: (db, { actor }) => ownClasses(db, actor),

  async watchMine(db, { actor, sessionHash }, { send, closed }) {
    await watchOwn(db, changes, {
      actor,
      closed,
      send,
      isStillAllowed: async () => sessionHash !== null && mayWatch(db, sessionHash, actor.role, secondFactor),
    })
  },

  async raiseHand(tx, { actor, body }) {
    await raiseHand(tx, actor, body)
    return { message: CLASS.handRaised }
  },

  async lowerHand(tx, { actor, query }) {
    await lowerHand(tx, actor, query)
    return { message: CLASS.handLowered }
  },

  async here(tx, { actor, body }) {
    await confirmPresence(tx, actor, body.vmName)
    return { message: CLASS.here(body.vmName) }
  },

  async announce(tx, { actor, body }) {
    await announce(tx, actor, await lockTrainingToPlan(tx, actor, body), body)
    return { message: CLASS.announced }
  },

  async takeBack(tx, { actor, query }) {
    const { id } = await classInScope(tx, actor, query)
    return { message: (await removeAnnouncement(tx, id)) ? CLASS.takenBack : CLASS.noAnnouncement }
  },

  async extend(tx, { actor, body: { open = false, ...of }, auditChange }) {
    const { id } = await lockTrainingToPlan(tx, actor, of)
    const window = await windowOf(tx, id)
    const opens = !window.open && !window.inSession
    if (opens && !open) throw conflict(CLASS.closedNow)
    const extended = await extendWindow(tx, id, EXTENSION_MINUTES)
    if (extended === null) throw conflict(CLASS.openAtAllTimes)
    const { from, until, timeZone } = extended
    auditChange({ extendedUntil: extended.before }, { extendedUntil: until })
    const machinesUntil = await deferStops(tx, { training: id, from, until, minutes: EXTENSION_MINUTES })
    const sentence = opens ? CLASS.opened(timeIn(until, timeZone)) : CLASS.extended(EXTENSION_MINUTES)
    return {
      message: machinesUntil === null ? sentence : `${sentence} ${machinesRunUntil(machinesUntil, timeZone)}`,
      until: until.toISOString(),
    }
  },

  async setIdleStop(tx, { actor, body, auditChange }) {
    const { id } = await lockTrainingToPlan(tx, actor, body)
    auditChange({ minutes: await setIdleStop(tx, id, body.minutes) }, { minutes: body.minutes })
    return { message: body.minutes === null ? CLASS.idleStopOff : CLASS.idleStopOn(body.minutes) }
  },

  async setWatching(tx, { actor, body, auditChange }) {
    const { withoutAsking } = body
    const { id } = await lockTrainingToPlan(tx, actor, body)
    auditChange({ withoutAsking: await setWatching(tx, id, withoutAsking) }, { withoutAsking })
    return { message: withoutAsking ? WATCHING.setUnasked : WATCHING.setAsk }
  },

  async setEarlyStart(tx, { actor, body: { allowed, ...of }, auditChange }) {
    const { id } = await lockTrainingToPlan(tx, actor, of)
    const { early_start: before } = await tx
      .selectFrom('training')
      .select('early_start')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await tx.updateTable('training').set({ early_start: allowed }).where('id', '=', id).execute()
    auditChange({ allowed: before }, { allowed })
    return { message: allowed ? CLASS.earlyStartOn : CLASS.earlyStartOff }
  },

  async startable(db, { actor, query }) {
    return startable(db, actor, await classInScope(db, actor, query))
  },

  async power(tx, { actor, body }) {
    const { id } = await classInScope(tx, actor, body)
    if (body.operation === 1) return startStopped(tx, actor, id)
    if (body.idleMinutes !== undefined) return stopIdleNow(tx, id, body.idleMinutes)
    await lowerHands(tx, id)
    return stopAll(tx, id)
  },

  hands: async (db, { actor }) => ({ hands: await handsOf(db, actor) }),

  async invitations(db, { actor, query }) {
    return { learners: await invitationsOf(db, await classInScope(db, actor, query)) }
  },

  async invite(tx, { actor, body: { email, newEmail = email, ...named }, auditChange }) {
    const training = await lockTrainingToPlan(tx, actor, named)
    await inviteLearner(tx, jobs, actor, { training, email, newEmail })
    auditChange({ email }, { email: newEmail })
    return { message: `A new invitation is on its way to ${newEmail}.` }
  },

  async instructors(db, { actor, query }) {
    const { id } = await trainingInScope(db, actor, query)
    return { instructors: await instructorsOf(db, id) }
  },

  async addInstructor(tx, { actor, body }) {
    const training = await lockTrainingToPlan(tx, actor, body)
    return { message: await addInstructor(tx, jobs, { actor, email: body.email, training }) }
  },

  async removeInstructor(tx, { actor, query }) {
    const training = await trainingInScope(tx, actor, query)
    return { message: await removeInstructor(tx, training, query.email) }
  },
})

async function classOf(db: Db, training: TrainingId, machineIds: readonly MachineId[] | null): Promise<ClassView> {
  const [room, seats] = await Promise.all([roomOf(db, training), seatsOf(db, training, machineIds)])
  return { room, seats }
}

/** Sets the idle stop. Returns the previous value. */
async function setIdleStop(tx: Tx, training: TrainingId, minutes: number | null): Promise<number | null> {
  const { rows } = await updateIdleStop(tx, minutes, training)
  await classChanged(tx, training)
  return rows[0]!.before
}

/** Sets the consent to watching. Returns the previous value. */
async function setWatching(tx: Tx, training: TrainingId, withoutAsking: boolean): Promise<boolean> {
  const { rows } = await updateWatching(tx, withoutAsking, training)
  await classChanged(tx, training)
  return rows[0]!.before
}
