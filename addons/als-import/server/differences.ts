import type { ImportItem } from '../contract/lab-import.ts'
import type { ImportItemKind, ImportItemState } from '../contract/lab-import-words.ts'
import { IDLE_STOP_MINUTES_MAX, IDLE_STOP_MINUTES_MIN } from '@trainyard/trainings/contract/training-words.ts'
import { LINK_SEATS_MAX } from '@trainyard/registration/contract/registration-words.ts'
import { lastRunOf, problemOf, withoutPast } from './rules.ts'
import { sizeOf } from './size.ts'
import type { SourceLab } from './source.ts'
import { type Applied, equal, hoursText, idleText, rulesText, type Target } from './target.ts'

/** Current state of the portal. */
export interface PortalState {
  readonly now: Date
  /** The training that an earlier import created; null if there was no import. */
  readonly training: { readonly name: string; readonly idleStopMinutes: number | null } | null
  /** Name that the training would get. `isNameTaken` is true if another training has the lab's title. */
  readonly trainingName: string
  readonly isNameTaken: boolean
  /** Keys of imported schedules from which a user has removed a row in the portal. */
  readonly editedSchedules: ReadonlySet<string>
  /** E-mail addresses of learners who have a machine in the training. */
  readonly withMachine: ReadonlySet<string>
  /** E-mail addresses that belong to another organisation. */
  readonly foreign: ReadonlySet<string>
  readonly template: { readonly name: string; readonly isProposed: boolean } | null
  readonly isMissing: boolean
  /** True after the cut-over: the lab can no longer be imported. */
  readonly isMoved: boolean
}

/**
 * Returns the differences between the source, the last import and the portal (a three-way comparison). A value that was
 * edited in the portal and changed in the source is a conflict, so that an edit is overwritten only if the user selects
 * it.
 */
export function differencesOf(
  lab: SourceLab,
  target: Target,
  applied: Applied | null,
  portal: PortalState,
): ImportItem[] {
  return [
    ...labItems(lab, portal),
    trainingItem(lab, portal),
    ...templateItems(lab, portal),
    ...imageItems(lab),
    ...idleItems(lab, target, applied, portal),
    ...scheduleItems(lab, target, applied, portal),
    ...learnerItems(lab, target, applied, portal),
    ...accessItems(lab, portal),
  ]
}

const item = (
  kind: ImportItemKind,
  name: string,
  state: ImportItemState,
  details: Partial<Pick<ImportItem, 'id' | 'from' | 'to' | 'reason' | 'todo'>> = {},
): ImportItem => ({
  id: `${kind} ${name}`,
  kind,
  name,
  state,
  from: null,
  to: null,
  reason: null,
  todo: null,
  ...details,
})

function labItems(lab: SourceLab, portal: PortalState): ImportItem[] {
  const notes = lab.unread.map((sentence, index) =>
    item('lab', sentence, 'differs', {
      id: `unread ${index}`,
      reason: 'The value could not be read.',
      todo: 'Check it in Lab Services and set it here by hand.',
    }),
  )
  if (lab.isFailed) {
    notes.unshift(
      item('lab', lab.title, 'blocked', {
        reason: 'Lab Services reports the lab as failed.',
        todo: 'Repair or delete the lab in Lab Services, then read again.',
      }),
    )
  }
  if (portal.isMissing) {
    notes.push(
      item('lab', lab.title, 'leftover', {
        id: 'missing',
        reason: 'The lab was not found in Lab Services when it was last read.',
        todo: 'Nothing is removed here. Roll the lab back if it is not needed.',
      }),
    )
  }
  if (lab.state === 'Draft') {
    notes.push(
      item('lab', lab.title, 'differs', {
        id: 'draft',
        reason: 'The lab was never published, so its learners have no machines.',
        todo: 'Import it if the class takes place.',
      }),
    )
  }
  notes.push(
    item('lab', 'Disks of learners', 'differs', {
      reason: 'Lab Services cannot export the disks of learners’ machines. They start from the image again.',
      todo: 'Let learners save their files before the cut-over.',
    }),
  )
  return notes
}

function trainingItem(lab: SourceLab, { training, trainingName, isNameTaken }: PortalState): ImportItem {
  if (training !== null) return item('training', training.name, 'same', { from: training.name, to: training.name })
  return item('training', trainingName, 'create', {
    to: trainingName,
    ...(isNameTaken
      ? { reason: `There is already a training named ${lab.title}.`, todo: 'Choose another name if you prefer one.' }
      : {}),
  })
}

