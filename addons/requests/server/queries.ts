import { sql, type RawBuilder } from 'kysely'
import type { ChangeRequest } from '../contract/change-request.ts'
import type { ChangeRequestKind, RequestSubject } from '../contract/change-request-words.ts'
import type {
  ChangeRequestId,
  UserId,
  TrainingId,
  MachineId,
  OrganisationId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'

/** Columns of `change_request as r`, with the names of training and machine, that `subjectOf` needs. */
export interface SubjectColumns {
  readonly kind: ChangeRequestKind
  readonly training: string | null
  readonly machine: string | null
  readonly minutes: number | null
  readonly email: string | null
}

export interface LockedRequest extends SubjectColumns {
  readonly id: ChangeRequestId
  readonly state: string
  readonly by: UserId
  readonly training_id: TrainingId | null
  readonly machine_id: MachineId | null
}

const SUBJECT_COLUMNS = sql`r.kind, r.minutes, r.email,
  (select name from training where id = r.training_id) as training,
  (select name from machine where id = r.machine_id) as machine`

export const lockRequestRow = (tx: Tx, id: string, organisation: OrganisationId) =>
  sql<LockedRequest>`
    select r.id, r.state, r.asked_by as by, r.training_id, r.machine_id, ${SUBJECT_COLUMNS}
    from change_request r where r.id = ${id}::uuid and r.organisation_id = ${organisation} for update of r`.execute(tx)

export const selectDecision = (db: Db, id: ChangeRequestId) =>
  sql<SubjectColumns & { state: string; decided_by: string; answer: string | null; to: string }>`
    select r.state, r.decided_by, r.answer, u.email as to, ${SUBJECT_COLUMNS}
    from change_request r join portal_user u on u.id = r.asked_by
    where r.id = ${id} and r.state in ('approved', 'refused')`.execute(db)

export const selectRequests = (db: Db, condition: RawBuilder<unknown>) =>
  sql<SubjectColumns & Omit<ChangeRequest, 'subject' | 'at'> & { readonly at: Date }>`
    select r.id, o.name as organization, ${SUBJECT_COLUMNS}, r.reason, r.state, u.email as by, r.asked_at as at,
      r.decided_by as "decidedBy", r.answer
    from change_request r join organisation o on o.id = r.organisation_id join portal_user u on u.id = r.asked_by
    where o.removed_at is null and ${condition}`.execute(db)

export const selectNoticeOf = (tx: Tx, id: ChangeRequestId) =>
  sql<{
    organisation: OrganisationId
    training: TrainingId | null
    kind: ChangeRequestKind
    request: RequestSubject
    why: string
    answer: string | null
  }>`
    select r.organisation_id as organisation, r.training_id as training, r.kind, r.reason as why, r.answer,
      jsonb_strip_nulls(jsonb_build_object('kind', r.kind, 'minutes', r.minutes,
        'machine', (select name from machine where id = r.machine_id),
        'training', (select name from training where id = r.training_id), 'email', r.email)) as request
    from change_request r where r.id = ${id}`.execute(tx)
