import type {
  GuideId,
  OrganisationId,
  GuideVersionId,
  TrainingGuideId,
  TrainingId,
  TemplateId,
  GuideRunId,
  MachineId,
  UserId,
  CheckAttemptId,
  ProofId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable, ColumnType, GeneratedAlways } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface GuideTable {
  id: Generated<GuideId>
  organisation_id: OrganisationId
  slug: string
  last_number: Generated<number>
  created_at: Generated<Date>
}

export type GuideRow = Selectable<GuideTable>

export interface GuideVersionTable {
  id: Generated<GuideVersionId>
  guide_id: GuideId
  organisation_id: OrganisationId
  number: number
  title: string
  hash: Buffer
  content: ColumnType<unknown, string, string>
  texts: ColumnType<unknown, string, string>
  translations: ColumnType<unknown, string | undefined, string>
  findings: ColumnType<unknown, string, string>
  source: ColumnType<unknown, string | null | undefined, string | null>
  made_by: string
  made_at: Generated<Date>
  published_at: Date | null
  reason: string | null
  retired_at: Date | null
}

export type GuideVersionRow = Selectable<GuideVersionTable>

export interface GuideFileTable {
  organisation_id: OrganisationId
  hash: Buffer
  content: Buffer
}

export type GuideFileRow = Selectable<GuideFileTable>

export interface GuideVersionFileTable {
  version_id: GuideVersionId
  path: string
  organisation_id: OrganisationId
  hash: Buffer
}

export type GuideVersionFileRow = Selectable<GuideVersionFileTable>

export interface TrainingGuideTable {
  id: Generated<TrainingGuideId>
  training_id: TrainingId
  organisation_id: OrganisationId
  version_id: GuideVersionId
  template_id: TemplateId | null
  attached_by: string
  attached_at: Generated<Date>
}

export type TrainingGuideRow = Selectable<TrainingGuideTable>

export interface TrainingGuideStepTable {
  training_id: TrainingId
  guide_id: GuideId
  step: string
  organisation_id: OrganisationId
  hidden: boolean
  note: string
  changed_by: string
  changed_at: Generated<Date>
}

export type TrainingGuideStepRow = Selectable<TrainingGuideStepTable>

export interface GuideRunTable {
  id: Generated<GuideRunId>
  organisation_id: OrganisationId
  machine_id: MachineId
  version_id: GuideVersionId
  email: string
  reset_count: number
  variables: ColumnType<unknown, string, string>
  started_at: Generated<Date>
  step: string
  prepared: Generated<string[]>
  busy_until: Date | null
  asked_at: Date | null
  suspect_at: Date | null
  completed_at: Date | null
}

export type GuideRunRow = Selectable<GuideRunTable>

export interface GuideLanguageTable {
  user_id: UserId
  language: string
}

export type GuideLanguageRow = Selectable<GuideLanguageTable>

export interface TaskResultTable {
  run_id: GuideRunId
  task: string
  organisation_id: OrganisationId
  state: 'open' | 'red' | 'green' | 'broken' | 'skipped' | 'solved'
  points: Generated<number>
  hints: Generated<number>
  solve_asked_at: Date | null
  reds: Generated<number>
  checks: ColumnType<unknown, string | undefined, string>
  changed_at: Generated<Date>
}

export type TaskResultRow = Selectable<TaskResultTable>

export interface CheckAttemptTable {
  id: Generated<CheckAttemptId>
  run_id: GuideRunId
  organisation_id: OrganisationId
  task: string
  script: string
  state: 'green' | 'red' | 'broken'
  exit_status: number | null
  message: string
  error_output: string
  milliseconds: number
  ran_at: Generated<Date>
}

export type CheckAttemptRow = Selectable<CheckAttemptTable>

export interface QuestionAnswerTable {
  run_id: GuideRunId
  question: string
  organisation_id: OrganisationId
  attempts: number
  correct: boolean
  points: number
  answered_at: Generated<Date>
}

export type QuestionAnswerRow = Selectable<QuestionAnswerTable>

export interface ProofTable {
  id: Generated<ProofId>
  organisation_id: OrganisationId
  version_id: GuideVersionId
  template_id: TemplateId | null
  template_name: string
  template_revision: number
  image: ColumnType<unknown, string, string>
  image_id: GeneratedAlways<string>
  asked_by: string | null
  state: Generated<'running' | 'proven' | 'faulty' | 'incomplete' | 'not run'>
  phase: Generated<'waiting' | 'starting' | 'testing' | 'restarting' | 'deleting' | 'ended'>
  reason: string | null
  variables: ColumnType<unknown, string, string>
  created_at: Generated<Date>
  started_at: Date | null
  ended_at: Date | null
  machine_id: MachineId | null
  machines: Generated<number>
  cost_paise: Generated<Paise>
  packages: ColumnType<unknown, string | null | undefined, string | null>
  part: Generated<number>
  part_begun: Generated<boolean>
  step: Generated<string>
  task: Generated<string>
  reconcile_at: Generated<Date | null>
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
}

export type ProofRow = Selectable<ProofTable>

export interface ProofFaultTable {
  proof_id: ProofId
  kind:
    | 'never-red'
    | 'broken'
    | 'guard-red'
    | 'not-green'
    | 'flaky'
    | 'solve-failed'
    | 'setup-failed'
    | 'setup-not-repeatable'
    | 'no-solve'
    | 'lost-at-end'
    | 'lost-at-restart'
  step: string
  task: string
  script: string
  organisation_id: OrganisationId
  exit_status: number | null
  message: string
  error_output: string
  found_at: Generated<Date>
}

export type ProofFaultRow = Selectable<ProofFaultTable>

export interface GuidesTables {
  guide: GuideTable
  guide_version: GuideVersionTable
  guide_file: GuideFileTable
  guide_version_file: GuideVersionFileTable
  training_guide: TrainingGuideTable
  training_guide_step: TrainingGuideStepTable
  guide_run: GuideRunTable
  guide_language: GuideLanguageTable
  task_result: TaskResultTable
  check_attempt: CheckAttemptTable
  question_answer: QuestionAnswerTable
  proof: ProofTable
  proof_fault: ProofFaultTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends GuidesTables {}
}