function templateItems(lab: SourceLab, { template }: PortalState): ImportItem[] {
  const size = sizeOf(lab.size)
  if (template === null) {
    return [
      item('template', lab.size, 'blocked', {
        from: null,
        reason: `No template${lab.os === null ? '' : ` with ${lab.os}`} is assigned to the organisation.`,
        todo: 'Choose a template, or ask a superadmin to create one for this size. The lab can be imported before.',
      }),
    ]
  }
  return [
    item('template', template.name, 'same', {
      to: template.name,
      reason: template.isProposed ? `Nearest to ${lab.size} by cores, memory, disk and operating system.` : null,
    }),
    ...(size?.hasGpu === true
      ? [
          item('template', `${lab.size}: GPU`, 'differs', {
            reason: 'The size has a GPU. The usual sizes of templates have none.',
            todo: 'Choose a template with a GPU size, or check that the class works without a GPU.',
          }),
        ]
      : []),
  ]
}

function imageItems({ image }: SourceLab): ImportItem[] {
  if (image.kind === 'marketplace') {
    const name = `${image.publisher}:${image.offer}:${image.sku}:${image.version}`
    return [
      item('image', name, 'differs', {
        to: name,
        reason: 'The template decides which image machines get.',
        todo: 'Check that the template has this image, and that Azure still offers it.',
      }),
    ]
  }
  if (image.kind === 'named') {
    return [
      item('image', image.name, 'differs', {
        reason: 'The file has only the image’s display name.',
        todo: 'Check that the template has this image.',
      }),
    ]
  }
  return [
    item('image', image.id, 'differs', {
      to: image.id,
      reason:
        image.isSpecialized === false
          ? 'The image is in your gallery and stays there.'
          : 'Lab Services saves images only as specialized: machines keep the accounts and passwords of the lab’s template.',
      todo: 'Give the portal’s app registration the role Reader on the gallery, and use the image in a template.',
    }),
  ]
}

/** Compares three values: in Lab Services (`sourceValue`), at the last import (`base`) and in the portal (`now`). */
function compareValues<T>(sourceValue: T, base: T, now: T): ImportItemState {
  if (equal(sourceValue, now)) return 'same'
  if (equal(sourceValue, base)) return 'kept'
  return equal(base, now) ? 'change' : 'conflict'
}

const TICK = 'Tick it to overwrite the value here.'

function idleItems(
  lab: SourceLab,
  { idleStopMinutes: sourceMinutes }: Target,
  applied: Applied | null,
  portal: PortalState,
): ImportItem[] {
  const name = 'Stop idle machines'
  const result = { to: idleText(sourceMinutes) }
  const limits =
    lab.idle !== null && lab.idle.minutes !== sourceMinutes
      ? `Lab Services stops after ${lab.idle.minutes} minutes. The portal allows ${IDLE_STOP_MINUTES_MIN} to ${IDLE_STOP_MINUTES_MAX}.`
      : lab.idle?.when === 'disconnected'
        ? 'Lab Services counts from the disconnection, the portal from the last use.'
        : null
  if (portal.training === null || applied === null) {
    if (sourceMinutes === null) return []
    return [item('idle stop', name, 'create', { ...result, reason: limits })]
  }
  const now = portal.training.idleStopMinutes
  const state = compareValues(sourceMinutes, applied.idleStopMinutes, now)
  if (state === 'same' && sourceMinutes === null) return []
  return [
    item('idle stop', name, state, {
      // The import does not change the portal's value, so the portal's value is shown as the result.
      ...(state === 'kept' ? { from: idleText(sourceMinutes), to: idleText(now) } : { ...result, from: idleText(now) }),
      reason:
        state === 'kept'
          ? 'It was changed here.'
          : state === 'conflict'
            ? 'It was changed here and in Lab Services.'
            : limits,
      todo: state === 'conflict' ? TICK : null,
    }),
  ]
}

function scheduleItems(lab: SourceLab, target: Target, applied: Applied | null, portal: PortalState): ImportItem[] {
  const items = lab.schedules.map((schedule): ImportItem => {
    const name = schedule.notes === null ? schedule.key : `${schedule.key}: ${schedule.notes}`
    const id = scheduleItemId(schedule.key)
    const problem = problemOf(schedule, portal.now)
    if (problem !== null) {
      return item('schedule', name, 'blocked', {
        id,
        reason: problem,
        todo: 'Plan this schedule here by hand.',
      })
    }
    const rules = target.schedules[schedule.key] ?? []
    const base = applied?.schedules[schedule.key]
    const result = { id, to: rulesText(rules) }
    const note = rules.some(({ weekly, dates }) => weekly === null && dates.length > 1)
      ? 'It repeats with an interval, so that each run becomes a single schedule.'
      : null
    if (base === undefined) {
      const isOver = rules.every((rule) => (lastRunOf(rule) ?? portal.now) <= portal.now)
      if (isOver)
        return item('schedule', name, 'differs', { ...result, reason: 'All its runs are over. It is not created.' })
      return item('schedule', name, 'create', { ...result, reason: note })
    }
    const from = rulesText(base.rules)
    const isEdited = portal.editedSchedules.has(schedule.key)
    if (equal(rules, withoutPast(base.rules, portal.now))) {
      return isEdited
        ? item('schedule', name, 'kept', { ...result, from, reason: 'It was cancelled here.' })
        : item('schedule', name, 'same', { ...result, from })
    }
    return isEdited
      ? item('schedule', name, 'conflict', {
          ...result,
          from,
          reason: 'It was cancelled here and changed in Lab Services.',
          todo: TICK,
        })
      : item('schedule', name, 'change', { ...result, from, reason: note })
  })
  const present = new Set(lab.schedules.map(({ key }) => key))
  const removed = Object.entries(applied?.schedules ?? {}).flatMap(([key, { rules }]) =>
    present.has(key) || portal.editedSchedules.has(key)
      ? []
      : [
          item('schedule', key, 'leftover', {
            id: scheduleItemId(key),
            from: rulesText(rules),
            reason: 'The schedule was deleted in Lab Services.',
            todo: 'Tick it to cancel it here too.',
          }),
        ],
  )
  return [...items, ...removed]
}

