import { Temporal } from 'temporal-polyfill'
import { HOLIDAYS_MAX, CLASS_SESSION_DAYS_MAX } from '../contract/class-session-words.ts'
import { rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { lockOrganisation, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { classInScope, lockTrainingToPlan } from '@trainyard/trainings/server/scope.ts'
import { windowOf } from '@trainyard/trainings/server/window.ts'
import { adaptingWindow } from './access.ts'
import { cancelSessions, changeSession, notStartedFrom, sessionIn, skipSession } from './change.ts'
import { sessionConflicts } from './conflicts.ts'
import { sessionsBetween } from './list.ts'
import { occurrenceNote } from './occurrences.ts'
import { costOf, formatDate, holidaysBetween, planClassSessions, upcomingClassSessions } from './plan.ts'
import { trainingRate } from '@trainyard/usage/server/prices.ts'
import { countOtherHolidays } from './queries.ts'

const SHOWN = 5

/** Returns true for admins and superadmins. The other callers of these calls are instructors, who see no prices. */
const seesCost = ({ role }: Actor): boolean => role !== 'user'

export const classSessionHandlers: HandlersOf<'classSession'> = {
  async list(db, { actor, query }) {
    const { id, organisationId } = await classInScope(db, actor, query)
    const span = Temporal.PlainDate.from(query.from).until(query.until, { largestUnit: 'days' }).days
    if (span < 0 || span > CLASS_SESSION_DAYS_MAX) {
      throw new Problem('invalid', `until must be at most ${CLASS_SESSION_DAYS_MAX} days after from.`)
    }
    return sessionsBetween(db, { training: id, organisation: organisationId, showsCost: seesCost(actor) }, query)
  },

  async preview(db, { actor, query }) {
    const { id: training, organisationId: organisation } = await classInScope(db, actor, query)
    const { from, until, start, stop, replaces, scope } = query
    const weekdays = query.weekdays?.split(',').map(Number) ?? null
    const limitsAccess = query.limitAccess === 'true'
    const replaced = replaces === undefined ? null : await sessionIn(db, training, replaces)
    const skipsHolidays = query.skipHolidays === 'true'
    const startedAt = replaced !== null && scope === 'one' && replaced.skipped_at === null ? replaced.starts_at : null
    const rule = { weekdays, from, until, start, stop }
    const upcoming = await upcomingClassSessions(
      db,
      { training, organisation },
      { rule, limitsAccess, skipsHolidays, startedAt },
    )
    const { sessions, timeZone, machines, leadSeconds, onHolidays } = upcoming
    const rate = await trainingRate(db, { training, organisation })
    const [first] = sessions
    const cost = (list: typeof sessions) => rupeesOfPaise(costOf(rate, list, leadSeconds))
    const names = await holidaysBetween(db, organisation, query)
    return {
      timeZone,
      count: sessions.length,
      next: sessions
        .slice(0, SHOWN)
        .map((session) => ({ date: session.date, note: occurrenceNote(session, timeZone) })),
      skippedHolidays: names.filter(({ date }) => onHolidays.includes(date)),
      machines,
      leadMinutes: Math.ceil(leadSeconds / 60),
      ...(seesCost(actor) && { costOfOne: cost([first!]), costOfAll: cost(sessions) }),
      conflicts: await sessionConflicts(db, training, upcoming, {
        limitsAccess,
        replaced: replaced === null ? [] : scope === 'following' ? await notStartedFrom(db, replaced) : [replaced.id],
      }),
    }
  },

  async create(tx, { actor, body, auditChange }) {
    const { id: training, organisationId: organisation } = await lockTrainingToPlan(tx, actor, body)
    const { weekdays, from, until, start, stop, limitAccess, skipHolidays } = body
    const before = await windowOf(tx, training)
    const { sentence } = await adaptingWindow(tx, training, () =>
      planClassSessions(
        tx,
        { training, organisation, by: actor.email },
        { rule: { weekdays, from, until, start, stop }, limitsAccess: limitAccess, skipsHolidays: skipHolidays },
      ),
    )
    const after = await windowOf(tx, training)
    if (JSON.stringify(before) !== JSON.stringify(after)) auditChange({ ...before }, { ...after })
    return { message: sentence }
  },

  async change(tx, { actor, body }) {
    return { message: await changeSession(tx, actor, body) }
  },

  async skip(tx, { actor, body }) {
    return { message: await skipSession(tx, actor, body) }
  },

  async remove(tx, { actor, query }) {
    return { message: await cancelSessions(tx, actor, query) }
  },
}

export const holidaysHandlers: HandlersOf<'holidays'> = {
  async list(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    const holidays = await db
      .selectFrom('holiday')
      .select(['date', 'name'])
      .where('organisation_id', '=', id)
      .orderBy('date')
      .execute()
    return { holidays }
  },

  async add(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    await lockOrganisation(tx, id, 'use')
    const { rows } = await countOtherHolidays(tx, id, body.date)
    if (rows[0]!.count >= HOLIDAYS_MAX) {
      throw conflict(`There are already ${HOLIDAYS_MAX} holidays. Remove past ones first.`)
    }
    await tx
      .insertInto('holiday')
      .values({ organisation_id: id, date: body.date, name: body.name, created_by: actor.email })
      .onConflict((on) => on.columns(['organisation_id', 'date']).doUpdateSet({ name: body.name }))
      .execute()
    return { message: `${body.name} on ${formatDate(body.date)} is a holiday.` }
  },

  async remove(tx, { actor, query }) {
    const { id } = await organisationInScope(tx, actor, query.organization)
    // The call is idempotent: a retry after a lost reply has the same result.
    await tx.deleteFrom('holiday').where('organisation_id', '=', id).where('date', '=', query.date).execute()
    return { message: `${formatDate(query.date)} is not a holiday.` }
  },
}
