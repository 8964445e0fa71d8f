import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { DEFAULT_TIME_ZONE } from '@trainyard/platform/contract/words/limits.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { mailboxOf, type UserMailDependencies } from './user-mail.ts'
import { sendInvitationEmail } from './invitation-delivery.ts'
import { invitationLink, validInvitations } from './invitation-link.ts'
import { invitationEnd } from './invitation-state.ts'
import type { Email } from '@trainyard/platform/server/mail/mail.ts'
import { linkEmail } from './link-email.ts'

export const userInvite = job<{ readonly invitation: string }>('user.invite', EMAILS)

/** A class that an invited user attends or leads. */
export interface InvitedClass {
  readonly training: string
  readonly leads: boolean
  /** Names, otherwise e-mails. */
  readonly instructors: readonly string[]
  readonly help: string | null
  /** Start of the next session, or the next ready time; null if none is planned. */
  readonly startsAt: Date | null
  readonly stopsAt: Date | null
  /** Null if the learner's machine is ready, or if no time is planned. */
  readonly readyAt: Date | null
}

export interface InvitedClasses {
  /** Time zone of the user, if known, otherwise of the organisation. */
  readonly timeZone: string
  /** The next one first. */
  readonly classes: readonly InvitedClass[]
  /** Sessions as iCalendar; null if none is planned. */
  readonly calendar: string | null
}

/** The classes of an invited user. `publicUrl` is the address of the portal, for events of the calendar. */
export const invitedClasses = hook<{ readonly user: UserId; readonly publicUrl: string }, InvitedClasses | null>(
  'users.invitedClasses',
  null,
  (first, second) => first ?? second,
)

const NO_CLASSES: InvitedClasses = { timeZone: DEFAULT_TIME_ZONE, classes: [], calendar: null }

export const classesOfInvited = async (db: Db, user: UserId, publicUrl: string): Promise<InvitedClasses> =>
  (await ask(db, invitedClasses, { user, publicUrl })) ?? NO_CLASSES

/** Facts that end each invitation, as labels with values. */
export const mailFooter = hook<UserId, readonly (readonly [string, string])[]>(
  'users.mailFooter',
  [],
  (first, second) => [...first, ...second],
)

export function sendInvitation({ db, mail, seal, publicUrl }: UserMailDependencies): Run<typeof userInvite> {
  return async ({ invitation }) => {
    const invited = await validInvitations(db)
      .innerJoin('portal_user', 'portal_user.id', 'invitation.user_id')
      .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
      .select(['portal_user.id', 'portal_user.email', 'portal_user.name', 'organisation.name as organisation'])
      .select(invitationEnd().as('until'))
      .where('invitation.id', '=', invitation)
      .executeTakeFirst()
    if (invited === undefined) return
    const { id, ...recipient } = invited
    const to = await mailboxOf(db, id, recipient.email)
    const link = invitationLink(publicUrl, seal, invitation)
    const words = invitationEmail({
      ...recipient,
      ...(await classesOfInvited(db, id, publicUrl)),
      footer: await ask(db, mailFooter, id),
      to,
      invitation,
      link,
    })
    await sendInvitationEmail(db, invitation, mail.send(words))
  }
}

interface Invited extends InvitedClasses {
  readonly footer: readonly (readonly [string, string])[]
  readonly invitation: string
  readonly to: string
  readonly email: string
  readonly name: string | null
  readonly organisation: string | null
  readonly link: string
  readonly until: Date
}

const CLASSES_IN_EMAIL = 5

function invitationEmail({ invitation, to, email, name, organisation, link, until, ...of }: Invited): Email {
  const classes = of.classes.slice(0, CLASSES_IN_EMAIL)
  const [first, second] = classes
  const labs = organisation === null ? 'Trainyard' : `the labs of ${organisation}`
  const where = first === undefined || organisation === null ? labs : `${first.training} at ${organisation}`
  const leads = first?.leads ?? false
  return linkEmail({
    key: `invitation-${invitation}`,
    to,
    name,
    subject: `Your invitation to ${second === undefined ? where : labs}`,
    paragraphs: [
      leads ? `You are invited to lead ${where}.` : `You are invited to ${where}.`,
      ...readyLines(classes, of.timeZone),
      leads ? 'Choose a password to sign in.' : 'Choose a password to sign in and use your machines.',
    ],
    facts: [...classes.flatMap((each) => factsOf(each, of.timeZone)), ...of.footer],
    link,
    afterLink: `The link works once, until ${dayIn(of.timeZone, until)}, for ${email}. If you did not expect this email, you can ignore it.`,
    attachments:
      of.calendar === null
        ? []
        : [{ name: 'class.ics', type: 'text/calendar; charset=utf-8', content: Buffer.from(of.calendar) }],
  })
}

const readyLines = (classes: readonly InvitedClass[], timeZone: string): string[] =>
  classes.flatMap(({ training, readyAt }) =>
    readyAt === null
      ? []
      : [
          `Your machine${classes.length === 1 ? '' : ` of ${training}`} will be ready on ${momentIn(timeZone, readyAt)}. You can sign in earlier.`,
        ],
  )

function factsOf(each: InvitedClass, timeZone: string): (readonly [string, string])[] {
  const { training, instructors, help } = each
  return [
    ['Training', training],
    ...(each.startsAt === null ? [] : [['When', `${timesOf(each, timeZone)} (${timeZone})`] as const]),
    ...(instructors.length === 0
      ? []
      : [[instructors.length === 1 ? 'Instructor' : 'Instructors', instructors.join(', ')] as const]),
    ...(help === null ? [] : [['Help', help] as const]),
  ]
}

function timesOf({ startsAt, stopsAt }: InvitedClass, timeZone: string): string {
  const start = momentIn(timeZone, startsAt!)
  if (stopsAt === null) return start
  const isSameDay = dayIn(timeZone, startsAt!) === dayIn(timeZone, stopsAt)
  return `${start} to ${(isSameDay ? timeIn : momentIn)(timeZone, stopsAt)}`
}

const momentIn = (timeZone: string, at: Date): string => `${dayIn(timeZone, at)} at ${timeIn(timeZone, at)}`

const dayIn = (timeZone: string, at: Date): string =>
  at
    .toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone })
    .replace(',', '')

const timeIn = (timeZone: string, at: Date): string =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