export const scheduleItemId = (key: string): string => `schedule ${key}`
export const learnerItemId = (email: string): string => `learner ${email}`

function learnerItems(lab: SourceLab, target: Target, applied: Applied | null, portal: PortalState): ImportItem[] {
  const used = new Map(lab.users.map((user) => [user.email, user]))
  const items = Object.entries(target.learners).map(([email, minutes]): ImportItem => {
    const base = applied?.learners[email]
    const user = used.get(email)
    const hours = user === undefined || user.usedMinutes === 0 ? '' : `${hoursText(user.usedMinutes)} used so far. `
    const note = `${hours}${minutes === null ? 'Lab Services allows no hours outside schedules; here there is no limit.' : ''}`
    const result = { to: hoursText(minutes), reason: note.trim() === '' ? null : note.trim() }
    if (portal.foreign.has(email)) {
      return item('learner', email, 'blocked', {
        reason: 'The address cannot be added to this organisation.',
        todo: 'Use another address, or contact support.',
      })
    }
    if (portal.withMachine.has(email)) {
      return item('learner', email, 'same', { ...result, reason: 'Has a machine in the training already.' })
    }
    if (base === undefined) return item('learner', email, 'create', result)
    return item('learner', email, base === minutes ? 'same' : 'change', { ...result, from: hoursText(base) })
  })
  const removed = Object.keys(applied?.learners ?? {}).flatMap((email) =>
    email in target.learners
      ? []
      : [
          item('learner', email, 'leftover', {
            from: hoursText(applied!.learners[email] ?? null),
            reason: 'The user was removed in Lab Services.',
            todo: 'Tick it to leave this learner out of the cut-over.',
          }),
        ],
  )
  return [...items, ...removed]
}

function accessItems(lab: SourceLab, portal: PortalState): ImportItem[] {
  const owners = lab.owners.map((email) =>
    portal.foreign.has(email)
      ? item('owner', email, 'blocked', {
          reason: 'The address cannot be added to this organisation.',
          todo: 'Use another address, or contact support.',
        })
      : item('owner', email, portal.isMoved ? 'same' : 'create', {
          from: lab.ownerRoles?.[email] ?? null,
          to: 'instructor',
          reason: portal.isMoved ? null : 'Becomes an instructor of the training with the cut-over.',
        }),
  )
  const roster =
    lab.roster === 'manual'
      ? []
      : [
          item('lab', lab.roster === 'group' ? 'Entra group' : 'LMS course', 'differs', {
            reason:
              'The current members are imported. Later changes of the group are imported only if you read and import again.',
            todo: 'Read and import again before the cut-over.',
          }),
        ]
  return [...owners, ...roster, ...linkItems(lab, portal)]
}

/**
 * Number of seats of the link that the cut-over creates: one seat for each machine of the lab without a listed user.
 */
export const freeSeatsOf = ({ capacity, users }: SourceLab): number =>
  Math.min(LINK_SEATS_MAX, Math.max(0, (capacity ?? 0) - users.length))

function linkItems(lab: SourceLab, { isMoved }: PortalState): ImportItem[] {
  if (lab.registrationCode === null && !lab.openAccess) return []
  const name = 'Registration link'
  const seats = freeSeatsOf(lab)
  if (seats === 0) {
    return [
      item('link', name, 'differs', {
        reason: 'Every machine of the lab has a user. The registration link of Lab Services ends with the service.',
        todo: 'Learners get an invitation by e-mail with the cut-over. For more learners, create a link in Registration Links.',
      }),
    ]
  }
  return [
    item('link', name, isMoved ? 'same' : 'create', {
      to: `${seats === 1 ? 'one seat' : `${seats} seats`}${lab.openAccess ? '' : ', with approval'}`,
      reason: isMoved ? null : 'Made with the cut-over. The registration link of Lab Services ends with the service.',
      todo: 'Give learners the new link, which Registration Links shows.',
    }),
  ]
}

/** Returns true for items that an import writes although the user has not selected them. */
export const isPending = ({ kind, state }: ImportItem): boolean =>
  kind !== 'owner' && kind !== 'link' && (state === 'create' || state === 'change')
