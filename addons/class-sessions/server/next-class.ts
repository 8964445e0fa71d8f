import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { CLASS_CHECKS, type nextClass } from '../contract/next-class.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { stayOffReasons } from '@trainyard/machines/server/may-start.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'
import { selectNextReadyBy, countSeats, selectSeatProblems, type Planned } from './queries.ts'

type NextClass = NonNullable<ReplyOf<typeof nextClass.nextClass>['nextClass']>
type Check = (typeof CLASS_CHECKS)[number]

export async function nextClassOf(db: Db, { id }: OrganisationInScope): Promise<NextClass | null> {
  const { rows } = await selectNextReadyBy(db, id)
  const planned = rows[0]
  if (planned === undefined) return null
  const { training, date, time, ready_at, started } = planned
  const [seats, problems] = [await seatsOf(db, planned), await problemsOf(db, planned)]
  return {
    training,
    date,
    time,
    readyAt: ready_at.toISOString(),
    started,
    ...seats,
    checks: CLASS_CHECKS.map((check) => ({ check, problem: problems[check] })),
  }
}

async function seatsOf(db: Db, planned: Planned): Promise<{ seats: number; ready: number }> {
  const { rows } = await countSeats(db, planned)
  return rows[0]!
}

/** Tests each condition that would prevent a machine from starting or its learner from signing in. */
async function problemsOf(db: Db, planned: Planned): Promise<Record<Check, string | null>> {
  const { rows } = await selectSeatProblems(db, planned, planned.ready_at)
  const { place, hours, uninvited, bounced, imageless } = rows[0]!
  return {
    capacity:
      place === null ? null : `The cloud has no room for ${place}. Ask the portal's operator to raise the limit.`,
    hours: hours === 0 ? null : `The allocated hours of ${machinesText(hours)} are used up. Ask for more quota.`,
    budget: (await stayOffReasons(db, [planned.training_id])).get(planned.training_id) ?? null,
    invitations: invitationProblem(uninvited, bounced ?? []),
    image:
      imageless === 0 ? null : `The image of ${machinesText(imageless)} is not ready, or its terms are not accepted.`,
  }
}

function invitationProblem(uninvited: number, bounced: readonly string[]): string | null {
  const [first] = bounced
  if (first !== undefined) {
    const others = bounced.length === 1 ? '' : ` and ${bounced.length - 1} more`
    return `The mail server rejected the invitation for ${first}${others}. See People in Organisation Settings.`
  }
  if (uninvited === 0) return null
  return `${uninvited === 1 ? 'One learner has' : `${uninvited} learners have`} no invitation that lasts until the class. Invite them again.`
}

const machinesText = (count: number): string => (count === 1 ? 'one machine' : `${count} machines`)
