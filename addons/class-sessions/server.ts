import { sql } from 'kysely'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { invitedClasses } from '@trainyard/users/server/invitation-email.ts'
import { classesOfInvited } from './server/calendar/invited-classes.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { calendarHandlers } from './server/calendar/http.ts'
import { cancelPlans } from './server/cancel-plans.ts'
import { classSessionHandlers, holidaysHandlers } from './server/http.ts'
import { nextClassOf } from './server/next-class.ts'
import { machineReplaced } from '@trainyard/machines/server/events.ts'
import { plannedFor } from '@trainyard/machines/server/queries.ts'
import { planOrder } from '@trainyard/machines/server/order/order.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { planReadyBy } from './server/ready/plan.ts'
import { readyHandlers } from './server/ready/http.ts'
import { startDueMachines } from './server/ready/start.ts'
import { endsWhatRuns, nextReady, otherPlans, repeats, startedSince } from '@trainyard/schedules/server/queries.ts'
import { recurrenceHandlers } from './server/weekly/http.ts'
import { conflictsOfRule } from './server/weekly/plan.ts'
import { weeklyConflicts } from '@trainyard/schedules/server/weekly-conflicts.ts'
import { plannedTimes } from '@trainyard/usage/server/outlook.ts'
import { sessionTimes } from './server/list.ts'
import { trainingsRemoved } from '@trainyard/trainings/server/existence.ts'
import { isInSession, lastSessionEnd, nextSession } from '@trainyard/trainings/server/window.ts'

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
    sql: new URL('tables.sql', import.meta.url),
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
  listens: [
    on(trainingsRemoved, cancelPlans),
    on(machineReplaced, async (tx, replaced) => {
      for (const { from, to } of replaced)
        await tx.updateTable('ready_machine').set({ machine_id: to }).where('machine_id', '=', from).execute()
    }),
  ],
  answers: [
    answer(invitedClasses, classesOfInvited),
    answer(plannedTimes, sessionTimes),
    answer(weeklyConflicts, conflictsOfRule),
    answer(planOrder, async (tx, { actor, ...plan }) => planReadyBy(tx, actor, plan)),
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
      lastSessionEnd,
      () => sql`(select max(stops_at) from class_session
        where training_id = t.id and removed_at is null and skipped_at is null)`,
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
