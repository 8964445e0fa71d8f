import { sql } from 'kysely'
import { answer, answerSql, on } from '../../../core/events.ts'
import { invitedClasses } from '../../people/user/invitation-email.ts'
import { classesOfInvited } from '../calendar/invited-classes.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { calendarHandlers } from '../calendar/http.ts'
import { cancelPlans } from './cancel-plans.ts'
import { classSessionHandlers, holidaysHandlers } from './http.ts'
import { nextClassOf } from './next-class.ts'
import { plannedFor } from '../machine/queries.ts'
import { planOrder } from '../order/order.ts'
import { organisationInScope } from '../../people/organisation/scope.ts'
import { planReadyBy } from '../ready/plan.ts'
import { readyHandlers } from '../ready/http.ts'
import { startDueMachines } from '../ready/start.ts'
import { endsWhatRuns, nextReady, otherPlans, repeats, startedSince } from '../schedule/queries.ts'
import { recurrenceHandlers } from '../schedule/weekly/http.ts'
import { conflictsOfRule } from '../schedule/weekly/plan.ts'
import { weeklyConflicts } from '../schedule/weekly-conflicts.ts'
import { trainingsRemoved } from '../training/existence.ts'
import { isInSession, nextSession } from '../training/window.ts'

export default serverModule({
  name: 'class-sessions',
  calls: ({ publicUrl }) => ({
    recurrence: recurrenceHandlers,
    ready: readyHandlers,
    classSession: classSessionHandlers,
    holidays: holidaysHandlers,
    calendar: calendarHandlers(publicUrl),
    home: {
      async nextClass(db, { actor, query }) {
        return { nextClass: await nextClassOf(db, await organisationInScope(db, actor, query.organization)) }
      },
    },
  }),
  tasks: ({ db }) => [
    { name: 'start machines before ready times', every: 5, on: 'one', run: () => startDueMachines(db) },
  ],
  tables: {
    sql: new URL('../../../db/tables/class-sessions.sql', import.meta.url),
    personal: {
      calendar_link: { owner: { user: 'user_id' }, title: 'Calendar links', erase: 'delete', secrets: 'token_hash' },
      class_series: withoutOwner('', 'created_by'),
      class_session: withoutOwner('time_zone'),
      holiday: withoutOwner('name', 'created_by'),
      ready_by: withoutOwner('date time time_zone', 'asked_by'),
      ready_machine: withoutOwner('', 'refused'),
      recurrence: withoutOwner('action time_zone', 'created_by'),
    },
  },
  listens: [on(trainingsRemoved, cancelPlans)],
  answers: [
    answer(invitedClasses, classesOfInvited),
    answer(weeklyConflicts, conflictsOfRule),
    answer(planOrder, async (_db, { tx, actor, ...plan }) => planReadyBy(tx, actor, plan)),
  ],
  sqlAnswers: [
    answerSql(repeats, () => sql`recurrence_id`),
    answerSql(
      plannedFor,
      () => sql`(select min(r.ready_at) from ready_by r
        where m.create_later and r.training_id = m.training_id and r.removed_at is null and r.started_at is null
          and not r.missed and (r.order_id is null or r.order_id = m.order_id))`,
    ),
    answerSql(
      nextReady,
      (training) => sql`(select min(ready_at) from ready_by
        where training_id = ${training} and not missed and removed_at is null and ready_at > portal_now())`,
    ),
    answerSql(
      nextSession,
      (training) => sql`(select min(starts_at) from class_session
        where training_id = ${training} and removed_at is null and skipped_at is null and starts_at > portal_now())`,
    ),
    answerSql(
      isInSession,
      () => sql`exists (select from class_session s where s.training_id = training.id and s.removed_at is null
        and s.skipped_at is null and s.starts_at <= portal_now() and s.stops_at > portal_now())`,
    ),
    answerSql(
      endsWhatRuns,
      () => sql`exists (select from class_session c where c.training_id = s.training_id and c.stops_at = s.fires_at
        and c.starts_at <= portal_now() and c.removed_at is null and c.skipped_at is null)`,
    ),
    answerSql(
      startedSince,
      () => sql`exists (select from ready_by r left join class_session c on c.id = r.class_session_id
        where r.training_id = s.training_id and r.order_id is null and r.removed_at is null
          and r.started_at > s.fires_at and c.removed_at is null)`,
    ),
    answerSql(
      otherPlans,
      (training) => sql`(select count(*) from ready_by
        where training_id = ${training} and started_at is null and not missed and removed_at is null)`,
    ),
  ],
})
